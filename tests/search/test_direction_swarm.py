"""How the swarm over directions begins, and which moves its particles make."""

import numpy as np
import pytest

from moselect.search import OrdinalProblem
from moselect.search.direction_swarm import DirectionSwarm
from tests.search.conftest import fly


@pytest.mark.parametrize("n_particles", [2, 5])
def test_a_swarm_begins_with_the_ready_made_directions(awkward, n_particles):
    problem = OrdinalProblem(*awkward(8, 3))
    starts = problem.ready_made()[:3]
    swarm = DirectionSwarm(problem, n_particles, starts, np.random.default_rng(0))
    first = swarm.ask()
    assert len(first) == n_particles
    np.testing.assert_allclose(first[:3], starts[:n_particles], rtol=1e-12)


def test_a_swarm_begins_higher_than_anywhere(boston):
    problem = OrdinalProblem(*boston)
    swarm = DirectionSwarm(problem, 50, np.empty((0, 13)), np.random.default_rng(0))
    anywhere = np.random.default_rng(1).normal(size=(50, 13))
    climbed, plain = (
        problem.evaluate(where).max(axis=1) for where in (swarm.ask(), anywhere)
    )
    assert (climbed.min(axis=0) > np.median(plain, axis=0)).all()
    assert (climbed.std(axis=0) > 1e-3).all()  # and not all in one place


def test_a_swarm_finds_the_direction_that_made_the_labels(smooth):
    X, _ = smooth(seed=1, r=3, n=200, p=5)
    weights = np.array([3.0, -2.0, 1.0, 0.0, 0.5]) / X.std(axis=0)
    ranks = np.digitize(X @ weights, np.quantile(X @ weights, [0.5, 0.8]))
    problem = OrdinalProblem(X, ranks)
    swarm = DirectionSwarm(problem, 30, np.empty((0, 5)), np.random.default_rng(0))
    fly(problem, swarm, 100)
    np.testing.assert_allclose(swarm.archive.points.max(axis=0), 1.0, atol=0.01)
