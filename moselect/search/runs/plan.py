"""What the runs of a search are to do, from its settings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np
from joblib import effective_n_jobs

from moselect.metrics import Objectives
from moselect.search.problem import DirectionProblem, Problem, WeightProblem
from moselect.search.runs.run import Limits, SwarmRun
from moselect.search.runs.staged_run import Stage, StagedRun
from moselect.search.settings import SearchSettings
from moselect.search.swarm import State, Swarm
from moselect.search.swarm.maker import own_swarm

Problems = Sequence[Problem]  # of the stages, all rows last
Run = SwarmRun | StagedRun


@dataclass(frozen=True)
class Plan:
    """What the runs of a search are to do. It is sent to other processes.

    Attributes
    ----------
    objectives : Objectives
        The m objectives that count.
    make_swarm : callable
        Returns a fresh swarm for a problem and ``rng``, a generator.
    stages : tuple of Stage
        Samples to search first, and all rows; empty if all rows are searched throughout.
    n_particles : int
        Size of a swarm P.
    limits : tuple of Limits
        When each run ends.
    generators : tuple of numpy.random.Generator
        The only source of chance of each run.
    identity : str
        By which checkpoints are known as those of this search.
    seconds : float
        Time of all runs together; when it is over, no other run begins.
    """

    objectives: Objectives
    make_swarm: Callable[..., Swarm]
    stages: tuple[Stage, ...]
    n_particles: int
    limits: tuple[Limits, ...]
    generators: tuple[np.random.Generator, ...]
    identity: str
    seconds: float

    def begin(self, problems: Problems, run: int, state: State | None) -> Run:
        """Return a run at its beginning, or where it was left."""
        make = partial(self.make_swarm, rng=self.generators[run])
        limits = self.limits[run]
        going: Run
        if self.stages:  # which only searches of directions have
            directions = cast("Sequence[DirectionProblem]", problems)
            going = StagedRun(
                directions, self.stages, self.objectives, make, self.n_particles, limits
            )
        else:
            going = SwarmRun(problems[-1], self.objectives, make(problems[-1]), limits)
        if state is not None:
            going.restore(state)
        return going


def make_plan(
    settings: SearchSettings,
    problem: DirectionProblem | WeightProblem,
    stages: tuple[Stage, ...],
    rng: np.random.Generator,
    identity: str,
) -> Plan:
    """Return the plan of a search, of which ``problem`` is the first."""
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
    return Plan(
        settings.objectives,
        make,
        stages,
        settings.n_particles,
        limits,
        generators,
        identity,
        math.inf if settings.max_seconds is None else settings.max_seconds,
    )
