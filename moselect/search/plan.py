"""What the runs of a search are to do, from its settings."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from moselect.search.classic import ClassicSwarm
from moselect.search.problem import OrdinalProblem
from moselect.search.run import Limits, Swarm, SwarmRun
from moselect.search.state import State
from moselect.search.swarm import DirectionSwarm

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """What the runs of a search are to do. It is sent to other processes.

    Attributes
    ----------
    columns : ndarray of int, shape (m,)
        Which of the six objectives count.
    make_swarm : callable
        Gives a fresh swarm for a problem and ``rng``, a generator.
    limits : tuple of Limits
        When each run ends.
    generators : tuple of numpy.random.Generator
        The only source of chance of each run.
    identity : str
        By which checkpoints are known as those of this search.
    """

    columns: Integers
    make_swarm: Callable[..., Swarm]
    limits: tuple[Limits, ...]
    generators: tuple[np.random.Generator, ...]
    identity: str

    def begin(self, problem: OrdinalProblem, run: int, state: State | None) -> SwarmRun:
        """Give a run at its beginning, or where it was left."""
        swarm = self.make_swarm(problem, rng=self.generators[run])
        going = SwarmRun(problem, self.columns, swarm, self.limits[run])
        if state is not None:
            going.restore(state)
        return going


def make_plan(
    settings: Mapping[str, Any],
    problem: OrdinalProblem,
    columns: Integers,
    rng: np.random.Generator,
    identity: str,
) -> Plan:
    """Give the plan of a search with the settings of a `ParetoSearch`."""
    return Plan(
        columns,
        _swarm_maker(settings, problem, columns),
        _limits(settings),
        tuple(rng.spawn(settings["n_runs"])),
        identity,
    )


def identify(settings: Mapping[str, Any], values: Floats, codes: Integers) -> str:
    """Give what tells a search from others: its data and all settings that count."""
    counting = {name: settings[name] for name in settings if name not in ("labels", "n_jobs")}
    digest = hashlib.sha256(json.dumps(counting, default=str).encode())
    for column in (*values.T, codes):
        digest.update(np.ascontiguousarray(column).data)
    return digest.hexdigest()


def _limits(settings: Mapping[str, Any]) -> tuple[Limits, ...]:
    """Give the limits of each run; what all may do together is shared out evenly."""
    n_runs = settings["n_runs"]
    total = settings["n_particles"] * settings["n_iterations"] * n_runs
    share, rest = divmod(min(settings["max_evaluations"] or total, total), n_runs)
    seconds = math.inf
    if settings["max_seconds"] is not None:  # shared by the runs that go one after the other
        one_after_other = math.ceil(n_runs / effective_n_jobs(settings["n_jobs"]))
        seconds = settings["max_seconds"] / one_after_other
    return tuple(
        Limits(share + (run < rest), seconds, settings["n_iter_no_change"], settings["tol"])
        for run in range(n_runs)
    )


def _swarm_maker(
    settings: Mapping[str, Any], problem: OrdinalProblem, columns: Integers
) -> Callable[..., Swarm]:
    common: dict[str, Any] = {"columns": columns, "n_particles": settings["n_particles"]}
    make: Callable[..., Swarm]
    if settings["thresholds"] == "search":
        make = partial(
            ClassicSwarm,
            turbulence=settings["turbulence"],
            velocity_range=settings["velocity_range"],
            **common,
        )
    else:
        starts = np.array(list(problem.ready_made().values()))
        make = partial(DirectionSwarm, starts=starts, **common)
    if settings["algorithm"] == "mopso":
        return make
    from moselect.search.pymoo_swarm import PymooSwarm  # pymoo is slow to import

    return partial(PymooSwarm, columns=columns, algorithm=settings["algorithm"], make_first=make)
