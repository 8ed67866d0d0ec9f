from __future__ import annotations

import numpy as np
import pytest

from moselect.search import OrdinalProblem
from moselect.search.particle_swarm import ParticleSwarm
from tests.search.conftest import fly

WORSE, BETTER = np.full(6, 0.1), np.full(6, 0.9)
FREE = (-100.0, 100.0)


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


def test_velocities_are_pulled_by_personal_best_and_leader(problem):
    swarm = ParticleSwarm(problem, 40, FREE, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    pulls = []
    for leading in range(12):
        positions = swarm.ask().copy()
        told = np.repeat(rng.uniform(0.1, 0.3, (40, 1)), 6, axis=1)
        told[leading] = 0.4 + 0.01 * leading  # dominates all others: the only leader
        swarm.tell(told)
        state = {name: values.copy() for name, values in swarm.state().items()}
        leader = positions[leading]
        moved = swarm.ask() - positions
        for i in range(40):
            ways = np.array(
                [
                    state["velocities"][i],
                    state["personal_best"][i] - positions[i],
                    leader - positions[i],
                ]
            )
            found, _, rank, sizes = np.linalg.lstsq(ways.T, moved[i], rcond=1e-12)
            np.testing.assert_allclose(found @ ways, moved[i], atol=1e-10)
            if rank == 3 and sizes[-1] > 1e-3:
                pulls.append(found)
        swarm.tell(np.zeros((40, 6)))  # changes nothing
    assert len(pulls) > 100
    low, high = np.array([0.3, 0.0, 0.0]) - 1e-9, np.array([0.4, 1.0, 1.0]) + 1e-9
    assert ((pulls > low) & (pulls < high)).all()


def share_that_gave_way(problem, first, second):
    """Return the share of 200 particles whose personal best is what they saw second."""
    swarm = ParticleSwarm(problem, 201, FREE, np.random.default_rng(0))
    start = swarm.ask().copy()
    swarm.tell(np.array([BETTER] + [first] * 200))
    later = swarm.ask().copy()
    swarm.tell(np.array([BETTER] + [second] * 200))
    best = swarm.state()["personal_best"]
    new = (best == later).all(axis=1)[1:]
    assert (new | (best == start).all(axis=1)[1:]).all()
    return new.mean()


LEFT, RIGHT = np.array([0.2, 0.1] * 3), np.array([0.1, 0.2] * 3)


def test_a_coin_decides_between_personal_bests_of_which_neither_dominates(problem):
    assert share_that_gave_way(problem, LEFT, RIGHT) == pytest.approx(0.5, abs=0.12)


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        (2 * WORSE, WORSE, 0.0),
        (LEFT, LEFT, 1.0),
        (WORSE, 2 * WORSE, 1.0),
        (WORSE, LEFT, 1.0),
    ],
    ids=["dominated", "equal", "better", "better in some"],
)
def test_no_coin_decides_where_one_dominates(problem, first, second, share):
    assert share_that_gave_way(problem, first, second) == share
