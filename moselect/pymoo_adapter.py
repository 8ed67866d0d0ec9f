"""Bridge to pymoo: our problem for its algorithms, our swarm for its `minimize`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.util.display.multi import MultiObjectiveOutput

from moselect._parallel import one_blas_thread
from moselect._types import Floats, Integers, LabelOrder, Table
from moselect.metrics.objectives import OBJECTIVES
from moselect.search import ordinal_problem
from moselect.search.front import Front
from moselect.search.front_search import front_of_archive
from moselect.search.pareto import ParetoArchive
from moselect.search.swarm import ParticleSwarm
from moselect.search.swarm_run import Swarm, make_swarm

__all__ = ["MOPSO", "OrdinalProblem"]


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
        with one_blas_thread():  # its sums depend on the threads
            self.searched = ordinal_problem.OrdinalProblem(
                X, y, thresholds=thresholds, objectives=objectives, labels=labels
            )
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
        variables = np.atleast_2d(np.asarray(X, float))
        positions, scalarisations = self.decode(variables)
        # Other algorithms return dominated solutions, too: the archive drops them.
        archive = ParetoArchive(self.n_obj, positions.shape[1] + 1)
        _, objectives = self._measure(positions, scalarisations)
        archive.add(objectives, np.column_stack([positions, scalarisations]))
        return front_of_archive(self.searched, archive)

    def encode(self, positions: Floats, scalarisations: NDArray[np.number]) -> Floats:
        """Return the variables (P, n_var) of positions (P, d) and scalarisations (P,)."""
        return np.column_stack([positions, scalarisations])[:, : self.n_var]

    def decode(self, X: Floats) -> tuple[Floats, Integers]:
        """Return the positions (P, d) and scalarisations (P,) of variables (P, n_var)."""
        most = self.searched.n_scalarisations - 1  # 0, where each position is one model
        return X[:, : self.searched.n_dimensions], np.clip(X[:, -1].astype(int), 0, most)

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


class MOPSO(Algorithm):  # type: ignore[misc]
    """Particle swarm of `moselect.ParetoSearch` over an `OrdinalProblem`.

    The result is the whole archive, one row a model. An evaluation is a direction, whose
    models all enter the archive, or a particle of weights and thresholds. The same seed
    gives the front of one run of `ParetoSearch`, bit for bit.

    Parameters
    ----------
    pop_size : int, default=100
        Number of particles.
    velocity_range : tuple of float, default=(-1, 1)
        Truncation of velocities, with ``thresholds="search"``.
    output : pymoo Output, optional
        Output with ``verbose=True``.
    **kwargs
        Settings of every pymoo algorithm.

    Attributes
    ----------
    swarm : DirectionSwarm or ParticleSwarm
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

    def __init__(
        self,
        pop_size: int = 100,
        velocity_range: tuple[float, float] = (-1.0, 1.0),
        output: object = None,
        **kwargs: object,
    ) -> None:
        super().__init__(output=output or MultiObjectiveOutput(), **kwargs)
        self.pop_size = pop_size
        self.velocity_range = velocity_range

    def _setup(self, problem: Problem, **kwargs: object) -> None:
        if not isinstance(problem, OrdinalProblem):
            raise TypeError(
                f"the problem is {type(problem).__name__}: MOPSO needs a "
                "moselect.pymoo_adapter.OrdinalProblem"
            )
        rng = self.random_state.spawn(1)[0]  # as the first run of a ParetoSearch
        searched = problem.searched
        with one_blas_thread():
            starts = searched.ready_made()
        self.swarm = make_swarm(searched, self.pop_size, self.velocity_range, rng, starts)

    def _infill(self) -> Population:
        with one_blas_thread():
            positions = self.swarm.ask()
        # All models of a direction enter the archive, whichever of them the variables name.
        return Population.new(X=self.problem.encode(positions, np.zeros(len(positions))))

    def _advance(self, infills: Population, **kwargs: object) -> None:
        measured = infills.get("measured")
        if isinstance(self.swarm, ParticleSwarm):  # of one model at a position
            measured = measured[:, 0]
        self.swarm.tell(measured)
        self.pop = infills

    # The first round is like the others: the swarm has asked for nothing yet.
    _initialize_infill = _infill
    _initialize_advance = _advance

    def _set_optimum(self) -> None:
        archive = self.swarm.archive
        payload = archive.payload
        X = self.problem.encode(payload[:, :-1], payload[:, -1])
        self.opt = Population.new(X=X, F=-archive.points)
