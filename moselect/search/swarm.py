"""The swarm that searches directions, as ask and tell on arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from moselect.pareto import ParetoArchive
from moselect.search import moves
from moselect.search.leaders import LEAST_GAIN, Electorate, by_crowding, by_extreme, log_gain
from moselect.search.mixtures import N_MIXTURES
from moselect.search.problem import OrdinalProblem
from moselect.search.state import State, generator_state, restore_generator

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Shares of the leaders chosen by crowding, as an extreme, and by a random trade-off.
LEADERS = (0.50, 0.15, 0.35)

# Smoothing of the climb before the first evaluation, from coarse to fine.
FIRST_WIDTHS = np.geomspace(1.0, 0.1, 10)


class DirectionSwarm:
    """Particles on the sphere of whitened directions (`OrdinalProblem` with exact thresholds).

    Every particle has a trade-off of its own, by which its personal best is kept. In each round
    it follows a leader from the archive or its personal best by one of five moves,
    each as often as any other: velocity, turbulence, difference, crossing, ascent.

    Parameters
    ----------
    problem : OrdinalProblem
        With exact thresholds.
    columns : ndarray of int, shape (m,)
        Which of the six objectives count.
    n_particles : int
        Size of the swarm P.
    starts : ndarray of shape (s, d)
        Directions to begin with. The rest of the swarm begins around them (anywhere, if there are
        none), where each particle has climbed the smoothed objectives by its own trade-off.
    rng : numpy.random.Generator
        The only source of chance.

    Attributes
    ----------
    archive : ParetoArchive
        All non-dominated models seen; the payload is position and mixture.
    """

    def __init__(
        self,
        problem: OrdinalProblem,
        columns: Integers,
        n_particles: int,
        starts: Floats,
        rng: np.random.Generator,
    ) -> None:
        d = problem.n_dimensions
        self.archive = ParetoArchive(len(columns), d + 1)
        self._problem = problem
        self._columns = columns
        self._chance = problem.chance[columns]
        self._rng = rng
        self._trade_offs = rng.dirichlet(np.ones(len(columns)), size=n_particles)
        self._starts = starts
        self._positions = self._personal_best = np.empty((0, d))
        self._velocities = np.zeros((n_particles, d))
        self._personal_gain = np.full(n_particles, -np.inf)

    def ask(self, n: int | None = None) -> Floats:
        """Give the next positions to evaluate, shape (P, d), or the first ``n`` of them."""
        if len(self._positions):
            self._move()
        else:
            self._positions = self._personal_best = self._begin()
        return self._positions[:n]

    def tell(self, objectives: Floats) -> None:
        """Take the objectives (P, mixtures, 6) of the positions that `ask` gave.

        Fewer rows than positions (the end of a budget) tell of the first ones only.
        """
        values = objectives[:, :, self._columns]
        told, n_mixtures, m = values.shape
        positions = self._positions[:told]

        gain = (log_gain(values, self._chance) @ self._trade_offs[:told, :, None]).max(axis=(1, 2))
        # Ties are accepted: on the plateaus of a step function a particle must be free to drift.
        better = np.flatnonzero(gain >= self._personal_gain[:told])
        self._personal_best = self._personal_best.copy()
        self._personal_best[better] = positions[better]
        self._personal_gain[better] = gain[better]

        fresh = np.ones((told, n_mixtures), dtype=np.bool_)  # neighbouring mixtures often agree
        fresh[:, 1:] = (values[:, 1:] != values[:, :-1]).any(axis=2)
        particle, mixture = np.nonzero(fresh)
        payload = np.column_stack([positions[particle], mixture])
        self.archive.add(values[particle, mixture].reshape(-1, m), payload)

    def state(self) -> State:
        """Give the particles and the generator; the archive is kept besides."""
        return {
            "positions": self._positions,
            "velocities": self._velocities,
            "personal_best": self._personal_best,
            "personal_gain": self._personal_gain,
            "trade_offs": self._trade_offs,
            "generator": generator_state(self._rng),
        }

    def restore(self, state: State) -> None:
        """Take particles and generator from a state."""
        self._positions = state["positions"]
        self._velocities = state["velocities"]
        self._personal_best = state["personal_best"]
        self._personal_gain = state["personal_gain"]
        self._trade_offs = state["trade_offs"]
        restore_generator(self._rng, state["generator"])

    def _begin(self) -> Floats:
        """Give the first positions: the starts, and what is climbed to from around them."""
        rng, problem, starts = self._rng, self._problem, self._starts
        n, d = len(self._trade_offs), problem.n_dimensions
        around = starts[rng.integers(len(starts), size=n)] if len(starts) else np.zeros((n, d))
        positions = unit(around + rng.standard_normal((n, d)) / np.sqrt(d))
        mixtures = rng.integers(N_MIXTURES, size=n)
        worths = np.zeros((n, 6))
        worths[:, self._columns] = self._trade_offs / (1.0 - self._chance)
        for width in FIRST_WIDTHS:
            half_widths = np.full(n, width)
            positions = unit(
                moves.climb(problem, positions, mixtures, worths, half_widths, 0.3 * half_widths)
            )
        kept = min(len(starts), n)
        positions[:kept] = starts[:kept]
        return positions

    def _move(self) -> None:
        rng, problem = self._rng, self._problem
        n = len(self._positions)
        payload = self.archive.payload
        members, mixtures = payload[:, :-1], payload[:, -1].astype(np.int64)
        electorate = Electorate(self.archive, self._chance, rng)
        leaders = self._leaders(n, electorate)
        move = rng.choice(5, size=n)
        followed = np.where(rng.random((n, 1)) < 0.5, members[leaders], self._personal_best)

        flying = move == 0
        self._velocities = np.where(
            flying[:, None],
            moves.accelerate(
                self._velocities, self._positions, self._personal_best, members[leaders], rng
            ),
            self._velocities / 2.0,
        )
        moved = self._positions + self._velocities
        shaken = move == 1
        moved[shaken] = moves.turbulence(problem, followed[shaken], rng)
        crossed = move == 2
        moved[crossed] = moves.difference(followed[crossed], members, rng)

        crossing = move == 3
        base = self._good_at_labels(int(crossing.sum()), electorate)
        moved[crossing] = moves.cross(problem, members[base], mixtures[base], rng)

        climbing = move == 4
        base, worths = self._climbers(leaders[climbing], electorate)
        moved[climbing] = moves.ascend(problem, members[base], mixtures[base], worths, rng)
        self._positions = unit(moved)

    def _leaders(self, n: int, electorate: Electorate) -> Integers:
        rng = self._rng
        way = rng.choice(3, size=n, p=LEADERS)
        leaders = np.empty(n, dtype=np.int64)
        for number, choose in enumerate((by_crowding, by_extreme)):
            leaders[way == number] = choose(self.archive, int((way == number).sum()), rng)
        leaders[way == 2] = electorate.elect(self._draw_trade_offs(int((way == 2).sum())))
        return leaders

    def _good_at_labels(self, n: int, electorate: Electorate) -> Integers:
        """Choose members that are good at accuracy and MAE, which crossings change."""
        trade_offs = self._draw_trade_offs(n)
        trade_offs[:, self._columns > 1] /= 10.0
        return electorate.elect(trade_offs)

    def _climbers(self, leaders: Integers, electorate: Electorate) -> tuple[Integers, Floats]:
        """Choose members to climb from, half of them the best for what is climbed to, and that."""
        n = len(leaders)
        trade_offs = self._draw_trade_offs(n)
        chosen = np.where(self._rng.random(n) < 0.5, electorate.elect(trade_offs), leaders)
        gain = np.maximum(self.archive.columns[:, chosen].T - self._chance, LEAST_GAIN)
        worths = np.zeros((n, 6))
        worths[:, self._columns] = trade_offs / gain  # the gradient of the weighted log gain
        return chosen, worths

    def _draw_trade_offs(self, n: int) -> Floats:
        return self._rng.dirichlet(np.ones(len(self._columns)), size=n)


def unit(positions: Floats) -> Floats:
    """Bring positions (P, d) back to the sphere."""
    length = np.linalg.norm(positions, axis=1, keepdims=True)
    return positions / np.maximum(length, np.finfo(np.float64).tiny)
