"""The variables by which pymoo's algorithms see a problem."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from moselect._types import Floats, Integers
from moselect.search.problem import Problem


class Encoding:
    """Variables of one model: its position and, if it is one of several there, which of them.

    The last variable is then real, from 0 to the number of mixtures; its integer part counts.

    Parameters
    ----------
    problem : Problem
        What is searched.

    Attributes
    ----------
    lower, upper : ndarray of shape (n_var,)
        Bounds of the variables.
    """

    def __init__(self, problem: Problem) -> None:
        self._n_mixtures = problem.n_mixtures
        self.lower, self.upper = np.full((2, problem.n_dimensions), [[-1.0], [1.0]])
        if self.has_mixture:
            self.lower = np.append(self.lower, 0.0)
            self.upper = np.append(self.upper, float(self._n_mixtures))

    @property
    def has_mixture(self) -> bool:
        """Whether the last variable says which of several models is meant."""
        return self._n_mixtures > 1

    def decode(self, X: Floats) -> tuple[Floats, Integers]:
        """Return the positions (P, d) and mixtures (P,) of variables (P, n_var)."""
        if not self.has_mixture:
            return X, np.zeros(len(X), dtype=np.int64)
        return X[:, :-1], np.clip(X[:, -1].astype(np.int64), 0, self._n_mixtures - 1)

    def encode(self, positions: Floats, mixtures: NDArray[np.number]) -> Floats:
        """Return the variables (P, n_var) of positions (P, d) and mixtures (P,)."""
        return np.column_stack([positions, mixtures]) if self.has_mixture else positions
