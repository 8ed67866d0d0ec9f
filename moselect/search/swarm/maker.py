"""Which swarm searches which problem."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from moselect._types import Floats
from moselect.search.problem import DirectionProblem, WeightProblem
from moselect.search.settings import SearchSettings
from moselect.search.swarm.direction_swarm import DirectionSwarm
from moselect.search.swarm.particle_swarm import ParticleSwarm
from moselect.search.swarm.swarm import Swarm


def own_swarm(
    settings: SearchSettings, problem: DirectionProblem | WeightProblem
) -> Callable[..., Swarm]:
    """Return what makes a fresh swarm from a problem and ``rng``; it can be sent to processes.

    ``problem`` is what a swarm searches first.
    """
    if isinstance(problem, WeightProblem):
        return partial(
            ParticleSwarm,
            objectives=settings.objectives,
            n_particles=settings.n_particles,
            turbulence=settings.turbulence,
            velocity_range=settings.velocity_range,
        )
    found = problem.ready_made()
    return partial(
        _direction_swarm,
        starts=np.array(list(found.values())).reshape(-1, problem.n_dimensions),
        objectives=settings.objectives,
        n_particles=settings.n_particles,
    )


def _direction_swarm(
    problem: DirectionProblem, starts: Floats, carried: Floats | None = None, **settings: Any
) -> DirectionSwarm:
    """Make a swarm that begins with directions ``carried`` over, or with ready-made models."""
    if carried is not None:
        starts = np.empty((0, problem.n_dimensions))
    return DirectionSwarm(problem, starts=starts, carried=carried, **settings)
