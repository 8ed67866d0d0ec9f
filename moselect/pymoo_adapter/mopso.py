"""The swarms as an algorithm of pymoo, for its `minimize`, callbacks and terminations."""

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.util.display.multi import MultiObjectiveOutput

from moselect._parallel import one_blas_thread
from moselect.pymoo_adapter.problem import OrdinalProblem
from moselect.search.swarm import ParticleSwarm, Swarm
from moselect.search.swarm_run import make_swarm


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
    _opt: Population | None = None

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

    @property
    def opt(self) -> Population | None:
        """Archive as a population, built on first access: that takes longer than a round."""
        if self._opt is None and self.is_initialized:
            archive = self.swarm.archive
            payload = archive.payload
            X = self.problem.encode(payload[:, :-1], payload[:, -1])
            self._opt = Population.new(X=X, F=-archive.points)
        return self._opt

    @opt.setter
    def opt(self, value: Population | None) -> None:
        self._opt = value

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
        self.opt = None
