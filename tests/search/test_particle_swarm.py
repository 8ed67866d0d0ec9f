import numpy as np
import pytest

from moselect.search import OrdinalProblem
from moselect.search.particle_swarm import ParticleSwarm
from tests.search.conftest import fly


@pytest.fixture
def problem(smooth):
    X, ranks = smooth(seed=0, r=3, n=30, p=3)
    return OrdinalProblem(X, ranks, thresholds="search")


@pytest.mark.parametrize("velocity_range", [(-0.5, 0.5), (-0.1, 0.3), (0.0, 1.0)])
def test_velocities_stay_within_their_range(problem, velocity_range):
    swarm = ParticleSwarm(problem, 30, velocity_range, np.random.default_rng(0))
    steps = np.diff(fly(problem, swarm, 10)[0], axis=0)
    low, high = velocity_range
    assert steps.min() >= low - 1e-12
    assert steps.max() <= high + 1e-12
    assert np.isclose(steps, low, atol=1e-12).any()
    assert np.isclose(steps, high, atol=1e-12).any()
