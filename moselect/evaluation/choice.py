"""Choice among candidates: their names, and a selection corrected for its own bias."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.budgets import CROSS_VALIDATION
from moselect.candidates.names import TRIVIAL
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples

Choice = Literal["cheapest", "simple"]
# tolerance for the simplest model, relative to the least cost or greatest utility
TOLERANCE = 0.05

# Without features, too, but not constant: it decides by the costs of each row.
ROW_SHARES = "class shares, row costs"
# names of the constant prediction in a selection and in a comparison
CONSTANT = (TRIVIAL, "always_one_class")
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
    repeats = -(-CROSS_VALIDATION.selections // len(clusters))
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


def far_below(candidates: pd.DataFrame) -> list[str]:
    """Remark on a candidate that costs less than a tenth of every other one.

    Parameters
    ----------
    candidates : DataFrame
        Candidates (rows), with their ``cost``; without it there is no remark.

    Examples
    --------
    >>> candidates = pd.DataFrame({"cost": {"linear": 0.84, "ensemble": 0.046}})
    >>> far_below(candidates)[0].split(":")[0]
    'ensemble costs 0.046, less than a tenth of any other candidate (linear 0.84)'
    """
    if "cost" not in candidates or len(candidates) < 2:
        return []
    costs = candidates["cost"].astype(float).nsmallest(2)
    (name, least), (other, second) = costs.items()
    if not least < second / 10.0:
        return []
    return [
        f"{name} costs {least:.2g}, less than a tenth of any other candidate ({other} "
        f"{second:.2g}): it may recognise rows, by near copies, or a column may tell the class; "
        "if rows belong together, keep them in one fold (groups=cases)"
    ]
