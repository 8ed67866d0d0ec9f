"""The bridge to pymoo: our problem for its algorithms, our swarms for its `minimize`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.util.display.multi import MultiObjectiveOutput
from threadpoolctl import threadpool_limits

from moselect.pareto import ParetoArchive
from moselect.search import OBJECTIVES, Front
from moselect.search import OrdinalProblem as SearchedProblem
from moselect.search.classic import ClassicSwarm
from moselect.search.mixtures import N_MIXTURES
from moselect.search.objectives import objective_columns
from moselect.search.run import Swarm
from moselect.search.swarm import DirectionSwarm

Floats = NDArray[np.float64]


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
    searched : moselect.search.OrdinalProblem
        The same problem without pymoo, whose objectives are maximised.

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
        self.columns = objective_columns(objectives)
        with threadpool_limits(limits=1, user_api="blas"):  # its sums depend on the threads
            self.searched = SearchedProblem(X, y, thresholds=thresholds, labels=labels)
        self._names = tuple(str(c) for c in X.columns) if isinstance(X, pd.DataFrame) else None
        low, high = np.full((2, self.searched.n_dimensions), [[-1.0], [1.0]])
        if thresholds == "exact":
            low, high = np.append(low, 0.0), np.append(high, N_MIXTURES)
        super().__init__(n_var=len(low), n_obj=len(self.columns), xl=low, xu=high)

    def __deepcopy__(self, memo: dict[int, Any]) -> OrdinalProblem:
        """Give the problem itself, which never changes: histories need no copies of the data."""
        memo[id(self.searched)] = self.searched
        return self

    def front(self, X: ArrayLike) -> Front:
        """Give the front of the models that some variables stand for.

        Parameters
        ----------
        X : array-like of shape (k, n_var)
            Variables, one row a model: the ``X`` of a result.

        Returns
        -------
        Front
            The models that none of the others dominates, best accuracy first.
        """
        positions, mixtures = self._split(np.atleast_2d(np.asarray(X, dtype=np.float64)))
        archive = ParetoArchive(len(self.columns), positions.shape[1] + 1)
        measured = self._measure(positions)
        archive.add(self._objectives(measured, mixtures), np.column_stack([positions, mixtures]))
        return Front.from_archive(
            self.searched, self.columns, archive, self.searched.classes, self._names
        )

    def variables(self, payload: Floats) -> Floats:
        """Give the variables of members of an archive: positions followed by mixtures."""
        return payload if self.searched.thresholds == "exact" else payload[:, :-1]

    def _evaluate(self, x: Floats, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        positions, mixtures = self._split(x)
        out["measured"] = self._measure(positions)  # all models of a direction, for `MOPSO`
        out["F"] = -self._objectives(out["measured"], mixtures)

    def _split(self, X: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """Turn variables into positions and mixtures."""
        if self.searched.thresholds == "search":
            return X, np.zeros(len(X), dtype=np.int64)
        return X[:, :-1], np.clip(X[:, -1].astype(np.int64), 0, N_MIXTURES - 1)

    def _measure(self, positions: Floats) -> Floats:
        """Give all six objectives of the models at positions, shape (P, models, 6)."""
        return self.searched.evaluate(positions).reshape(len(positions), -1, len(OBJECTIVES))

    def _objectives(self, measured: Floats, mixtures: NDArray[np.int64]) -> Floats:
        return measured[np.arange(len(measured)), mixtures][:, self.columns]


class MOPSO(Algorithm):  # type: ignore[misc]
    """Multi-objective particle swarm over an `OrdinalProblem`, as `moselect.ParetoSearch` does it.

    The result is the whole archive, one row a model. An evaluation is a direction, whose models
    all enter the archive, or a particle of weights and thresholds. With the same seed the front
    is that of one run of `ParetoSearch`, bit for bit.

    Parameters
    ----------
    pop_size : int, default=100
        Number of particles.
    turbulence : float, default=0.1
        Share of the particles shaken in each round, with ``thresholds="search"``.
    velocity_range : tuple of float, default=(-1, 1)
        Truncation of velocities, with ``thresholds="search"``.
    output : pymoo Output, optional
        What ``verbose=True`` prints.
    **kwargs
        Settings of every pymoo algorithm.

    Attributes
    ----------
    swarm : DirectionSwarm or ClassicSwarm
        The swarm, once a search has begun.

    Raises
    ------
    TypeError
        From `minimize`, if the problem is not an `OrdinalProblem`.

    Examples
    --------
    >>> from pymoo.optimize import minimize
    >>> from moselect.datasets import load_boston
    >>> problem = OrdinalProblem(*load_boston())
    >>> result = minimize(problem, MOPSO(), ("n_gen", 3), seed=1)
    >>> bool(-result.F[:, 0].min() > 0.7)
    True
    """

    swarm: Swarm
    _opt: Population | None = None

    def __init__(
        self,
        pop_size: int = 100,
        turbulence: float = 0.1,
        velocity_range: tuple[float, float] = (-1.0, 1.0),
        output: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(output=output or MultiObjectiveOutput(), **kwargs)
        self.pop_size = pop_size
        self.turbulence = turbulence
        self.velocity_range = velocity_range

    @property
    def opt(self) -> Population | None:
        """The archive. It is made when somebody looks, since that takes longer than a round."""
        if self._opt is None and self.is_initialized:
            archive = self.swarm.archive
            X = self.problem.variables(archive.payload)
            self._opt = Population.new(X=X, F=-archive.points)
        return self._opt

    @opt.setter
    def opt(self, value: Population | None) -> None:
        self._opt = value

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        if not isinstance(problem, OrdinalProblem):
            raise TypeError(
                f"the problem is {type(problem).__name__}: MOPSO flies over an "
                "moselect.pymoo_adapter.OrdinalProblem only"
            )
        rng = self.random_state.spawn(1)[0]  # as the first run of a ParetoSearch
        searched, columns = problem.searched, problem.columns
        if searched.thresholds == "search":
            self.swarm = ClassicSwarm(
                searched, columns, self.pop_size, self.turbulence, self.velocity_range, rng
            )
        else:
            with threadpool_limits(limits=1, user_api="blas"):
                starts = np.array(list(searched.ready_made().values()))
            self.swarm = DirectionSwarm(searched, columns, self.pop_size, starts, rng)

    def _initialize_infill(self) -> Population:
        return self._infill()

    def _infill(self) -> Population:
        with threadpool_limits(limits=1, user_api="blas"):
            positions = self.swarm.ask()
        payload = np.column_stack([positions, np.zeros(len(positions))])
        return Population.new(X=self.problem.variables(payload))

    def _initialize_advance(self, infills: Population, **kwargs: Any) -> None:
        self._advance(infills)

    def _advance(self, infills: Population, **kwargs: Any) -> None:
        measured = infills.get("measured")
        if self.problem.searched.thresholds == "search":
            measured = measured[:, 0]
        self.swarm.tell(measured)
        self.pop = infills

    def _set_optimum(self) -> None:
        self.opt = None
