"""Velocities of particles."""

import numpy as np
from scipy.stats import kstest, uniform

from moselect.search import moves


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
