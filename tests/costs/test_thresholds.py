import math
from itertools import combinations_with_replacement

import numpy as np
import pytest

from moselect.costs.thresholds import metric_thresholds
from moselect.metrics import metric_named
from moselect.metrics.decision_metrics import count_cells
from moselect.models import smooth_thresholds
from moselect.models.calibration import calibrate


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
    least = min(map(cost, combinations_with_replacement(places, 2)))
    found = smooth_thresholds(scores, codes, costs, weights)
    assert cost(found) == pytest.approx(least)


CLASSES = ["slight", "mild", "severe", "fatal"]
NAMES = [
    *("quadratic_kappa", "linear_kappa", "kappa", "minimum_sensitivity", "maximum_mae"),
    *("f1:mild", "f2:severe", "jaccard:severe"),
]


def draw_rows(seed):
    """Draw 10 to 16 rows with ties, weights, and 3 or 4 classes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 17))
    r = int(rng.integers(3, 5))
    codes = np.concatenate([np.arange(r), rng.integers(r, size=n - r)])
    scores = np.rint(codes + rng.normal(0.0, 1.5, size=n))
    weights = rng.uniform(0.2, 3.0, size=n) if seed % 2 else np.ones(n)
    return scores, codes, weights, r


def least_loss(metric, scores, codes, weights, r):
    """Try every set of thresholds."""
    # Thresholds between distinct scores and beyond both ends give every prediction.
    candidates = [-np.inf, *(np.unique(scores)[:-1] + 0.5), np.inf]
    return min(
        metric.loss(count_cells(codes, np.searchsorted(thresholds, scores), weights, r))
        for thresholds in combinations_with_replacement(candidates, r - 1)
    )


@pytest.mark.parametrize("name", NAMES)
def test_thresholds_are_optimal(name):
    for seed in range(20):
        scores, codes, weights, r = draw_rows(seed)
        metric = metric_named(name, CLASSES[:r])
        thresholds, solution = metric_thresholds(
            metric, scores, np.eye(r)[codes] * weights[:, None]
        )
        predicted = np.searchsorted(thresholds, scores)
        loss = metric.loss(count_cells(codes, predicted, weights, r))
        assert loss <= least_loss(metric, scores, codes, weights, r) + 1e-9
        assert loss == pytest.approx(metric.loss(solution.confusions))


@pytest.mark.parametrize("name", ["minimum_sensitivity", "maximum_mae"])
def test_the_worst_class_is_far_better_than_chance_on_many_rows(name, rng):
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
