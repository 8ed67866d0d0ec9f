import itertools
import math
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from moselect.costs import exact_thresholds
from moselect.costs.thresholds import metric_thresholds
from moselect.metrics import metric_named
from moselect.metrics.decision_metrics import count_cells
from moselect.models import smooth_thresholds
from moselect.models.calibration import calibrate

SCORES = st.integers(-3, 3).map(float) | st.floats(-1e9, 1e9, width=32)


def assert_exact(scores, codes, costs, weights=None):
    """Compare with all placements of thresholds, for costs (r, r) or (n, r, r)."""
    n = len(scores)
    r = costs.shape[-1]
    row_costs = np.broadcast_to(costs, (n, r, r))[np.arange(n), codes]

    def mean_cost(thresholds):
        # The class is the number of thresholds strictly below the score.
        predicted = np.searchsorted(thresholds, scores)
        return np.average(row_costs[np.arange(n), predicted], weights=weights)

    thresholds, cost = exact_thresholds(np.array(scores), np.array(codes), costs, weights)
    assert thresholds.shape == (r - 1,)
    assert (np.diff(thresholds) >= 0).all()
    candidates = [-math.inf, *np.unique(scores)]
    placements = itertools.combinations_with_replacement(candidates, r - 1)
    least = min(map(mean_cost, placements))
    assert cost == pytest.approx(least, rel=1e-12, abs=1e-300)
    assert mean_cost(thresholds) == pytest.approx(least, rel=1e-12, abs=1e-300)


@st.composite
def problems(draw, scores):
    r = draw(st.integers(2, 4))
    objects = draw(
        st.lists(st.tuples(scores, st.integers(0, r - 1)), min_size=1, max_size=8)
    )
    entries = st.just(0.0) | st.sampled_from([1.0, 2.0]) | st.floats(1e-3, 1e3)
    costs = draw(hnp.arrays(np.float64, (r, r), elements=entries))
    return [s for s, _ in objects], [y for _, y in objects], costs


@pytest.mark.checks("Search and thresholds", "every placement of thresholds")
@given(problems(SCORES))
def test_exact_thresholds_have_the_least_cost(problem):
    assert_exact(*problem)


@pytest.mark.parametrize("r", [3, 4])
def test_exact_thresholds_have_the_least_weighted_sum_of_row_costs(r):
    rng = np.random.default_rng(r)
    for _ in range(60):
        codes = rng.permutation(np.arange(9) % r)
        scores = rng.integers(0, 6, 9)
        costs = rng.lognormal(0.0, 1.5, (9, r, r))
        assert_exact(scores.astype(float), codes, costs, rng.uniform(0.5, 2.0, 9))


@pytest.mark.parametrize("seed", range(6))
def test_smooth_thresholds_have_the_least_expected_cost(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=14)
    scores = np.round(codes + rng.normal(size=14), 1)
    costs = rng.random((3, 3))
    weights = rng.uniform(0.5, 3.0, 14)
    calibration = calibrate(scores, codes, 3, weights)
    expected = calibration(scores) @ costs * weights[:, None]

    def cost(thresholds):
        return expected[np.arange(14), np.searchsorted(thresholds, scores)].sum()

    places = [-math.inf, *sorted(set(scores))]
    least = min(map(cost, itertools.combinations_with_replacement(places, 2)))
    found = smooth_thresholds(scores, codes, costs, weights)
    assert cost(found) == pytest.approx(least)


CLASSES = ["slight", "mild", "severe", "fatal"]
NAMES = [
    *("quadratic_kappa", "linear_kappa", "kappa", "minimum_sensitivity", "maximum_mae"),
    *("f1:mild", "f2:severe", "jaccard:severe"),
]


def draw_rows(seed: int):
    """Draw 10 to 16 rows with ties, weights, and 3 or 4 classes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 17))
    r = int(rng.integers(3, 5))
    codes = np.concatenate([np.arange(r), rng.integers(r, size=n - r)])
    scores = np.rint(codes + rng.normal(0.0, 1.5, size=n))
    weights = rng.uniform(0.2, 3.0, size=n) if seed % 2 else np.ones(n)
    return scores, codes, weights, r


def least_loss(metric, scores, codes, weights, r) -> float:
    """Try every set of thresholds."""
    # Thresholds between distinct scores and beyond both ends give every prediction.
    distinct = np.unique(scores)
    candidates = [-np.inf, *(distinct[:-1] + 0.5), np.inf]
    losses = [
        metric.loss(count_cells(codes, np.searchsorted(thresholds, scores), weights, r))
        for thresholds in combinations_with_replacement(candidates, r - 1)
    ]
    return float(min(losses))


@pytest.mark.parametrize("name", NAMES)
def test_thresholds_are_optimal(name):
    for seed in range(20):
        scores, codes, weights, r = draw_rows(seed)
        metric = metric_named(name, CLASSES[:r])
        thresholds, solution = metric_thresholds(
            metric, scores, np.eye(r)[codes] * weights[:, None]
        )
        predicted = np.searchsorted(thresholds, scores)
        loss = float(metric.loss(count_cells(codes, predicted, weights, r)))
        assert loss <= least_loss(metric, scores, codes, weights, r) + 1e-9
        assert loss == pytest.approx(float(metric.loss(solution.confusions)))


@pytest.mark.parametrize("name", ["minimum_sensitivity", "maximum_mae"])
def test_the_worst_class_is_far_better_than_chance_on_many_rows(name):
    rng = np.random.default_rng(0)
    codes = rng.choice(4, size=3_000, p=[0.6, 0.25, 0.14, 0.01])
    scores = codes + rng.normal(size=3_000)
    metric = metric_named(name, CLASSES)
    _, solution = metric_thresholds(metric, scores, np.eye(4)[codes])
    sizes = np.bincount(codes)
    assert metric.loss(solution.confusions) < 0.8 * metric.chance_loss(sizes)


def test_among_decisions_of_equal_f_the_nearest_class_is_predicted():
    scores = np.arange(40.0)
    codes = np.repeat(np.arange(4), 10)
    metric = metric_named("f1:severe", CLASSES)
    thresholds, _ = metric_thresholds(metric, scores, np.eye(4)[codes])
    np.testing.assert_allclose(thresholds, [9.5, 19.5, 29.5])
