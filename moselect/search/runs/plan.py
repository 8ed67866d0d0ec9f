"""What the runs of a search are to do, from its settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from joblib import effective_n_jobs

from moselect.metrics import Objectives
from moselect.search.problem import DirectionProblem, Problem, WeightProblem
from moselect.search.runs.run import Limits, SwarmRun
from moselect.search.settings import SearchSettings
from moselect.search.swarm import State, Swarm
from moselect.search.swarm.maker import own_swarm


@dataclass(frozen=True)
class Plan:
    """What the runs of a search are to do. It is sent to other processes.

    Attributes
    ----------
    objectives : Objectives
        The m objectives that count.
    make_swarm : callable
        Returns a fresh swarm for a problem and ``rng``, a generator.
    limits : tuple of Limits
        When each run ends.
    generators : tuple of numpy.random.Generator
        The only source of chance of each run.
    identity : str
        By which checkpoints are known as those of this search.
    """

    objectives: Objectives
    make_swarm: Callable[..., Swarm]
    limits: tuple[Limits, ...]
    generators: tuple[np.random.Generator, ...]
    identity: str

    def begin(self, problem: Problem, run: int, state: State | None) -> SwarmRun:
        """Return a run at its beginning, or where it was left."""
        swarm = self.make_swarm(problem, rng=self.generators[run])
        going = SwarmRun(problem, self.objectives, swarm, self.limits[run])
        if state is not None:
            going.restore(state)
        return going


def make_plan(
    settings: SearchSettings,
    problem: DirectionProblem | WeightProblem,
    rng: np.random.Generator,
    identity: str,
) -> Plan:
    """Return the plan of a search."""
    seconds = settings.seconds_of_a_run(effective_n_jobs(settings.n_jobs))
    limits = tuple(
        Limits(evaluations, seconds, settings.n_iter_no_change, settings.tol)
        for evaluations in settings.evaluations_of_runs()
    )
    make = own_swarm(settings, problem)
    if settings.algorithm != "mopso":
        from moselect.search.pymoo_adapter.swarm import PymooSwarm  # pymoo is slow to import

        make = partial(
            PymooSwarm,
            objectives=settings.objectives,
            algorithm=settings.algorithm,
            make_first=make,
        )
    generators = tuple(rng.spawn(settings.n_runs))
    return Plan(settings.objectives, make, limits, generators, identity)
