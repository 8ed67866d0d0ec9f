"""The objectives of a search: what is known of each, declared once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # the command line lists the objectives before it loads numpy
    from moselect._types import Floats


@dataclass(frozen=True)
class Objective:
    """One quantity that a search maximises; 1 is the most that it can be."""

    name: str  # as in tables of fronts and in settings
    label: str  # short plain text, for tables
    symbol: str  # with subscripts, for matplotlib
    description: str
    meaning: str  # what it says of a table, for those who do not know it
    family: Literal["classes", "ranking"]  # of predicted classes, or of the ranking by scores
    chance: Callable[[Floats], float]  # what no features reach, by the classes' shares (r,)
    lowest: Callable[[int], float] = lambda r: 0.0  # the least, by the number of classes

    @property
    def of_classes(self) -> bool:
        """Whether it is about predicted classes."""
        return self.family == "classes"

    @property
    def axis_label(self) -> str:
        """The description with the symbol, for an axis."""
        if self.symbol == self.description:
            return self.description
        return f"{self.description} ({self.symbol})"


def _constant_class(shares: Floats) -> float:
    """Return 1 - MAE of the best constant class."""
    import numpy as np

    ranks = np.arange(len(shares))
    return 1.0 - min(float(shares @ np.abs(ranks - k)) for k in ranks)


def _one_in_orders(shares: Floats) -> float:
    """Return 1 / r!, the share of sequences that a random ranking puts in order."""
    r = len(shares)
    return math.exp(-math.lgamma(r + 1)) if r > 20 else 1.0 / math.factorial(r)


def _half(shares: Floats) -> float:
    return 0.5


ALL_OBJECTIVES = (
    Objective(
        "accuracy",
        "accuracy",
        "accuracy",
        "accuracy",
        "share of rows in the right class",
        "classes",
        lambda shares: shares.max(),
    ),
    Objective(
        "one_minus_mae",
        "1 - MAE",
        r"$1 - \mathrm{MAE}$",
        "1 - mean absolute error",
        "1 - mean distance between predicted and true class, in classes",
        "classes",
        _constant_class,
        lowest=lambda r: 2.0 - r,
    ),
    Objective(
        "vus",
        "VUS",
        "VUS",
        "volume under the ROC surface",
        "share of groups with one row of each class that are ranked in order",
        "ranking",
        _one_in_orders,
    ),
    Objective(
        "u_cons",
        "U cons",
        r"$U_\mathrm{cons}$",
        "mean AUC of splits of the classes",
        "share of pairs ranked in order, mean over the splits of the classes",
        "ranking",
        _half,
    ),
    Objective(
        "u_ovo",
        "U ovo",
        r"$U_\mathrm{ovo}$",
        "mean AUC of pairs of classes",
        "share of pairs ranked in order, mean over the pairs of classes",
        "ranking",
        _half,
    ),
    Objective(
        "u_pairs",
        "U pairs",
        r"$U_\mathrm{pairs}$",
        "share of pairs ranked in order",
        "share of all pairs of different classes ranked in order",
        "ranking",
        _half,
    ),
)
OBJECTIVES = tuple(objective.name for objective in ALL_OBJECTIVES)
N_OBJECTIVES = len(OBJECTIVES)
RANKING_OBJECTIVES = tuple(one.name for one in ALL_OBJECTIVES if one.family == "ranking")


def check_objectives(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of at least two different objectives."""
    if isinstance(names, str):
        raise TypeError(f"objectives is a string: give a sequence, such as ({OBJECTIVES[0]!r},)")
    for name in names:
        if name not in OBJECTIVES:
            raise ValueError(f"unknown objective {name!r}: choose from {', '.join(OBJECTIVES)}")
    if len(set(names)) < max(2, len(names)):
        raise ValueError(f"objectives must be at least two different ones, not {list(names)}")
    return tuple(names)
