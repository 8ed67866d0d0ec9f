"""The search of the paper: particles of weights and thresholds (Waegeman et al. 2008, 4.2)."""

from __future__ import annotations

import numpy as np

from moselect._types import Floats
from moselect.pareto import ParetoArchive
from moselect.search.moves import accelerate, by_crowding
from moselect.search.swarm import Swarm
from moselect.search.weight_problem import WeightProblem


class ParticleSwarm(Swarm):
    """MOPSO with the update rules of eq. 22-23 on positions of weights and thresholds.

    Velocities are truncated to ``velocity_range``: printed is [0, 1], under which no
    weight can ever fall; [-1, 1] is what must have been meant. The payload of the archive
    is the position and a 0: there is one model at a position.
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
        self._positions = rng.uniform(-1.0, 1.0, shape)
        self._velocities = np.zeros(shape)
        self._personal_best = self._positions
        self._personal_values = np.full((n_particles, m), -np.inf)

    def ask(self, n: int | None = None) -> Floats:
        """Return the positions to evaluate next, shape (P, d), or the first ``n`` of them."""
        if len(self.archive):
            self._move()
        return self._positions[:n]

    def tell(self, objectives: Floats) -> None:
        """Take the objectives (P, m) of the positions that `ask` returned, or of the first of them.

        A personal best gives way if it is dominated, and half of the time if neither
        dominates.
        """
        told = len(objectives)
        positions = self._positions[:told]
        best = self._personal_values[:told]
        coin = self._rng.random(told) < 0.5
        kept = (best >= objectives).all(axis=1) & (best > objectives).any(axis=1)
        dominated = (objectives >= best).all(axis=1)
        better = np.flatnonzero(~kept & (dominated | coin))
        self._personal_best = self._personal_best.copy()
        self._personal_best[better] = positions[better]
        self._personal_values[better] = objectives[better]
        self.archive.add(objectives, np.column_stack([positions, np.zeros(told)]))

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
        self._positions = self._positions + self._velocities
