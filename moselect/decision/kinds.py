"""The kinds of model that a decision chooses from, their rivals, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

import numpy as np

from moselect._types import Floats, Integers
from moselect.folds import Folds

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
    losses: Mapping[str, tuple[float, Floats]],
    choice: Choice = "cheapest",
    scale: float = 0.0,
) -> str:
    """Return the kind to hand over, of losses on new data by kind, simplest first.

    ``"cheapest"``: that of the least loss; ``"simple"``: the simplest of those whose loss
    is within 5 % of the least, or of ``scale``.
    """
    least = min(losses, key=lambda kind: losses[kind][0])
    if choice != "simple":
        return least
    near = losses[least][0] + NEAR * abs(scale or losses[least][0])
    return next(kind for kind, (loss, _) in losses.items() if loss <= near)


def loss_apart(
    losses: Callable[[Integers], Mapping[str, Floats]],
    groups: Integers,
    choice: Choice,
    scale: float,
) -> float:
    """Return the mean loss of the kinds that some units choose, on others.

    A kind that is chosen by the figures that are shown looks better in them than it is;
    so does what decides by the class shares of the rows that judge it, as stratified
    folds let it. Here units are dealt without regard to class, and no model is fitted
    again (Tsamardinos, Greasidou & Borboudakis 2018, Machine Learning 107, 1895-1922).

    ``losses`` gives those of units (u,) by kind if the class shares of some units decide;
    ``groups`` (u,) says which stay together; ``choice`` and ``scale`` are as in
    `choose_kind`.
    """
    groups, judged = np.unique(groups, return_inverse=True)[1], []
    repeats = -(-JUDGED // len(groups))
    for units, rest in Folds.deal(
        groups, np.zeros_like(groups), PARTS, n_repeats=repeats
    ):
        known = losses(units)
        seen = {kind: (loss[units].mean(), loss[units]) for kind, loss in known.items()}
        judged.append(known[choose_kind(seen, choice, scale)][rest])
    return float(np.concatenate(judged).mean())


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
