from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.pareto import ParetoArchive, crowding_distance
from moselect.search import moves


def draw_front(seed, n, m):
    points = np.abs(np.random.default_rng(seed).normal(size=(n, m)))
    # none dominates another
    return points / np.linalg.norm(points, axis=1, keepdims=True)


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
    chosen = moves.LeaderPool(archive, chance, np.random.default_rng(seed)).best(weights)
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
