"""Thresholds that optimise a metric, against brute force."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from moselect.metrics.decision_metrics import count_cells
from moselect.metrics.metric_names import metric_named
from moselect.selection.thresholds import metric_thresholds

CLASSES = ["slight", "mild", "severe", "fatal"]
NAMES = [
    *("quadratic_kappa", "linear_kappa", "kappa", "minimum_sensitivity", "maximum_mae"),
    *("f1:mild", "f2:severe", "jaccard:severe"),
]


def _draw(seed: int):
    """Draw 10 to 16 rows with ties, weights, and 3 or 4 classes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 17))
    r = int(rng.integers(3, 5))
    codes = np.concatenate([np.arange(r), rng.integers(r, size=n - r)])
    scores = np.rint(codes + rng.normal(0.0, 1.5, size=n))
    weights = rng.uniform(0.2, 3.0, size=n) if seed % 2 else np.ones(n)
    return scores, codes, weights, r


def _least_loss(metric, scores, codes, weights, r) -> float:
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
@pytest.mark.parametrize("n_draws", [40, pytest.param(500, marks=pytest.mark.slow)])
def test_thresholds_are_optimal(name, n_draws):
    for seed in range(n_draws):
        scores, codes, weights, r = _draw(seed)
        metric = metric_named(name, CLASSES[:r])
        thresholds, solution = metric_thresholds(
            metric, scores, np.eye(r)[codes] * weights[:, None]
        )
        predicted = np.searchsorted(thresholds, scores)
        loss = float(metric.loss(count_cells(codes, predicted, weights, r)))
        assert loss <= _least_loss(metric, scores, codes, weights, r) + 1e-9
        assert loss == pytest.approx(float(metric.loss(solution.confusions)))


@pytest.mark.parametrize("name", ["minimum_sensitivity", "maximum_mae"])
def test_the_gap_of_the_worst_class_is_small_on_many_rows(name):
    rng = np.random.default_rng(0)
    codes = rng.choice(4, size=3_000, p=[0.6, 0.25, 0.14, 0.01])
    scores = codes + rng.normal(size=3_000)
    metric = metric_named(name, CLASSES)
    _, solution = metric_thresholds(metric, scores, np.eye(4)[codes])
    assert float(solution.gap) < 0.05
    sizes = np.bincount(codes)
    assert metric.loss(solution.confusions) < 0.8 * metric.chance_loss(sizes)


def test_among_decisions_of_equal_f_the_nearest_class_is_predicted():
    scores = np.arange(40.0)
    codes = np.repeat(np.arange(4), 10)
    metric = metric_named("f1:severe", CLASSES)
    thresholds, _ = metric_thresholds(metric, scores, np.eye(4)[codes])
    np.testing.assert_allclose(thresholds, [9.5, 19.5, 29.5])
