"""Swarms: ask and tell, saved states, and the particle swarm of the paper."""

import json
from typing import Any, ClassVar

import numpy as np

from moselect._types import Floats
from moselect.search.moves import accelerate, by_crowding
from moselect.search.ordinal_problem import WeightProblem
from moselect.search.pareto import ParetoArchive

# Arrays, numbers and text by name, for serialisation between two rounds.
State = dict[str, Any]


class Resumable:
    """A swarm whose state can be saved between two rounds."""

    # Names of the arrays of the state, without underscore.
    kept: ClassVar[tuple[str, ...]]
    _rng: np.random.Generator

    def state(self) -> State:
        """Return the state of particles and generator; the archive is saved separately."""
        # as text: its integers exceed 64 bits
        generator = json.dumps(self._rng.bit_generator.state)
        return {"generator": generator} | {
            name: getattr(self, f"_{name}") for name in self.kept
        }

    def restore(self, state: State) -> None:
        """Resume from a state, to the last bit."""
        self._rng.bit_generator.state = json.loads(str(state["generator"]))
        for name in self.kept:
            setattr(self, f"_{name}", state[name])


class ParticleSwarm(Resumable):
    """MOPSO on positions of weights and thresholds (Waegeman et al. 2008, eq. 22 and 23).

    Velocities are truncated to ``velocity_range``, and carried on truncated: the paper
    prints [0, 1], under which no weight can ever decrease, and must have meant [-1, 1].
    The payload of the archive is the position and a 0: each position is one model.
    """

    kept = ("positions", "velocities", "personal_best", "personal_values")

    def __init__(
        self,
        problem: WeightProblem,
        n_particles: int,
        velocity_range: tuple[float, float],
        rng: np.random.Generator,
    ) -> None:
        shape = (n_particles, problem.n_dimensions)
        m = len(problem.objectives)
        self.archive = ParetoArchive(m, shape[1] + 1)
        self._velocity_range = velocity_range
        self._rng = rng
        self._problem = problem
        self._positions = problem.feasible(rng.uniform(-1.0, 1.0, shape))
        self._velocities = np.zeros(shape)
        self._personal_best = self._positions
        self._personal_values = np.full((n_particles, m), -np.inf)

    def ask(self, n: int | None = None) -> Floats:
        """Return the positions to evaluate next, (P, d), or the first ``n`` of them."""
        if len(self.archive):
            self._move()
        return self._positions[:n]

    def tell(self, objectives: Floats) -> None:
        """Record the objectives (P, m) of the positions from `ask`, or of the first ones.

        A personal best is replaced if it is dominated, and with probability 1/2 if
        neither dominates.
        """
        n_measured = len(objectives)
        positions = self._positions[:n_measured]
        best = self._personal_values[:n_measured]
        coin = self._rng.random(n_measured) < 0.5
        kept = (best >= objectives).all(axis=1) & (best > objectives).any(axis=1)
        dominated = (objectives >= best).all(axis=1)
        better = np.flatnonzero(~kept & (dominated | coin))
        self._personal_best = self._personal_best.copy()
        self._personal_best[better] = positions[better]
        self._personal_values[better] = objectives[better]
        self.archive.add(objectives, np.column_stack([positions, np.zeros(n_measured)]))

    def _move(self) -> None:
        chosen = by_crowding(self.archive, len(self._positions), self._rng)
        leaders = self.archive.payload[chosen, :-1]
        # eq. (22)
        velocities = accelerate(
            self._velocities,
            self._positions,
            self._personal_best,
            leaders,
            1.0,
            self._rng,
        )
        self._velocities = np.clip(velocities, *self._velocity_range)  # eq. (23)
        self._positions = self._problem.feasible(self._positions + self._velocities)
