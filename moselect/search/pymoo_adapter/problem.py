"""The search for linear ordinal models as a problem of pymoo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from pymoo.core.problem import Problem

from moselect._types import Floats
from moselect.front import Front
from moselect.metrics import N_OBJECTIVES, OBJECTIVES, Objectives
from moselect.models.threads import one_blas_thread
from moselect.pareto import ParetoArchive
from moselect.samples import Samples
from moselect.search.problem import make_problem
from moselect.search.pymoo_adapter.encoding import Encoding
from moselect.search.single_search import front_of_archive


class OrdinalProblem(Problem):  # type: ignore[misc]
    """The search for linear ordinal models as a pymoo problem, whose objectives are minimised.

    Parameters
    ----------
    X : array-like of shape (n, p)
        Finite features, in any units.
    y : array-like of shape (n,)
        Ordinal labels of at least two classes.
    thresholds : {"exact", "search"}, default="exact"
        ``"exact"``: the variables are a direction in whitened coordinates, of which the length
        does not matter, and a last one from 0 to 8, whose integer part says which mixture of
        errors (0) and MAE (7) the thresholds minimise. ``"search"``: the variables are p weights
        and r - 1 thresholds, in units of standardised features.
    objectives : sequence of str
        At least two of the objectives of `moselect.ParetoSearch`; the values are negated.
    labels : sequence, optional
        Class labels, lowest first; by default those of ``y`` in their order.

    Attributes
    ----------
    searched : DirectionProblem or WeightProblem
        The same problem without pymoo, whose objectives are maximised.
    searched_objectives : Objectives
        The objectives that count.
    encoding : Encoding
        How variables stand for models.

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
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        *,
        thresholds: Literal["exact", "search"] = "exact",
        objectives: Sequence[str] = OBJECTIVES,
        labels: Sequence[Any] | None = None,
    ) -> None:
        self.searched_objectives = Objectives(objectives)
        self._data = Samples.from_table(X, y, labels)
        with one_blas_thread():  # its sums depend on the threads
            self.searched = make_problem(self._data, thresholds)
        self.encoding = Encoding(self.searched)
        super().__init__(
            n_var=len(self.encoding.lower),
            n_obj=len(self.searched_objectives),
            xl=self.encoding.lower,
            xu=self.encoding.upper,
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> OrdinalProblem:
        """Return the problem itself, which never changes: histories need no copies of the data."""
        memo[id(self.searched)] = self.searched
        return self

    def front(self, X: ArrayLike) -> Front:
        """Return the front of the models that some variables stand for.

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
        positions, mixtures = self.encoding.decode(variables)
        archive = ParetoArchive(len(self.searched_objectives), positions.shape[1] + 1)
        measured = self._measure(positions)
        archive.add(self._objectives(measured, mixtures), np.column_stack([positions, mixtures]))
        return front_of_archive(self.searched, self.searched_objectives, archive, self._data)

    def _evaluate(self, x: Floats, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        positions, mixtures = self.encoding.decode(x)
        out["measured"] = self._measure(positions)  # all models of a direction, for `MOPSO`
        out["F"] = -self._objectives(out["measured"], mixtures)

    def _measure(self, positions: Floats) -> Floats:
        """Measure all models at positions; returns shape (P, mixtures, 6)."""
        return self.searched.evaluate(positions).reshape(len(positions), -1, N_OBJECTIVES)

    def _objectives(self, measured: Floats, mixtures: NDArray[np.int64]) -> Floats:
        return self.searched_objectives.among(measured[np.arange(len(measured)), mixtures])
