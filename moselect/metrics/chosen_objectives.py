"""The objectives that a search was asked for, among the columns of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from moselect._types import Floats, Integers
from moselect.metrics.objectives import (
    ALL_OBJECTIVES,
    N_OBJECTIVES,
    OBJECTIVES,
    Objective,
    check_objectives,
)


@dataclass(frozen=True)
class Objectives:
    """The objectives that a search maximises: at least two different names out of `OBJECTIVES`."""

    names: Sequence[str] = OBJECTIVES

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", check_objectives(self.names))

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
    """Return what the objectives (N_OBJECTIVES,) reach without features, by class counts (r,).

    Waegeman et al. 2008, lemma 3.3.
    """
    shares = class_counts / class_counts.sum()
    return np.array([objective.chance(shares) for objective in ALL_OBJECTIVES])
