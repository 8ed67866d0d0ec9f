"""`DirectionSwarm`: particle swarm on the sphere of directions, with ask and tell."""

import numpy as np

from moselect._types import Floats, Integers
from moselect.search import moves
from moselect.search.direction_problem import DirectionProblem
from moselect.search.pareto import ParetoArchive
from moselect.search.swarm import Resumable
from moselect.search.whitening import unit

# Pull of leaders, 1 in the paper: on a sphere pulls partly cancel.
LEADER_PULL = 1.5


class DirectionSwarm(Resumable):
    """Particles on the sphere of whitened directions.

    Every particle has its own objective weights, which determine its personal best. In each
    round it follows a leader from the archive or its personal best by one of five equally
    likely moves: velocity, turbulence, difference, crossing, ascent. With two objectives
    the archive is small: while it has fewer members than particles, the difference and
    crossing moves use personal bests as well.

    The swarm starts at the directions ``starts`` (s, d) and around them (at random without
    any), after each particle has ascended its weighted sum of the smoothed objectives.
    Directions ``carried`` (c, d) over from an earlier search, c a multiple of P, are
    evaluated first; the swarm then starts at the best of them. The payload of the archive
    is the position and the index of the scalarisation.
    """

    kept = (
        "positions",
        "velocities",
        "personal_best",
        "personal_scalarisation",
        "personal_gain",
        "trade_offs",
        "carried",
    )

    def __init__(
        self,
        problem: DirectionProblem,
        n_particles: int,
        starts: Floats,
        rng: np.random.Generator,
        carried: Floats | None = None,
    ) -> None:
        d = problem.n_dimensions
        m = len(problem.objectives)
        # The payload of a member: its direction and the scalarisation of its thresholds.
        self.archive = ParetoArchive(m, d + 1)
        self._problem = problem
        self._chance = problem.chance
        self._rng = rng
        # Each particle has a trade-off of its own, uniform on the simplex.
        self._trade_offs = rng.dirichlet(np.ones(m), size=n_particles)
        self._starts = starts
        self._carried = np.empty((0, d)) if carried is None else carried
        self._positions = self._personal_best = np.empty((0, d))
        self._personal_scalarisation = np.zeros(n_particles, int)
        self._velocities = np.zeros((n_particles, d))
        self._personal_gain = np.full(n_particles, -np.inf)

    def ask(self, n: int | None = None) -> Floats:
        """Return the positions to evaluate next, (P, d), or the first ``n`` of them."""
        # Directions of an earlier stage are evaluated first, a swarm at a time.
        if len(self._carried):
            size = len(self._trade_offs)
            self._positions = self._carried[:size]
            self._carried = self._carried[size:]
            if not len(self._personal_best):
                self._personal_best = self._positions
        elif len(self._positions):
            self._move()
        else:
            self._positions = self._personal_best = self._begin()
        return self._positions[:n]

    def tell(self, objectives: Floats) -> None:
        """Record the objectives (P, scalarisations, m) of the positions that `ask` returned.

        Fewer rows than positions (the end of a budget) belong to the first positions.
        """
        n_measured, n_scalarisations = objectives.shape[:2]
        positions = self._positions[:n_measured]

        # A particle counts by its best scalarisation.
        gains = (
            moves.log_gain(objectives, self._chance)
            @ self._trade_offs[:n_measured, :, None]
        )[..., 0]
        gain = gains.max(axis=1)
        # Accept ties, so that particles can drift on the plateaus of step functions.
        better = np.flatnonzero(gain >= self._personal_gain[:n_measured])
        self._personal_best = self._personal_best.copy()
        self._personal_best[better] = positions[better]
        self._personal_scalarisation[better] = gains[better].argmax(axis=1)
        self._personal_gain[better] = gain[better]

        # neighbouring scalarisations often give equal models: add each once
        fresh = np.ones((n_measured, n_scalarisations), bool)
        fresh[:, 1:] = (objectives[:, 1:] != objectives[:, :-1]).any(axis=2)
        particle, scalarisation = np.nonzero(fresh)
        payload = np.column_stack([positions[particle], scalarisation])
        self.archive.add(objectives[particle, scalarisation], payload)

    def _begin(self) -> Floats:
        """Return the initial positions: the starts, and ascents from their neighbourhood."""
        rng = self._rng
        problem = self._problem
        starts = self._starts
        n = len(self._trade_offs)
        d = problem.n_dimensions
        around = (
            starts[rng.integers(len(starts), size=n)] if len(starts) else np.zeros((n, d))
        )
        # Noise as long as the start itself: half of the direction is new.
        start = unit(around + rng.standard_normal((n, d)) / np.sqrt(d))
        positions = problem.feasible(start)
        scalarisations = rng.integers(problem.n_scalarisations, size=n)
        weights = self._trade_offs / (1.0 - self._chance)
        # Half-widths of the ascent before the first evaluation, from coarse to fine.
        for width in np.geomspace(1.0, 0.1, 10):
            half_widths = np.full(n, width)
            climbed = moves.climb(
                problem,
                positions,
                scalarisations,
                weights,
                half_widths,
                0.3 * half_widths,
            )
            positions = problem.feasible(unit(climbed))
        # Ready-made models enter unchanged: no classical model may lie outside the front.
        kept = min(len(starts), n)
        positions[:kept] = starts[:kept]
        return positions

    def _move(self) -> None:
        rng = self._rng
        problem = self._problem
        n = len(self._positions)
        payload = self.archive.payload
        members = payload[:, :-1]
        scalarisations = payload[:, -1].astype(int)
        candidates = moves.LeaderCandidates(self.archive, self._chance, rng)
        leaders = self._leaders(n, candidates)
        # Five moves with equal shares.
        move = rng.choice(5, size=n)
        flying, shaken, differing, crossing, climbing = (move == k for k in range(5))
        followed = np.where(
            rng.random((n, 1)) < 0.5, members[leaders], self._personal_best
        )

        self._velocities = np.where(
            flying[:, None],
            moves.accelerate(
                self._velocities,
                self._positions,
                self._personal_best,
                members[leaders],
                LEADER_PULL,
                rng,
            ),
            self._velocities / 2.0,
        )
        moved = self._positions + self._velocities
        moved[shaken] = moves.turbulence(problem, followed[shaken], rng)
        # With two objectives the front may be too small for differences of members.
        few = len(self._chance) == 2 and len(members) < n
        others = np.vstack([members, self._personal_best]) if few else members
        moved[differing] = moves.difference(followed[differing], others, rng)

        # Members that classify well: crossings change single samples, which ranking
        # objectives hardly feel, so that these count a tenth.
        trade_offs = self._draw_trade_offs(int(crossing.sum()))
        ranking = [not objective.of_classes for objective in problem.objectives]
        trade_offs[:, ranking] /= 10.0
        base = candidates.best(trade_offs)
        directions = members[base]
        which = scalarisations[base]
        if few:
            directions = self._personal_best[crossing]
            which = self._personal_scalarisation[crossing]
        # Crossings improve the classes of a model, for its own scalarisation.
        moved[crossing] = moves.cross(problem, directions, which, rng)

        moved[climbing] = self._ascend(leaders[climbing], candidates)
        self._positions = problem.feasible(unit(moved))

    def _leaders(self, n: int, candidates: moves.LeaderCandidates) -> Integers:
        rng = self._rng
        # Half of the leaders are chosen by crowding distance, the others as best in a
        # random objective or by random weights.
        way = rng.choice(3, size=n, p=(0.50, 0.15, 0.35))
        n_crowding, n_extreme, n_weighed = np.bincount(way, minlength=3).tolist()
        leaders = np.empty(n, int)
        leaders[way == 0] = moves.by_crowding(self.archive, n_crowding, rng)
        extremes = self.archive.points.argmax(axis=0)
        leaders[way == 1] = rng.choice(extremes, n_extreme)
        leaders[way == 2] = candidates.best(self._draw_trade_offs(n_weighed))
        return leaders

    def _ascend(self, leaders: Integers, candidates: moves.LeaderCandidates) -> Floats:
        """Ascend from members by a random trade-off, smoothing and step length."""
        rng = self._rng
        n = len(leaders)
        trade_offs = self._draw_trade_offs(n)
        # Half by the drawn trade-off, half the leaders themselves.
        chosen = np.where(rng.random(n) < 0.5, candidates.best(trade_offs), leaders)
        # Below chance the logarithm is bounded, and so is its gradient.
        gain = np.maximum(self.archive.points[chosen] - self._chance, moves.LEAST_GAIN)
        # Half-widths of the smoothing window, in standard deviations of scores: uniform on
        # a logarithmic scale, since coarse windows see far and fine ones are exact.
        low, high = np.log((0.05, 0.5))
        half_widths = np.exp(rng.uniform(low, high, size=n))
        lengths = moves.STEP_LENGTH * np.exp(rng.standard_normal(n))
        members = self.archive.payload[chosen]
        return moves.climb(
            self._problem,
            members[:, :-1],
            members[:, -1].astype(int),
            trade_offs / gain,  # the gradient of the weighted log gain
            half_widths,
            lengths,
        )

    def _draw_trade_offs(self, n: int) -> Floats:
        return self._rng.dirichlet(np.ones(len(self._chance)), size=n)
