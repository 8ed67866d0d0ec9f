"""Choice among candidates: paired differences, and a selection corrected for its own bias."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.budgets import CROSS_VALIDATION
from moselect.candidates.names import TRIVIAL
from moselect.costs.priced import Priced
from moselect.evaluation.decision import Evaluation
from moselect.inference.standard_errors import (
    effective_units,
    interval,
    standard_errors,
    typical_weights,
)
from moselect.listing import rounded
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.serial import block_widening

Choice = Literal["cheapest", "simple"]
# tolerance for the simplest model, relative to the least cost or greatest utility
TOLERANCE = 0.05

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


def within_limits(
    evaluations: Mapping[str, Evaluation], names: Iterable[str]
) -> list[str]:
    """Return the names of candidates that meet all limits, or all names if none does."""
    names = list(names)
    return [name for name in names if evaluations[name].is_within] or names


def choose(
    evaluations: Mapping[str, Evaluation],
    eligible: Iterable[str],
    choice: Choice = "cheapest",
    by_shares: bool = False,
) -> tuple[str, dict[str, float]]:
    """Select a candidate, and correct the losses of all for selection bias.

    Candidates that meet their limits take precedence. ``by_shares``: whether
    decisions depend on the class shares in the data.
    """
    losses = {
        name: evaluations[name].cv_loss[0]
        for name in within_limits(evaluations, eligible)
    }
    first = next(iter(evaluations.values()))
    loss = first.priced.loss
    # Cost differences are relative; for utilities, the best utility is the scale.
    scale = 0.0 if loss.by_cost else loss.value(min(losses.values()))
    usual = {name: np.add(*each.cv_loss) for name, each in evaluations.items()}
    excess = {
        name: each.excess_costs() for name, each in evaluations.items() if by_shares
    }

    corrected, of_selection = resampled_selection(
        usual, excess, first.splits.cv, [*losses], choice, scale
    )
    # No candidate is expected to cost less than the cheapest, which was selected among all.
    # The corrected loss of the cheapest is unbiased; the losses of the others, which were not
    # selected, are known less well than their distance to it. The simplest candidate may well
    # cost more than the others.
    if choice == "cheapest":
        corrected |= {name: max(corrected[name], of_selection) for name in losses}
    selected = choose_candidate(losses, choice, scale)
    corrected[selected] = of_selection
    # Candidates of equal losses on all clusters have one corrected loss: of the selected one.
    names = [*reversed(corrected), selected]
    shared = {usual[name].tobytes(): corrected[name] for name in names}
    return selected, {name: shared[usual[name].tobytes()] for name in corrected}


def resampled_selection(
    usual: Mapping[str, Floats],
    excess: Mapping[str, Callable[[Integers], Floats]],
    samples: Samples,
    eligible: Sequence[str],
    choice: Choice = "cheapest",
    scale: float = 0.0,
) -> tuple[dict[str, float], float]:
    """Estimate the loss of the selection procedure: select on some clusters, evaluate on others.

    The cross-validated loss of the selected candidate is optimistic (selection bias), and
    so is the loss of candidates that know the class shares of the test rows, as in
    stratified folds. Here some clusters select and set the class shares, and the others
    evaluate; clusters are divided without stratification, and no model is refitted
    (Tsamardinos, Greasidou & Borboudakis 2018, Machine Learning 107, 1895-1922).

    Parameters
    ----------
    usual : mapping of str to ndarray of shape (u,)
        Losses of the clusters by candidate.
    excess : mapping of str to callable
        For candidates whose losses depend on the class shares, the excess losses (u,) if
        the given clusters set them.
    samples : Samples
        The samples, which define the clusters.
    eligible, choice, scale
        Candidates to select from, and how, as in `choose_candidate`.

    Returns
    -------
    losses, loss : dict of str to float, and float
        Mean losses of each candidate, and of the selected ones, on the clusters that
        evaluate.
    """
    clusters = samples.cv_groups if samples.groups is None else np.unique(samples.groups)
    repeats = -(-CROSS_VALIDATION.selections // len(clusters))
    repeats = min(repeats, CROSS_VALIDATION.selection_repeats)
    parts = Folds.deal(clusters, np.zeros_like(clusters), PARTS, n_repeats=repeats)
    sums = []
    for selecting, evaluating in parts:
        known = dict(usual)
        for name, excess_of in excess.items():
            known[name] = usual[name] + excess_of(selecting)
        means = {name: known[name][selecting].mean() for name in eligible}
        selected = choose_candidate(means, choice, scale)
        of_part = {name: losses[evaluating].sum() for name, losses in known.items()}
        sums.append([of_part[selected], *of_part.values()])
    # Each cluster is evaluated once in each repeat.
    totals = np.sum(sums, axis=0) / (repeats * len(clusters))
    of_selected, *of_candidates = totals.tolist()
    return dict(zip(known, of_candidates, strict=True)), of_selected


def far_below(candidates: pd.DataFrame) -> list[str]:
    """Remark on a candidate that costs less than a tenth of a constant class.

    In a comparison without this baseline, less than a tenth of every other one.

    Parameters
    ----------
    candidates : DataFrame
        Candidates (rows), with their ``cost``; without it there is no remark.

    Examples
    --------
    >>> candidates = pd.DataFrame({"cost": {"linear": 0.84, "ensemble": 0.046}})
    >>> far_below(candidates)[0].split(":")[0]
    'ensemble costs 0.046, less than a tenth of linear (0.84)'
    """
    if "cost" not in candidates or len(candidates) < 2:
        return []
    costs = candidates["cost"].astype(float)
    (name, least), (second, _) = costs.nsmallest(2).items()
    other = TRIVIAL if TRIVIAL in costs else str(second)
    if not least < costs[other] / 10.0:
        return []
    return [
        f"{name} costs {rounded(least, 2)}, less than a tenth of {other} "
        f"({rounded(costs[other], 2)}): it may recognise rows, by near copies, or a column, or a "
        "sum of columns, may tell the class; if rows belong together, keep them in one fold "
        "(groups=cases)"
    ]


def few_costly_rows(costs: Floats | None, samples: Samples, expected: float) -> list[str]:
    """Note that one mistake may add more to the mean cost than all that are ``expected``.

    For ``costs`` (n, r, a) of each row: some hundred rows do not show rarer, costlier ones.
    """
    if costs is None or costs.ndim == 2:
        return []
    weights = samples.sample_weight_or_ones
    worst = costs[np.arange(len(costs)), samples.codes].max(axis=1)
    added = (weights * worst).max() / weights.sum()
    if added <= expected:
        return []
    return [
        f"a mistake on the costliest row alone would add {rounded(added, 2)} to the mean cost "
        f"of {rounded(expected, 2)}: later rows may cost more than its interval shows"
    ]


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


def saving_over(
    baseline: Evaluation, selected: Evaluation, baseline_loss: float, loss: float
) -> PairedDifference | None:
    """Estimate the relative saving of a candidate over another, or the difference in loss.

    Paired by sample, with both losses corrected for selection bias; see `loss_difference`.
    """
    priced = selected.priced
    codes = selected.out_of_fold.codes
    costs = priced.loss.linearised(priced.in_use, selected.splits.predicted, codes)
    return loss_difference(
        selected.cv_loss,
        baseline.cv_loss,
        priced.loss.by_cost,
        max_difference(
            priced, costs, selected.splits.cv, codes, baseline.out_of_fold.codes
        ),
        loss + selected.unobserved_mistake[0],
        baseline_loss + baseline.unobserved_mistake[0],
        selected.splits.cv,
    )


def loss_difference(
    rule: tuple[float, Floats],
    baseline: tuple[float, Floats],
    by_cost: bool,
    one_more: float,
    resampled_loss: float,
    resampled_baseline: float,
    samples: Samples,
) -> PairedDifference | None:
    """Estimate a model's relative saving over a baseline, or its difference in loss.

    Parameters
    ----------
    rule, baseline : tuple of (float, ndarray of shape (u,))
        Cross-validated loss and the influence of each cluster on it.
    by_cost : bool
        Whether the difference is relative to the baseline's loss.
    one_more : float
        Difference from one further row that the two decide otherwise, included in the
        standard error.
    resampled_loss, resampled_baseline : float
        Losses of model and baseline on clusters that were not used to select the model.
        Their difference is the estimate; the standard error includes half of its distance
        from the difference of the cross-validated losses (selection bias).
    samples : Samples
        The samples, which define the clusters.

    Returns
    -------
    PairedDifference or None
        None if the baseline has no loss. The standard error of a relative saving, a ratio
        of two paired means, is found by the delta method; the 95 % interval is Student's t,
        truncated at a saving of 100 %.
    """
    loss, influence = rule
    baseline_loss, baseline_influence = baseline
    unit = resampled_unit = ratio = 1.0
    most = math.inf
    if by_cost:
        unit = baseline_loss
        resampled_unit = resampled_baseline
        if min(unit, resampled_unit) <= 0.0:
            return None
        ratio = loss / unit
        most = 1.0
    shown = (baseline_loss - loss) / unit
    estimate = (resampled_baseline - resampled_loss) / resampled_unit
    error = float(standard_errors(ratio * baseline_influence - influence))
    error *= block_widening(samples.n_units, samples.block_length)
    # share of the correction for selection bias that is its own error, by experiments/coverage
    error_of_correction = 0.5
    correction = error_of_correction * (estimate - shown)
    error = math.hypot(error / unit, one_more / unit, correction)
    _, low, high = interval(estimate, error, effective_units(samples), most=most)
    return PairedDifference(estimate, error, low, high)


def max_difference(
    criteria: Priced,
    costs: Floats,
    samples: Samples,
    first: Integers,
    second: Integers,
) -> float:
    """Compute the change of a paired difference by one further row that differs.

    The predictions of the further row are a pair of unequal predictions (n,) that occurs, or
    neighbouring classes if none occurs; its true class is the one with the greatest
    difference of ``costs`` (r, a), linearised for a metric.
    """
    pairs = np.unique(np.stack([first, second])[:, first != second], axis=1)
    if pairs.size == 0:
        pairs = np.arange(len(costs) - 1) + np.array([[0], [1]])
    changes = np.abs(costs[:, pairs[0]] - costs[:, pairs[1]]).max(axis=1)
    return criteria.of_one_row(samples, changes * typical_weights(samples))
