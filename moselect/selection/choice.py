"""Choice among candidates: their names, paired differences, and a corrected selection."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

from moselect._types import Booleans, Floats, Integers
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.standard_errors import standard_errors

Choice = Literal["cheapest", "simple"]
# tolerance for the simplest model, relative to the least cost or greatest utility
TOLERANCE = 0.05

CANDIDATES = ("scorecard", "linear", "additive", "ensemble")  # simplest first
PROPORTIONAL_ODDS, TRIVIAL = BASELINES = ("proportional odds", "always one class")
# Without features, too, but not constant: it decides by the costs of each row.
ROW_SHARES = "class shares with the costs of the row"
# names of the constant prediction in a selection and in a comparison
CONSTANT = (TRIVIAL, "always_one_class")
# base models of the ensemble that are candidates or baselines on their own
BASES = {
    "additive": "splines",
    PROPORTIONAL_ODDS: "proportional_odds",
}
# Parts of the clusters: all but one select a candidate, the last one evaluates it.
PARTS = 5


def choose_candidate(
    losses: Mapping[str, float], choice: Choice = "cheapest", scale: float = 0.0
) -> str:
    """Select a candidate by cross-validated losses, given in order of complexity.

    ``"cheapest"``: least loss; ``"simple"``: the simplest candidate within 5 % of the
    least loss, or within 5 % of ``scale``.
    """
    least = min(losses, key=losses.__getitem__)
    if choice != "simple":
        return least
    acceptable = losses[least] + TOLERANCE * abs(scale or losses[least])
    return next(candidate for candidate, loss in losses.items() if loss <= acceptable)


class Resampled(NamedTuple):
    """Mean losses on clusters that were not used for selection."""

    losses: dict[str, float]  # of each candidate
    selected: float  # of the selection procedure
    least: float  # of selecting the best


def resampled_selection(
    losses: Callable[[Integers], Mapping[str, Floats]],
    samples: Samples,
    eligible: Sequence[str],
    best: Sequence[str],
    choice: Choice = "cheapest",
    scale: float = 0.0,
) -> Resampled:
    """Estimate the loss of the selection procedure: select on some clusters, evaluate on others.

    The cross-validated loss of the selected candidate is optimistic (selection bias), and
    so is the loss of candidates that know the class shares of the test rows, as in
    stratified folds. Here some clusters select and set the class shares, and the others
    evaluate; clusters are divided without stratification, and no model is refitted
    (Tsamardinos, Greasidou & Borboudakis 2018, Machine Learning 107, 1895-1922).

    Parameters
    ----------
    losses : callable
        Returns the losses of the clusters (u,) by candidate, given the clusters that set
        the class shares.
    samples : Samples
        The samples, which define the clusters.
    eligible, choice, scale
        Candidates to select from, and how, as in `choose_candidate`.
    best : sequence of str
        Candidates whose least loss is `Resampled.least`.
    """
    clusters = samples.cv_groups if samples.groups is None else np.unique(samples.groups)
    # evaluated clusters at least, over all repeats
    min_evaluations = 5_000
    repeats = -(-min_evaluations // len(clusters))
    parts = Folds.deal(clusters, np.zeros_like(clusters), PARTS, n_repeats=repeats)
    sums = []
    for selecting, evaluating in parts:
        known = losses(selecting)
        names = list(known)
        values = np.array(list(known.values()))
        means = values[:, selecting].mean(axis=1)
        by_name = dict(zip(names, means, strict=True))
        # One candidate by the selection procedure, and one of least loss.
        selected_name = choose_candidate(
            {name: by_name[name] for name in eligible}, choice, scale
        )
        selected = [
            names.index(selected_name),
            names.index(min(best, key=by_name.__getitem__)),
        ]
        of_part = values[:, evaluating].sum(axis=1)
        sums.append([*of_part[selected], *of_part])
    # Each cluster is evaluated once in each repeat.
    totals = np.sum(sums, axis=0) / (repeats * len(clusters))
    of_selected, least, *of_candidates = totals.tolist()
    return Resampled(dict(zip(names, of_candidates, strict=True)), of_selected, least)


EXCESS = ("excess", "excess_low", "excess_high")
# Relative excess costs above it are reported as a multiple, not in percent.
MULTIPLE_FROM = 2.0


class PairedDifference(NamedTuple):
    """A paired difference with its 95 % confidence interval.

    Examples
    --------
    >>> PairedDifference(estimate=0.12, std_error=0.03, low=0.05, high=0.18).low > 0.0
    True
    """

    estimate: float
    std_error: float
    low: float
    high: float


def loss_difference(
    rule: tuple[float, Floats],
    baseline: tuple[float, Floats],
    by_cost: bool,
    max_cost: float = 0.0,
    resampled: tuple[float, float] | None = None,
) -> PairedDifference | None:
    """Estimate a model's relative saving over a baseline, or its difference in loss.

    Parameters
    ----------
    rule, baseline : tuple of (float, ndarray of shape (u,))
        Cross-validated loss and the influence of each cluster on it.
    by_cost : bool
        Whether the difference is relative to the baseline's loss.
    max_cost : float, default=0
        Loss from one further mistake of maximum cost, included in the standard error.
    resampled : tuple of (float, float), optional
        Losses of model and baseline on clusters that were not used to select the model.
        Their difference is the estimate; the standard error includes its distance from
        the difference of the cross-validated losses (selection bias).

    Returns
    -------
    PairedDifference or None
        None if the baseline has no loss. The standard error of a relative saving, a ratio
        of two paired means, is found by the delta method; the 95 % interval is Student's t,
        truncated at a saving of 100 %.
    """
    loss, influence = rule
    baseline_loss, baseline_influence = baseline
    resampled_loss, resampled_baseline = resampled or (loss, baseline_loss)
    unit, resampled_unit = (baseline_loss, resampled_baseline) if by_cost else (1.0, 1.0)
    if min(unit, resampled_unit) <= 0.0:
        return None
    ratio = loss / unit if by_cost else 1.0
    shown = (baseline_loss - loss) / unit
    estimate = (resampled_baseline - resampled_loss) / resampled_unit
    error = float(standard_errors(ratio * baseline_influence - influence))
    error = math.hypot(error / unit, max_cost / unit, estimate - shown)
    half_width = error * float(student.ppf(0.975, max(1, len(influence) - 1)))
    most = 1.0 if by_cost else math.inf
    return PairedDifference(
        estimate, error, estimate - half_width, min(most, estimate + half_width)
    )


def excess_over_best(
    losses: Mapping[str, tuple[float, Floats]],
    by_cost: bool,
    max_cost: float,
    resampled: Resampled,
) -> pd.DataFrame:
    """Compute the excess loss of each model over the best, in the columns `EXCESS`.

    Relative to the least cost (NaN if that is 0), or the difference of ``resampled``
    losses.
    """
    best = min(losses, key=lambda name: losses[name][0])
    rows = {}
    for name, loss in losses.items():
        means = resampled.losses[name], resampled.least
        gap = loss_difference(loss, losses[best], by_cost, max_cost, means)
        ends = [np.nan] * 3 if gap is None else [gap.estimate, gap.high, gap.low]
        rows[name] = np.zeros(3) if name == best else 0.0 - np.array(ends)
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(EXCESS))


def excess_words(row: pd.Series, *, by_cost: bool = True) -> str:
    """Format the excess cost of a model over the cheapest, or its absolute excess loss.

    Examples
    --------
    >>> excess_words(pd.Series({"excess": 0.43, "excess_low": 0.12, "excess_high": 0.7}))
    '43 % more (12 to 70 %)'
    >>> excess_words(pd.Series({"excess": 17.51, "excess_low": 11.3, "excess_high": 23.72}))
    '19 times (12 to 25)'
    >>> excess_words(pd.Series({"excess": -0.003, "excess_low": -0.15, "excess_high": 0.15}))
    '0 % more (-15 to 15 %)'
    """
    figures = row[[*EXCESS]].to_numpy(np.float64)
    if np.isnan(figures[0]):
        return ""
    if by_cost and figures[0] >= MULTIPLE_FROM:
        return "{:.2g} times ({:.2g} to {:.2g})".format(*(1.0 + figures))
    words = "{:z.0f} % more ({:z.0f} to {:z.0f} %)"
    opposite = "more", "less"
    if by_cost:
        figures = np.rint(100.0 * figures)
    else:
        words = "{:.2g} worse ({:.2g} to {:.2g})"
        opposite = "worse", "better"
    if figures[0] < 0.0:
        figures = -figures[[0, 2, 1]]
        words = words.replace(*opposite)
    return words.format(*figures)


def least_so_far(values: Floats) -> Booleans:
    """Mark the strict running minima of values (n,)."""
    before = np.append(np.inf, np.minimum.accumulate(values)[:-1])
    return values < before
