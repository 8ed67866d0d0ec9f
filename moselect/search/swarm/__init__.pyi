from .direction_swarm import DirectionSwarm, unit
from .particle_swarm import ParticleSwarm
from .state import State
from .swarm import AskThenTell, Swarm

__all__ = [
    "AskThenTell",
    "DirectionSwarm",
    "ParticleSwarm",
    "State",
    "Swarm",
    "unit",
]
