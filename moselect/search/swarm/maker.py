"""Which swarm searches which problem."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from moselect.search.problem import DirectionProblem, WeightProblem
from moselect.search.settings import SearchSettings
from moselect.search.swarm.direction_swarm import DirectionSwarm
from moselect.search.swarm.particle_swarm import ParticleSwarm
from moselect.search.swarm.swarm import Swarm


def own_swarm(
    settings: SearchSettings, problem: DirectionProblem | WeightProblem
) -> Callable[..., Swarm]:
    """Return what makes a fresh swarm from a problem and ``rng``; it can be sent to processes."""
    if isinstance(problem, WeightProblem):
        return partial(
            ParticleSwarm,
            objectives=settings.objectives,
            n_particles=settings.n_particles,
            turbulence=settings.turbulence,
            velocity_range=settings.velocity_range,
        )
    return partial(
        DirectionSwarm,
        objectives=settings.objectives,
        n_particles=settings.n_particles,
        starts=np.array(list(problem.ready_made().values())),
    )
