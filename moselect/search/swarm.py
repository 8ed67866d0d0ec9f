"""Swarms: ask and tell, saved states, and the particle swarm of the paper."""

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.scores import linear_scores
from moselect._types import Array, Floats, Integers
from moselect.metrics.objective import Objective
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import DEFAULT, chance_levels, objective_values
from moselect.pareto import ParetoArchive
from moselect.search.moves import accelerate, by_crowding
from moselect.search.whitening import Whitening, check_positions

# Named arrays for serialisation between two rounds.
State = dict[str, Array]


class Swarm(ABC):
    """Base class of swarms with an ask-and-tell interface."""

    archive: ParetoArchive  # payload: a position and the index of its scalarisation
    # Names of the arrays of the state, without underscore.
    kept: ClassVar[tuple[str, ...]]
    _rng: np.random.Generator

    @abstractmethod
    def ask(self, n: int | None = None) -> Floats:
        """Return the positions to evaluate next, (P, d), or the first ``n`` of them."""

    @abstractmethod
    def tell(self, objectives: Floats) -> None:
        """Record the objectives of the positions from `ask`, or of the first ones."""

    def state(self) -> State:
        """Return the state of particles and generator; the archive is saved separately."""
        # as text: its integers exceed 64 bits
        generator = np.array(json.dumps(self._rng.bit_generator.state))
        return {"generator": generator} | {
            name: getattr(self, f"_{name}") for name in self.kept
        }

    def restore(self, state: State) -> None:
        """Resume from a state, to the last bit."""
        self._rng.bit_generator.state = json.loads(str(state["generator"]))
        for name in self.kept:
            setattr(self, f"_{name}", state[name])


class WeightProblem:
    """Optimise weights and thresholds jointly (Waegeman et al. 2008, section 4.2).

    A position is p weights followed by r - 1 thresholds, in units of standardised
    features; thresholds may stand in any order. Weights of the wrong sign count as
    0. ``batch`` holds the samples, ``chance`` (m,) the objectives attained without
    features.
    """

    n_scalarisations = 1

    def __init__(
        self, batch: LinearBatch, objectives: Sequence[Objective] = DEFAULT
    ) -> None:
        self.batch = batch
        self.objectives = tuple(objectives)
        self.chance: Floats = chance_levels(objectives, batch)
        whitening = Whitening(batch.features)
        self._mean = whitening.mean
        self._inverse_scale = whitening.inverse_scale

    @property
    def n_dimensions(self) -> int:
        """Length p + r - 1 of a position."""
        return self.batch.n_features + self.batch.n_classes - 1

    def evaluate(self, positions: ArrayLike) -> Floats:
        """Evaluate positions (P, d); return their objectives, shape (P, m)."""
        return objective_values(self.objectives, self.batch, *self.models(positions))

    def feasible(self, positions: Floats) -> Floats:
        """Return positions with 0 in place of weights of the wrong sign."""
        signs = self.batch.signs
        if signs is None or not signs.any():
            return positions
        kept = positions.copy()
        weights = kept[:, : len(signs)]
        weights[weights * signs < 0.0] = 0.0
        return kept

    def ready_made(self) -> Floats:
        """Return no positions (0, d): the swarm of the paper starts at random."""
        return np.empty((0, self.n_dimensions))

    def models(
        self, positions: ArrayLike, scalarisations: ArrayLike = 0
    ) -> tuple[Floats, Floats]:
        """Return weights (P, p) and thresholds (P, r - 1) in units of the features."""
        checked = check_positions(positions, self.n_dimensions)
        p = self.batch.n_features
        weights = self.feasible(checked)[:, :p] * self._inverse_scale
        offset = linear_scores(self._mean[:, None], weights, 0)
        return weights, np.sort(checked[:, p:], axis=1) + offset

    def models_and_confusions(
        self, positions: Floats, scalarisations: Integers
    ) -> tuple[Floats, Floats, Integers]:
        """Return the models at positions, as `models`, and their confusion matrices (P, r, r)."""
        weights, thresholds = self.models(positions)
        return weights, thresholds, self.batch.confusions(weights, thresholds)


class ParticleSwarm(Swarm):
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
