"""The swarms, as ask and tell on arrays."""

from moselect.search.swarm.direction_swarm import DirectionSwarm, unit
from moselect.search.swarm.particle_swarm import ParticleSwarm
from moselect.search.swarm.state import State
from moselect.search.swarm.swarm import AskThenTell, Swarm

__all__ = ["AskThenTell", "DirectionSwarm", "ParticleSwarm", "State", "Swarm", "unit"]
