"""How particles move, and whom they follow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest, uniform

from moselect.pareto import ParetoArchive, crowding_distance
from moselect.search import OrdinalProblem, moves
from moselect.search.whitening import unit


@pytest.fixture
def problem(smooth):
    X, ranks = smooth(seed=0, r=3, n=60, p=6)
    return OrdinalProblem(X, ranks)


def draw_directions(n, d, seed=0):
    return unit(np.random.default_rng(seed).normal(size=(n, d)))


def test_velocity_is_a_sum_of_inertia_and_two_pulls():
    rng = np.random.default_rng(0)
    velocity, position, best, leader = rng.normal(size=(4, 2000, 3))
    found = moves.accelerate(
        velocity, position, best, leader, 1.5, np.random.default_rng(1)
    )
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


def test_turbulence_changes_the_weights_of_few_features_or_of_all(problem):
    base = draw_directions(300, 6)
    moved = moves.turbulence(problem, base, np.random.default_rng(1))
    change = np.abs(problem.models(moved)[0] - problem.models(base)[0])
    changed = (change > 1e-9 * change.max(axis=1, keepdims=True)).sum(axis=1)
    assert changed.min() == 1
    assert 0.2 < (changed == 6).mean() < 0.6
    assert 0.3 < (changed < 4).mean() < 0.8


def test_differences_are_those_of_two_members():
    base, members = np.zeros((40, 3)), draw_directions(4, 3)
    moved = moves.difference(base, members, np.random.default_rng(0))
    pairs = unit(np.array([a - b for a in members for b in members if (a != b).any()]))
    for step in moved[moved.any(axis=1)]:
        assert (pairs @ step).max() == pytest.approx(np.linalg.norm(step), rel=1e-12)
    assert moved.any()


def test_crossing_takes_the_shortest_step_of_one_sample_a_little_further(smooth):
    X, ranks = smooth(seed=0, r=3, n=60, p=6)
    problem, X = OrdinalProblem(X, ranks), X - X.mean(axis=0)
    offset = problem.models(np.eye(6))[0] @ smooth(seed=0, r=3, n=60, p=6)[0].mean(axis=0)
    base, mixtures = draw_directions(80, 6), np.arange(80) % 8
    steps = moves.cross(problem, base, mixtures, np.random.default_rng(1)) - base
    thresholds = problem.models(base, mixtures)[1] - (base @ offset)[:, None]
    ends = np.column_stack([np.full(80, -np.inf), thresholds, np.full(80, np.inf)])
    # where the score of a sample grows fastest
    samples = problem.models(np.eye(6))[0] @ X.T
    scores = base @ samples
    shifts = np.clip(scores, ends[:, ranks], ends[:, ranks + 1]) - scores
    for step, shift in zip(steps, shifts, strict=True):
        shortest = (samples * shift / (samples**2).sum(axis=0)).T[shift != 0.0]
        further = (shortest @ step) / (shortest**2).sum(axis=1)
        missed = np.linalg.norm(step - further[:, None] * shortest, axis=1)
        assert missed.min() < 1e-12
        assert 1.0 < further[missed.argmin()] < 2.0


def test_crossing_stays_where_all_are_right():
    problem = OrdinalProblem([[0.0], [1.0], [2.0], [3.0]], [1, 1, 2, 2])
    base = np.ones((3, 1))
    moved = moves.cross(
        problem, base, np.zeros(3, dtype=np.int64), np.random.default_rng(0)
    )
    np.testing.assert_array_equal(moved, base)


def test_ascent_leaves_along_the_sphere(problem):
    base = draw_directions(40, 6)
    step = (
        moves.ascend(
            problem, base, np.zeros(40, int), np.ones((40, 6)), np.random.default_rng(0)
        )
        - base
    )
    np.testing.assert_allclose((step * base).sum(axis=1), 0.0, atol=1e-12)
    assert (np.linalg.norm(step, axis=1) > 1e-4).all()


def test_a_climb_goes_as_far_as_it_may(problem):
    base, reach = draw_directions(5, 6), np.array([0.01, 0.1, 0.2, 0.5, 2.0])
    moved = moves.climb(
        problem, base, np.zeros(5, int), np.ones((5, 6)), np.full(5, 0.3), reach
    )
    np.testing.assert_allclose(np.linalg.norm(moved - base, axis=1), reach, rtol=1e-12)


def draw_front(seed, n, m):
    # none dominates another
    return unit(np.abs(np.random.default_rng(seed).normal(size=(n, m))))


def store(points):
    archive = ParetoArchive(points.shape[1], 1)
    archive.add(points, np.zeros((len(points), 1)))
    assert len(archive) == len(points)
    return archive


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(2, 6))
def test_the_best_for_a_trade_off_has_the_greatest_product_of_gains(seed, n, m):
    archive = store(draw_front(seed, n, m))
    rng = np.random.default_rng(seed)
    chance, weights = rng.uniform(0.0, 0.4, size=m), rng.dirichlet(np.ones(m), size=7)
    pool = np.random.default_rng(seed).permutation(len(archive))[
        : -(-3 * len(archive) // 10)
    ]
    chosen = moves.LeaderCandidates(archive, chance, np.random.default_rng(seed)).best(
        weights
    )
    gain = np.maximum((archive.points - chance) / (1.0 - chance), 1e-3)
    for member, weight in zip(chosen, weights, strict=True):
        product = np.prod(gain**weight, axis=1)
        assert member in pool
        assert product[member] == pytest.approx(product[pool].max(), rel=1e-12)


def test_extremes_are_the_maxima_of_all_objectives():
    archive = store(draw_front(0, 30, 4))
    chosen = moves.by_extreme(archive, 200, np.random.default_rng(0))
    maxima = archive.points.argmax(axis=0)
    assert set(chosen.tolist()) == set(maxima.tolist())
    assert np.bincount(chosen)[maxima].min() > 25  # 50 are expected


def test_a_tournament_is_won_by_the_greater_distance():
    archive = store(draw_front(1, 20, 3))
    chosen = moves.by_crowding(archive, 20_000, np.random.default_rng(0))
    distance = crowding_distance(archive.points)
    ranks = (distance[:, None] > distance).sum(axis=1)
    ties = (distance[:, None] == distance).sum(axis=1)
    expected = ((ranks + ties) ** 2 - ranks**2) / 400 / ties
    shares = np.bincount(chosen, minlength=20) / 20_000
    of_ties = [
        [shares[distance == d].sum(), expected[distance == d].sum()]
        for d in set(distance)
    ]
    np.testing.assert_allclose(*np.transpose(of_ties), atol=0.02)


def test_of_many_members_everyone_may_lead():
    archive = store(draw_front(2, 3 * moves.MOST_CROWDED, 3))
    rng = np.random.default_rng(0)
    seen = np.concatenate([moves.by_crowding(archive, 1000, rng) for _ in range(30)])
    assert len(np.unique(seen)) > 0.8 * len(archive)


@pytest.mark.parametrize("choose", [moves.by_crowding, moves.by_extreme])
def test_a_single_member_leads_all(choose):
    archive = store(np.array([[0.3, 0.4]]))
    assert choose(archive, 5, np.random.default_rng(0)).tolist() == [0] * 5
