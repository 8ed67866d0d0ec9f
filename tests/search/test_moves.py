"""Velocities and crossing moves of particles."""

import numpy as np
from scipy.stats import kstest, uniform

from moselect.search import OrdinalProblem, moves
from moselect.search.whitening import unit
from tests.any_tables import ordinal_table


def test_velocity_is_a_sum_of_inertia_and_two_pulls(rng):
    velocity, position, best, leader = rng.normal(size=(4, 2000, 3))
    found = moves.accelerate(velocity, position, best, leader, 1.5, rng)
    ways = np.stack([velocity, best - position, leader - position], axis=2)
    inertia, to_best, to_leader = np.linalg.solve(ways, found[:, :, None])[:, :, 0].T
    # (0.4 - rho_1 / 10) v + rho_2 (best - x) + 1.5 rho_3 (leader - x), each rho uniform
    for pull, low, high in (
        (inertia, 0.3, 0.4),
        (to_best, 0.0, 1.0),
        (to_leader, 0.0, 1.5),
    ):
        assert kstest(pull, uniform(low, high - low).cdf).pvalue > 1e-3
    assert np.abs(np.corrcoef([inertia, to_best, to_leader]) - np.eye(3)).max() < 0.1


def test_crossing_extends_the_shortest_step_of_one_sample(rng):
    X, ranks = ordinal_table(60, 6)
    problem = OrdinalProblem(X + 3.0, ranks)
    offset = 3.0 * problem.models(np.eye(6))[0].sum(axis=1)
    base = unit(rng.normal(size=(80, 6)))
    scalarisations = np.arange(80) % 8
    steps = moves.cross(problem, base, scalarisations, rng) - base
    thresholds = problem.models(base, scalarisations)[1] - (base @ offset)[:, None]
    ends = np.column_stack([np.full(80, -np.inf), thresholds, np.full(80, np.inf)])
    # where the score of a sample grows fastest
    samples = problem.models(np.eye(6))[0] @ X.T
    scores = base @ samples
    shifts = np.clip(scores, ends[:, ranks], ends[:, ranks + 1]) - scores
    for step, shift in zip(steps, shifts, strict=True):
        shortest = (samples * shift / (samples**2).sum(axis=0)).T[shift != 0.0]
        factors = (shortest @ step) / (shortest**2).sum(axis=1)
        residuals = np.linalg.norm(step - factors[:, None] * shortest, axis=1)
        assert residuals.min() < 1e-12
        assert 1.0 < factors[residuals.argmin()] < 2.0
