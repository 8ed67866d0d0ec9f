"""Which kind of model to hand over: what each costs on new data, and how simple it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from moselect._types import Floats
from moselect.decision.differences import standard_errors

Choice = Literal["default", "cheapest", "simple"]
NEAR = 0.05  # share of the least cost, or of the greatest utility, that simplicity is worth


def choose_kind(
    losses: Mapping[str, tuple[float, Floats]], choice: Choice = "default", scale: float = 0.0
) -> str:
    """Return the kind to hand over, of losses on new data by kind, simplest first.

    By default the last kind, unless simpler ones lose less by a standard error of the paired
    difference; then the best of these. ``"cheapest"``: that of the least loss. ``"simple"``: the
    simplest whose loss is within 5 % of the least, or of ``scale``.
    """
    least = min(losses, key=lambda kind: losses[kind][0])
    if choice == "cheapest":
        return least
    if choice == "simple":
        near = losses[least][0] + NEAR * (scale or losses[least][0])
        return next(kind for kind, (loss, _) in losses.items() if loss <= near)
    last = list(losses)[-1]
    cheaper = [
        kind
        for kind, (loss, influence) in losses.items()
        if losses[last][0] - loss > float(standard_errors(losses[last][1] - influence))
    ]
    return min(cheaper, key=lambda kind: losses[kind][0]) if cheaper else last


def check_kind(kind: str | None, kinds: tuple[str, ...]) -> tuple[tuple[str, ...], Choice]:
    """Return the kinds to fit and how to choose between them."""
    if kind is None:
        return kinds, "default"
    if kind in get_args(Choice)[1:]:
        return kinds, kind  # type: ignore[return-value]
    if kind not in kinds:
        known = ", ".join((*kinds, *get_args(Choice)[1:]))
        raise ValueError(f"unknown kind {kind!r}: choose from {known}")
    return (kind,), "default"
