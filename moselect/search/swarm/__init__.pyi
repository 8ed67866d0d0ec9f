from .direction_swarm import DirectionSwarm, unit
from .particle_swarm import ParticleSwarm
from .state import State, count_of, numbers_of
from .swarm import AskThenTell, Swarm

__all__ = [
    "AskThenTell",
    "DirectionSwarm",
    "ParticleSwarm",
    "State",
    "Swarm",
    "count_of",
    "numbers_of",
    "unit",
]
