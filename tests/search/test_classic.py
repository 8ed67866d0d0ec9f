from __future__ import annotations

import numpy as np
import pytest
from moselect.search.classic import ClassicSwarm

from moselect.search import OrdinalProblem

ALL = np.arange(6)
WORSE, BETTER = np.full(6, 0.1), np.full(6, 0.9)
FREE = (-100.0, 100.0)


class Same(np.random.Generator):
    """Draws the same value wherever a uniform number between 0 and 1 is asked for."""

    def __init__(self, value, seed=0):
        super().__init__(np.random.PCG64(seed))
        self.value = value

    def random(self, size=None):
        return np.full(size, self.value)


@pytest.fixture
def problem(smooth):
    X, ranks = smooth(seed=0, r=3, n=30, p=3)
    return OrdinalProblem(X, ranks, thresholds="search")


def fly(problem, velocity_range, rounds=10, turbulence=0.0):
    rng = np.random.default_rng(0)
    swarm = ClassicSwarm(problem, ALL, 30, turbulence, velocity_range, rng)
    places = []
    for _ in range(rounds):
        places.append(swarm.ask().copy())
        swarm.tell(problem.evaluate(places[-1]))
    return np.array(places)


def test_positions_begin_between_minus_one_and_one(problem):
    first = fly(problem, (-1.0, 1.0), rounds=1)[0]
    assert first.shape == (30, 5)
    assert (np.abs(first) <= 1.0).all()
    assert first.min() < -0.9
    assert first.max() > 0.9


@pytest.mark.parametrize("velocity_range", [(-0.5, 0.5), (-0.1, 0.3), (0.0, 1.0)])
def test_velocities_stay_within_their_range(problem, velocity_range):
    steps = np.diff(fly(problem, velocity_range), axis=0)
    low, high = velocity_range
    assert steps.min() >= low - 1e-12
    assert steps.max() <= high + 1e-12
    assert np.isclose(steps, low, atol=1e-12).any()
    assert np.isclose(steps, high, atol=1e-12).any()


def test_nothing_ever_falls_under_the_printed_range(problem):
    steps = np.diff(fly(problem, (0.0, 1.0), rounds=30), axis=0)
    assert (steps >= 0.0).all()
    assert (steps > 0.0).any()


def test_turbulence_shakes_its_share_of_the_particles(problem):
    # One particle is its own leader and personal best: it moves by turbulence or not at all.
    swarms = [
        ClassicSwarm(problem, ALL, 1, 0.3, FREE, np.random.default_rng(seed)) for seed in range(300)
    ]
    moved = []
    for swarm in swarms:
        before = swarm.ask()
        swarm.tell(np.array([BETTER]))
        moved.append((swarm.ask() != before).any())
    assert np.mean(moved) == pytest.approx(0.3, abs=0.1)


def test_three_rounds_by_hand(problem):
    swarm = ClassicSwarm(problem, ALL, 2, 0.0, FREE, Same(0.5))
    leader, start = swarm.ask().copy()
    swarm.tell(np.array([BETTER, WORSE]))
    v1 = 0.5 * (leader - start)  # no velocity yet, and it stands at its personal best
    x1 = start + v1
    np.testing.assert_allclose(swarm.ask(), [leader, x1], rtol=1e-14)
    swarm.tell(np.array([BETTER, WORSE / 2]))  # the start remains the personal best
    v2 = 0.35 * v1 + 0.5 * (start - x1) + 0.5 * (leader - x1)
    x2 = x1 + v2
    np.testing.assert_allclose(swarm.ask(), [leader, x2], rtol=1e-14)
    swarm.tell(np.array([BETTER, 2 * WORSE]))  # a new personal best
    x3 = x2 + 0.35 * v2 + 0.5 * (leader - x2)
    np.testing.assert_allclose(swarm.ask(), [leader, x3], rtol=1e-14)


@pytest.mark.parametrize(("drawn", "gives_way"), [(0.25, True), (0.75, False)])
def test_a_coin_decides_between_personal_bests_of_which_neither_dominates(
    problem, drawn, gives_way
):
    swarm = ClassicSwarm(problem, ALL, 2, 0.0, FREE, Same(drawn))
    leader, start = swarm.ask().copy()
    left, right = np.array([0.2, 0.1] * 3), np.array([0.1, 0.2] * 3)
    swarm.tell(np.array([BETTER, left]))
    v1 = drawn * (leader - start)
    x1 = swarm.ask()[1].copy()
    swarm.tell(np.array([BETTER, right]))
    best = x1 if gives_way else start
    v2 = (0.4 - drawn / 10) * v1 + drawn * (best - x1) + drawn * (leader - x1)
    np.testing.assert_allclose(swarm.ask()[1], x1 + v2, rtol=1e-14)


def test_no_coin_gives_a_personal_best_away_to_what_it_dominates(problem):
    swarm = ClassicSwarm(problem, ALL, 2, 0.0, FREE, Same(0.25))
    leader, start = swarm.ask().copy()
    swarm.tell(np.array([BETTER, 2 * WORSE]))
    v1 = 0.25 * (leader - start)
    x1 = swarm.ask()[1].copy()
    swarm.tell(np.array([BETTER, WORSE]))
    v2 = 0.375 * v1 + 0.25 * (start - x1) + 0.25 * (leader - x1)
    np.testing.assert_allclose(swarm.ask()[1], x1 + v2, rtol=1e-14)


def test_personal_bests_look_at_the_chosen_objectives_only(problem):
    swarm = ClassicSwarm(problem, np.array([0, 1]), 2, 0.0, FREE, Same(0.75))
    leader, start = swarm.ask().copy()
    swarm.tell(np.array([BETTER, [0.2, 0.2, 0.0, 0.0, 0.0, 0.0]]))
    v1 = 0.75 * (leader - start)
    x1 = swarm.ask()[1].copy()
    swarm.tell(np.array([BETTER, [0.1, 0.1, 1.0, 1.0, 1.0, 1.0]]))
    v2 = 0.325 * v1 + 0.75 * (start - x1) + 0.75 * (leader - x1)
    np.testing.assert_allclose(swarm.ask()[1], x1 + v2, rtol=1e-14)
