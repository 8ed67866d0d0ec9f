"""The search for linear ordinal models as a problem of pymoo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pymoo.core.problem import Problem

from moselect._parallel import one_blas_thread
from moselect._types import Floats, Integers, LabelOrder, Table
from moselect.front import Front
from moselect.metrics.objectives import OBJECTIVES
from moselect.pareto import ParetoArchive
from moselect.samples.samples import Samples
from moselect.search.front_search import front_of_archive
from moselect.search.ordinal_problem import make_problem


class OrdinalProblem(Problem):  # type: ignore[misc]
    """The search for linear ordinal models as a pymoo problem, which minimises.

    Parameters
    ----------
    X : array-like of shape (n, p)
        Finite features, in any units.
    y : array-like of shape (n,)
        Ordinal labels of at least two classes.
    thresholds : {"exact", "search"}, default="exact"
        ``"exact"``: the variables are a direction in whitened coordinates, of any length,
        and a last one whose integer part selects the scalarisation of two objectives' costs
        that the thresholds minimise. ``"search"``: the variables
        are p weights and r - 1 thresholds, in units of standardised features.
    objectives : sequence
        At least two objectives of `moselect.ParetoSearch`, or an `Objective` of user-defined
        costs; the values are negated.
    labels : sequence, optional
        Class labels, lowest first; by default the sorted labels of ``y``.

    Attributes
    ----------
    searched : DirectionProblem or WeightProblem
        The same problem without pymoo, whose objectives are maximised.

    Raises
    ------
    ValueError
        If the data cannot be searched, or an objective is unknown.

    Examples
    --------
    >>> from pymoo.algorithms.moo.nsga2 import NSGA2
    >>> from pymoo.optimize import minimize
    >>> from moselect.datasets import load_boston
    >>> problem = OrdinalProblem(*load_boston(), objectives=("accuracy", "vus"))
    >>> result = minimize(problem, NSGA2(20), ("n_gen", 3), seed=1)
    >>> front = problem.front(result.X)
    >>> bool(front.objectives["accuracy"].max() == -result.F[:, 0].min())
    True
    """

    def __init__(
        self,
        X: Table,
        y: ArrayLike,
        *,
        thresholds: Literal["exact", "search"] = "exact",
        objectives: Sequence[object] = OBJECTIVES,
        labels: LabelOrder = None,
    ) -> None:
        self._data = Samples.from_table(X, y, labels)
        with one_blas_thread():  # its sums depend on the threads
            self.searched = make_problem(self._data, thresholds, objectives=objectives)
        lower, upper = np.full((2, self.searched.n_dimensions), [[-1.0], [1.0]])
        if self.searched.n_scalarisations > 1:
            lower = np.append(lower, 0.0)
            upper = np.append(upper, float(self.searched.n_scalarisations))
        super().__init__(n_var=len(lower), n_obj=len(objectives), xl=lower, xu=upper)

    def __deepcopy__(self, memo: dict[int, object]) -> OrdinalProblem:
        """Return the problem itself, which never changes: histories copy no data."""
        memo[id(self.searched)] = self.searched
        return self

    def front(self, X: ArrayLike) -> Front:
        """Decode variables and return the front of their models.

        Parameters
        ----------
        X : array-like of shape (k, n_var)
            Variables, one row a model: the ``X`` of a result.

        Returns
        -------
        Front
            The non-dominated ones of these models, best accuracy first.
        """
        variables = np.atleast_2d(np.asarray(X, dtype=np.float64))
        positions, scalarisations = self.decode(variables)
        archive = ParetoArchive(self.n_obj, positions.shape[1] + 1)
        _, objectives = self._measure(positions, scalarisations)
        archive.add(objectives, np.column_stack([positions, scalarisations]))
        return front_of_archive(self.searched, archive, self._data)

    def encode(self, positions: Floats, scalarisations: NDArray[np.number]) -> Floats:
        """Return the variables (P, n_var) of positions (P, d) and scalarisations (P,)."""
        several = self.searched.n_scalarisations > 1
        return np.column_stack([positions, scalarisations]) if several else positions

    def decode(self, X: Floats) -> tuple[Floats, Integers]:
        """Return the positions (P, d) and scalarisations (P,) of variables (P, n_var)."""
        n_scalarisations = self.searched.n_scalarisations
        if n_scalarisations == 1:
            return X, np.zeros(len(X), dtype=np.int64)
        return X[:, :-1], np.clip(X[:, -1].astype(np.int64), 0, n_scalarisations - 1)

    def _evaluate(
        self, x: Floats, out: dict[str, object], *args: object, **kwargs: object
    ) -> None:
        # all models of a direction, for `MOPSO`
        out["measured"], objectives = self._measure(*self.decode(x))
        out["F"] = -objectives

    def _measure(
        self, positions: Floats, scalarisations: Integers
    ) -> tuple[Floats, Floats]:
        """Measure all models at positions (P, k, m), and the chosen ones (P, m)."""
        n = len(positions)
        measured = self.searched.evaluate(positions).reshape(n, -1, self.n_obj)
        return measured, measured[np.arange(n), scalarisations]
