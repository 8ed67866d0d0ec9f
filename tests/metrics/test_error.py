"""Measures of predicted classes against scikit-learn, skordinal and their definitions."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk

from moselect import metrics


@pytest.fixture(params=[None, 1], ids=["unweighted", "weighted"])
def sample(request):
    rng = np.random.default_rng(21)
    y = rng.integers(1, 6, 200)
    predicted = np.clip(y + rng.integers(-2, 3, 200), 1, 5)
    return y, predicted, None if request.param is None else rng.integers(0, 4, 200)


def within_one(y, predicted, sample_weight):
    return np.average(np.abs(y - predicted) <= 1, weights=sample_weight)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (metrics.accuracy_score, sk.accuracy_score),
        (metrics.mean_zero_one_error, sk.zero_one_loss),
        (metrics.mean_absolute_error, sk.mean_absolute_error),
        (metrics.mean_squared_error, sk.mean_squared_error),
        (metrics.root_mean_squared_error, sk.root_mean_squared_error),
        (metrics.off_by_one_accuracy_score, within_one),
        (metrics.weighted_kappa_score, partial(sk.cohen_kappa_score, weights="linear")),
        (
            partial(metrics.weighted_kappa_score, weights="quadratic"),
            partial(sk.cohen_kappa_score, weights="quadratic"),
        ),
    ],
)
def test_scikit_learn_agrees(sample, ours, theirs):
    y, predicted, weights = sample
    expected = theirs(y, predicted, sample_weight=weights)
    assert ours(y, predicted, sample_weight=weights) == pytest.approx(expected, rel=1e-12)


def test_sensitivities_are_recalls(sample):
    y, predicted, weights = sample
    recalls = sk.recall_score(y, predicted, average=None, sample_weight=weights)
    found = metrics.minimum_sensitivity_score(y, predicted, sample_weight=weights)
    assert found == pytest.approx(recalls.min(), rel=1e-13)
    found = metrics.mean_zero_one_error(
        y, predicted, average="macro", sample_weight=weights
    )
    assert found == pytest.approx(1 - recalls.mean(), rel=1e-13)


def test_averages_over_classes(sample):
    y, predicted, weights = sample
    by_class = [
        [
            np.average(
                np.abs(y - predicted)[y == k] ** power,
                weights=None if weights is None else weights[y == k],
            )
            for k in range(1, 6)
        ]
        for power in (1, 2)
    ]
    expected = {
        metrics.mean_absolute_error: np.mean(by_class[0]),
        metrics.mean_squared_error: np.mean(by_class[1]),
        metrics.root_mean_squared_error: np.sqrt(np.mean(by_class[1])),
    }
    for metric, value in expected.items():
        found = metric(y, predicted, average="macro", sample_weight=weights)
        assert found == pytest.approx(value, rel=1e-13), metric.__name__


def test_a_class_absent_from_a_fold_does_not_shrink_distances():
    y, predicted = [1, 3, 3], [3, 3, 1]
    assert metrics.mean_absolute_error(y, predicted) == pytest.approx(2 / 3)
    assert metrics.mean_absolute_error(y, predicted, labels=[1, 2, 3]) == pytest.approx(
        4 / 3
    )
    ordered = pd.Categorical(y, categories=[1, 2, 3], ordered=True)
    assert metrics.mean_absolute_error(ordered, predicted) == pytest.approx(4 / 3)
    assert metrics.mean_absolute_error(
        ordered, predicted, average="macro"
    ) == pytest.approx(1.5)


@pytest.mark.parametrize(
    "metric",
    [
        partial(metrics.mean_absolute_error, average="macro"),
        metrics.minimum_sensitivity_score,
    ],
)
def test_classes_without_samples_leave_averages_over_classes_undefined(metric):
    with pytest.raises(ValueError, match="class 2 has none"):
        metric([1, 3, 3], [1, 2, 3], labels=[1, 2, 3])
    metric([1, 3, 3], [1, 2, 3])
