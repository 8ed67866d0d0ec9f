"""The objectives of a search: their names, their chance levels, and how they are measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from moselect._types import Floats, Integers
from moselect.metrics.predicted import accuracy_score, mean_absolute_error
from moselect.metrics.ranking import expected_random_score, ranking_scores


@dataclass(frozen=True)
class Objective:
    """One quantity that a search maximises.

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
    of_classes : bool
        Whether it is about predicted classes, and so depends on thresholds; else it is about the
        ranking by scores.

    Examples
    --------
    >>> from moselect.metrics import ALL_OBJECTIVES
    >>> ALL_OBJECTIVES[1].name, ALL_OBJECTIVES[1].label, ALL_OBJECTIVES[1].of_classes
    ('one_minus_mae', '1 - MAE', True)
    """

    name: str
    label: str
    symbol: str
    description: str
    of_classes: bool = False

    @property
    def axis_label(self) -> str:
        """The description with the symbol, for an axis."""
        if self.symbol == self.description:
            return self.description
        return f"{self.description} ({self.symbol})"


ALL_OBJECTIVES = (
    Objective("accuracy", "accuracy", "accuracy", "accuracy", of_classes=True),
    Objective(
        "one_minus_mae",
        "1 - MAE",
        r"$1 - \mathrm{MAE}$",
        "1 - mean absolute error",
        of_classes=True,
    ),
    Objective("vus", "VUS", "VUS", "volume under the ROC surface"),
    Objective("u_cons", "U cons", r"$U_\mathrm{cons}$", "mean AUC of splits of the classes"),
    Objective("u_ovo", "U ovo", r"$U_\mathrm{ovo}$", "mean AUC of pairs of classes"),
    Objective("u_pairs", "U pairs", r"$U_\mathrm{pairs}$", "share of pairs ranked in order"),
)
OBJECTIVES = tuple(objective.name for objective in ALL_OBJECTIVES)
N_OBJECTIVES = len(OBJECTIVES)


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
        """Indices of the objectives among all six, shape (m,)."""
        return np.array([OBJECTIVES.index(name) for name in self.names])

    @cached_property
    def of_classes(self) -> NDArray[np.bool_]:
        """Which of the objectives depend on thresholds, shape (m,)."""
        return np.array([objective.of_classes for objective in self])

    def among(self, values: Floats) -> Floats:
        """Return the columns (..., m) of values (..., 6) that belong to these objectives."""
        return values[..., self.indices]

    def among_all(self, values: Floats) -> Floats:
        """Return values (n, m) as columns among all six, (n, 6), with 0 for the others."""
        padded = np.zeros((len(values), N_OBJECTIVES))
        padded[:, self.indices] = values
        return padded


def chance_levels(class_counts: Integers) -> Floats:
    """Compute the six objectives that are reached without features, shape (6,).

    They are the share of the largest class, 1 - MAE of the best constant class, 1 / r! for VUS and
    1/2 for the pairwise measures (Waegeman et al. 2008, lemma 3.3).

    Parameters
    ----------
    class_counts : ndarray of shape (r,)
        Number of samples of each class, lowest class first.

    Examples
    --------
    >>> chance_levels(np.array([2, 1, 1]))
    array([0.5       , 0.25      , 0.16666667, 0.5       , 0.5       , 0.5       ])
    """
    shares = class_counts / class_counts.sum()
    ranks = np.arange(len(shares))
    trivial_mae = min(float(shares @ np.abs(ranks - k)) for k in ranks)
    ranking = [
        expected_random_score(len(shares), objective.name)
        for objective in ALL_OBJECTIVES
        if not objective.of_classes
    ]
    return np.array([shares.max(), 1.0 - trivial_mae, *ranking])


def measure_objectives(
    codes: Integers, predicted: Integers, scores: Floats, n_classes: int
) -> Floats:
    """Compute the six objectives of one model, shape (6,).

    Parameters
    ----------
    codes, predicted : ndarray of shape (n,)
        True and predicted class codes 0 .. r - 1; every class must be there.
    scores : ndarray of shape (n,)
        Scores; higher means a higher class.
    n_classes : int
        r.

    Examples
    --------
    >>> codes = np.array([0, 1, 2])
    >>> measure_objectives(codes, codes, np.array([0.1, 0.5, 0.9]), 3)
    array([1., 1., 1., 1., 1., 1.])
    """
    labels = range(n_classes)
    accuracy = accuracy_score(codes, predicted, labels=labels)
    deviation = mean_absolute_error(codes, predicted, labels=labels)
    return np.array([accuracy, 1.0 - deviation, *ranking_scores(codes, scores, labels=labels)])
