"""The kinds of model that a decision chooses from, their rivals, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, get_args

import numpy as np

from moselect._types import Floats, Integers
from moselect.folds import Folds
from moselect.samples import Samples

Choice = Literal["cheapest", "simple"]
# share of the least cost, or of the greatest utility, that simplicity is worth
NEAR = 0.05

KINDS = ("points", "linear", "curves", "pool")  # simplest first
PROPORTIONAL_ODDS, TRIVIAL = RIVALS = ("proportional odds", "always one class")
# models of the pool, alone
BASES = {
    "curves": "splines",
    PROPORTIONAL_ODDS: "proportional_odds",
}
PARTS = 5  # of the units: all but one choose a kind, and the last judges it
JUDGED = 5_000  # units at least, over all repeats


def choose_kind(
    losses: Mapping[str, float], choice: Choice = "cheapest", scale: float = 0.0
) -> str:
    """Select a kind by its cross-validated losses, simplest first.

    ``"cheapest"``: that of the least loss; ``"simple"``: the simplest of those whose loss
    is within 5 % of the least, or of ``scale``.
    """
    least = min(losses, key=losses.__getitem__)
    if choice != "simple":
        return least
    near = losses[least] + NEAR * abs(scale or losses[least])
    return next(kind for kind, loss in losses.items() if loss <= near)


class Resampled(NamedTuple):
    """Mean losses on units that did not select a kind."""

    losses: dict[str, float]  # of each kind
    selected: float  # of the kinds that a selection takes
    least: float  # of the best kinds


def resampled_selection(
    losses: Callable[[Integers], Mapping[str, Floats]],
    samples: Samples,
    select: Callable[[Mapping[str, float]], str] = choose_kind,
    best: Callable[[Mapping[str, float]], str] = choose_kind,
) -> Resampled:
    """Estimate the losses of kinds, and of a selection among them, apart from selecting.

    The kind that is selected by the figures that are shown looks better in them than it
    is; so does a kind that decides by the class shares of the rows that judge it, as
    stratified folds let it. Here some units select, and the others judge; units are dealt
    without regard to class, and no model is fitted again (Tsamardinos, Greasidou &
    Borboudakis 2018, Machine Learning 107, 1895-1922).

    Parameters
    ----------
    losses : callable
        Gives the loss of each unit (u,) by kind if the class shares of some units decide.
    samples : Samples
        The samples, which say which units stay together.
    select, best : callable, optional
        Select a kind by the mean losses of the kinds; by default that of the least.
    """
    clusters = samples.undivided if samples.groups is None else np.unique(samples.groups)
    repeats = -(-JUDGED // len(clusters))
    dealt = Folds.deal(clusters, np.zeros_like(clusters), PARTS, n_repeats=repeats)
    judged = []
    for selecting, judging in dealt:
        known = losses(selecting)
        names, paid = list(known), np.array(list(known.values()))
        shown = dict(zip(names, paid[:, selecting].mean(axis=1), strict=True))
        taken = [names.index(select(shown)), names.index(best(shown))]
        sums = paid[:, judging].sum(axis=1)
        judged.append([*sums[taken], *sums])
    totals = np.sum(judged, axis=0) / (repeats * len(clusters))
    selected, least, *means = totals.tolist()
    return Resampled(dict(zip(names, means, strict=True)), selected, least)


def check_kind(
    kind: str | None, kinds: tuple[str, ...]
) -> tuple[tuple[str, ...], Choice]:
    """Return the kinds to fit and how to choose between them."""
    if kind is None:
        return kinds, "cheapest"
    if kind in get_args(Choice):
        return kinds, kind  # type: ignore[return-value]
    if kind not in kinds:
        known = ", ".join((*kinds, *get_args(Choice)))
        raise ValueError(f"unknown kind {kind!r}: choose from {known}")
    return (kind,), "cheapest"
