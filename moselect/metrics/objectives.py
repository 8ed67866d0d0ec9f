"""The objectives of a search: what is known of each, declared once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from moselect._types import Floats, Integers


@dataclass(frozen=True)
class Objective:
    """One quantity that a search maximises; 1 is the most that it can be.

    Attributes
    ----------
    name : str
        As in tables of fronts and in settings.
    label : str
        Short plain text, for tables.
    symbol : str
        With subscripts, for matplotlib.
    description : str
        What it is.
    family : {"classes", "ranking"}
        Whether it is about predicted classes, and so depends on thresholds, or about the ranking by
        scores.
    chance : callable
        What is reached without features, by the shares (r,) of the classes.
    lowest : callable
        The least that it can be, by the number of classes.

    Examples
    --------
    >>> mae = ALL_OBJECTIVES[1]
    >>> mae.name, mae.label, mae.family, mae.lowest(5)
    ('one_minus_mae', '1 - MAE', 'classes', -3.0)
    """

    name: str
    label: str
    symbol: str
    description: str
    family: Literal["classes", "ranking"]
    chance: Callable[[Floats], float]
    lowest: Callable[[int], float] = lambda r: 0.0

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
        "accuracy", "accuracy", "accuracy", "accuracy", "classes", lambda shares: shares.max()
    ),
    Objective(
        "one_minus_mae",
        "1 - MAE",
        r"$1 - \mathrm{MAE}$",
        "1 - mean absolute error",
        "classes",
        _constant_class,
        lowest=lambda r: 2.0 - r,
    ),
    Objective("vus", "VUS", "VUS", "volume under the ROC surface", "ranking", _one_in_orders),
    Objective(
        "u_cons",
        "U cons",
        r"$U_\mathrm{cons}$",
        "mean AUC of splits of the classes",
        "ranking",
        _half,
    ),
    Objective(
        "u_ovo", "U ovo", r"$U_\mathrm{ovo}$", "mean AUC of pairs of classes", "ranking", _half
    ),
    Objective(
        "u_pairs",
        "U pairs",
        r"$U_\mathrm{pairs}$",
        "share of pairs ranked in order",
        "ranking",
        _half,
    ),
)
OBJECTIVES = tuple(objective.name for objective in ALL_OBJECTIVES)
N_OBJECTIVES = len(OBJECTIVES)
RANKING_OBJECTIVES = tuple(one.name for one in ALL_OBJECTIVES if one.family == "ranking")


@dataclass(frozen=True)
class Objectives:
    """The objectives that a search was asked to maximise.

    Parameters
    ----------
    names : sequence of str
        At least two different names out of `OBJECTIVES`.

    Raises
    ------
    TypeError
        If ``names`` is a string.
    ValueError
        If a name is unknown or repeated, or there is only one.

    Examples
    --------
    >>> objectives = Objectives(("vus", "accuracy"))
    >>> objectives.indices
    array([2, 0])
    >>> objectives.of_classes
    array([False,  True])
    """

    names: Sequence[str] = OBJECTIVES

    def __post_init__(self) -> None:
        names = self.names
        if isinstance(names, str):
            raise TypeError(
                f"objectives is a string: give a sequence, such as ({OBJECTIVES[0]!r},)"
            )
        for name in names:
            if name not in OBJECTIVES:
                raise ValueError(f"unknown objective {name!r}: choose from {', '.join(OBJECTIVES)}")
        if len(set(names)) < max(2, len(names)):
            raise ValueError(f"objectives must be at least two different ones, not {list(names)}")
        object.__setattr__(self, "names", tuple(names))

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Objective]:
        return (ALL_OBJECTIVES[index] for index in self.indices)

    @cached_property
    def indices(self) -> Integers:
        """Indices of the objectives among all, shape (m,)."""
        return np.array([OBJECTIVES.index(name) for name in self.names])

    @cached_property
    def of_classes(self) -> NDArray[np.bool_]:
        """Which of the objectives depend on thresholds, shape (m,)."""
        return np.array([objective.of_classes for objective in self])

    def among(self, values: Floats) -> Floats:
        """Return the columns (..., m) of these objectives among values of all."""
        return values[..., self.indices]

    def among_all(self, values: Floats) -> Floats:
        """Return values (n, m) as columns among all, (n, N_OBJECTIVES), with 0 for the others."""
        padded = np.zeros((len(values), N_OBJECTIVES))
        padded[:, self.indices] = values
        return padded


def chance_levels(class_counts: Integers) -> Floats:
    """Compute what the objectives reach without features, shape (N_OBJECTIVES,).

    They are the share of the largest class, 1 - MAE of the best constant class, 1 / r! for VUS and
    1/2 for the pairwise measures (Waegeman et al. 2008, lemma 3.3), for ``class_counts`` (r,).

    Examples
    --------
    >>> chance_levels(np.array([2, 1, 1]))
    array([0.5       , 0.25      , 0.16666667, 0.5       , 0.5       , 0.5       ])
    """
    shares = class_counts / class_counts.sum()
    return np.array([objective.chance(shares) for objective in ALL_OBJECTIVES])
