from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from moselect.decision import Costs, cost_matrix, exact_thresholds, exact_thresholds_from_counts
from moselect.metrics import RankingCounts, count_parts, count_rankings
from moselect.metrics.counts import ScoreBins


def small_counts():
    return RankingCounts(range(3), bins=ScoreBins.by_prefix(14))


def sample(n, r, rounded, seed):
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(r), rng.integers(0, r, n - r))
    scores = y + rng.normal(scale=1.2, size=n)
    return y, np.round(scores) if rounded else scores


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("r", [2, 3, 5])
def test_the_least_cost_lies_between_the_bounds_and_is_found(r, rounded, weighted):
    rng = np.random.default_rng(r)
    for seed in range(5):
        y, scores = sample(400, r, rounded, seed)
        weights = rng.exponential(size=400) if weighted else None
        columns = (y, scores) if weights is None else (y, scores, weights)
        costs = rng.uniform(1, 2, (r, r)) * (1 - np.eye(r))
        _, cost = exact_thresholds(scores, y, costs, weights)
        parts = partial(list, [columns])
        empty = RankingCounts(range(r), bins=ScoreBins.by_prefix(14), weighted=weighted)
        coarse = exact_thresholds_from_counts(count_parts(parts, empty), costs)
        assert coarse.least_cost - 1e-12 <= cost <= coarse.cost + 1e-12
        fine = count_rankings(partial(count_parts, parts), empty, tolerance=1e-12, max_bins=20_000)
        found = exact_thresholds_from_counts(fine, costs)
        assert found.cost == pytest.approx(cost, abs=1e-12)
        predicted = np.searchsorted(found.thresholds, scores, side="left")
        assert np.average(costs[y, predicted], weights=weights) == pytest.approx(found.cost)
        assert found.least_cost <= found.cost
        if not weighted:
            assert found.least_cost == pytest.approx(cost, abs=0.01)


def test_the_cost_is_that_of_the_thresholds_in_wide_bins_too():
    y, scores = sample(2000, 4, False, 0)
    costs = cost_matrix([1, 2, 3, 9])
    counts = RankingCounts(range(4), bins=ScoreBins.by_prefix(13)).update(y, scores)
    found = exact_thresholds_from_counts(counts, costs)
    predicted = np.searchsorted(found.thresholds, scores, side="left")
    assert costs[y, predicted].mean() == pytest.approx(found.cost)
    assert found.least_cost < found.cost


def test_class_costs_and_priors():
    y, scores = sample(500, 3, False, 1)
    counts = small_counts().update(y, scores)
    given = exact_thresholds_from_counts(counts, [1, 1, 5])
    matrix = exact_thresholds_from_counts(counts, cost_matrix([1, 1, 5]))
    assert given.cost == matrix.cost
    rare = exact_thresholds_from_counts(counts, Costs([1, 1, 1], priors=[0.98, 0.01, 0.01]))
    assert rare.thresholds[0] > given.thresholds[0]
    with pytest.raises(ValueError, match="4"):
        exact_thresholds_from_counts(counts, [1, 1, 1, 1])
    with pytest.raises(ValueError, match="class 2 has none"):
        exact_thresholds_from_counts(small_counts().update([0, 1], [0.0, 1.0]), [1, 1, 1])
