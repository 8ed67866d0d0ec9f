"""Moves of particles on the sphere of directions, and the choice of leaders."""

import math

import numpy as np

from moselect._types import Floats, Integers
from moselect.budgets import SEARCH
from moselect.search.direction_problem import DirectionProblem
from moselect.search.pareto import ParetoArchive, crowding_distance, gain_above_chance
from moselect.validation import ratios_or_zero


def shifts_home(scores: Floats, codes: Integers, thresholds: Floats) -> Floats:
    """Signed distance of each score (P, n) to the interval of its true class; 0 inside.

    ``codes`` (n,) are the classes of the samples, ``thresholds`` (P, r - 1) ascend.
    """
    ends = np.pad(thresholds, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
    return np.clip(scores, ends[:, codes], ends[:, 1:][:, codes]) - scores


def draw_misplaced(shifts: Floats, scales: Floats, draws: Floats) -> Integers:
    """Draw a misclassified sample (P,) by shifts (P, n); the first sample if all are 0.

    A sample at distance s has weight exp(-s / scale), with ``scales`` (P,); ``draws``
    (P,) are uniform in [0, 1).
    """
    distances = np.where(shifts == 0.0, np.inf, np.abs(shifts))
    # Distances relative to the nearest sample, so that not all weights underflow.
    nearest = distances.min(axis=1, keepdims=True)
    nearest[np.isinf(nearest)] = 0.0
    passed = np.cumsum(np.exp((nearest - distances) / scales[:, None]), axis=1)
    return (passed > draws[:, None] * passed[:, -1:]).argmax(axis=1)


STEP_LENGTH = 0.03  # median step length of turbulence and ascent

LEAST_GAIN = 1e-3  # keeps the logarithm finite for models below chance
INERTIA = 0.4  # of the paper, before its random part


def accelerate(
    velocities: Floats,
    positions: Floats,
    personal_best: Floats,
    leaders: Floats,
    pull: float,
    rng: np.random.Generator,
) -> Floats:
    """Pull velocities (P, d) towards personal bests and leaders, all (P, d).

    Eq. 22 of Waegeman et al. (2008), where ``pull`` is 1 and the random factors are drawn
    for each particle.
    """
    rho_1, rho_2, rho_3 = rng.random((3, len(positions), 1))
    return (
        # Random inertia: the paper's regularisation of the weights.
        (INERTIA - rho_1 / 10.0) * velocities
        + rho_2 * (personal_best - positions)
        + pull * rho_3 * (leaders - positions)
    )


def turbulence(
    problem: DirectionProblem, base: Floats, rng: np.random.Generator
) -> Floats:
    """Perturb directions: some in the weights of a few features, others in all coordinates."""
    n, d = base.shape
    p = problem.batch.n_features
    lengths = STEP_LENGTH * np.exp(rng.standard_normal((n, 1)))
    # On average one feature is perturbed, and at least one.
    shaken = rng.random((n, p)) < 1.0 / p
    shaken[np.arange(n), rng.integers(p, size=n)] = True
    few = problem.whitening.directions(shaken * rng.standard_normal((n, p)))
    # A random vector of expected length 1.
    all_at_once = rng.standard_normal((n, d)) / np.sqrt(d)
    return base + lengths * np.where(rng.random((n, 1)) < 0.6, few, all_at_once)


def difference(base: Floats, members: Floats, rng: np.random.Generator) -> Floats:
    """Move along the difference of two members, as in differential evolution."""
    first, second = rng.integers(len(members), size=(2, len(base)))
    # Log-normal factors: most differences are shortened, some lengthened.
    factors = 0.3 * np.exp(rng.standard_normal((len(base), 1)) / 2.0)
    return base + factors * (members[first] - members[second])


# Scale of the distances to a threshold of the samples that cross it, in standard deviations
# of scores.
MISPLACED_DISTANCE = 0.1


def cross(
    problem: DirectionProblem,
    base: Floats,
    scalarisations: Integers,
    rng: np.random.Generator,
) -> Floats:
    """Move one misclassified sample just across the nearer threshold of its class.

    Accuracy and MAE are step functions of the direction; this move takes a single step, the
    shortest one.
    """
    n = len(base)
    distances = MISPLACED_DISTANCE * np.exp(rng.standard_normal(n))
    draws = rng.random(n)
    batch = problem.batch
    whitening = problem.whitening
    weights, thresholds = problem.models(base, scalarisations)

    def draw(
        coef: Floats, ascending: Floats, scales: Floats, places: Floats
    ) -> tuple[Integers, Floats]:
        missing = shifts_home(batch.scores(coef), batch.codes, ascending)
        chosen = draw_misplaced(missing, scales, places)
        return chosen, np.take_along_axis(missing, chosen[:, None], axis=1)[:, 0]

    chosen, shifts = batch.in_parts(draw, weights, thresholds, distances, draws)
    # A step along the sample's own whitened features moves its score most for its
    # length.
    samples = batch.features[:, chosen].T - whitening.mean
    normals = whitening.pull_back(samples)
    square = (normals**2).sum(axis=1)
    # The step that brings the score to its threshold: shift / |normal|^2 times the
    # normal.
    lengths = ratios_or_zero(shifts, square)
    # A little beyond the threshold, so that the sample is surely on the other side.
    beyond = 1.0 + 0.1 * rng.standard_exponential((n, 1))
    return base + beyond * (normals * lengths[:, None])


def climb(
    problem: DirectionProblem,
    base: Floats,
    scalarisations: Integers,
    objective_weights: Floats,
    half_widths: Floats,
    lengths: Floats,
) -> Floats:
    """Take a step of the given ``lengths`` (P,) along the gradient of the smoothed objectives."""
    gradient = problem.gradients(base, scalarisations, objective_weights, half_widths)
    # The component along the direction itself changes no ranking.
    gradient -= (gradient * base).sum(axis=1, keepdims=True) * base
    length = np.linalg.norm(gradient, axis=1, keepdims=True)
    return base + lengths[:, None] * ratios_or_zero(gradient, length)


def log_gain(objectives: Floats, chance: Floats) -> Floats:
    """Logarithm of the gain of objectives (..., m), where chance is 0 and perfection 1.

    Weighted sums rank trade-offs: the maximum has the greatest weighted product of gains,
    the volume of a box under the front, as in the hypervolume.
    """
    return np.log(np.maximum(gain_above_chance(objectives, chance), LEAST_GAIN))


def by_crowding(archive: ParetoArchive, n: int, rng: np.random.Generator) -> Integers:
    """Choose ``n`` members by binary tournaments for the less crowded one."""
    candidates = rng.permutation(len(archive))[: SEARCH.crowded_members]
    # Crowding distances among some members only: all pairs of a large front take too
    # long.
    distance = crowding_distance(archive.points[candidates])
    first, second = rng.integers(len(candidates), size=(2, n))
    return candidates[np.where(distance[first] >= distance[second], first, second)]


CANDIDATE_SHARE = 0.3  # of the archive in a round


class LeaderCandidates:
    """Random part of the archive among which leaders of a round are chosen by weights.

    With the whole archive the same few members would always lead.
    """

    def __init__(
        self, archive: ParetoArchive, chance: Floats, rng: np.random.Generator
    ) -> None:
        size = len(archive)
        self._candidates = rng.permutation(size)[: math.ceil(CANDIDATE_SHARE * size)]
        self._gains = log_gain(archive.points[self._candidates], chance).T

    def best(self, objective_weights: Floats) -> Integers:
        """Return the member of greatest weighted log gain for each row of weights (n, m)."""
        totals = np.zeros((len(objective_weights), len(self._candidates)))
        for weights, gains in zip(objective_weights.T, self._gains, strict=True):
            totals += weights[:, None] * gains
        return self._candidates[totals.argmax(axis=1)]
