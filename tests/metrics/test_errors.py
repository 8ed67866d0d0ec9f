"""Measures of classes and probabilities against scikit-learn and their definitions."""

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


@pytest.mark.checks("Measures", "scikit-learn's measures")
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (metrics.accuracy_score, sk.accuracy_score),
        (metrics.mean_zero_one_error, sk.zero_one_loss),
        (metrics.mean_absolute_error, sk.mean_absolute_error),
        (metrics.mean_squared_error, sk.mean_squared_error),
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


def test_macro_averages_are_means_over_classes(sample):
    y, predicted, weights = sample

    def by_class(metric):
        return [
            metric(
                y[rows],
                predicted[rows],
                sample_weight=None if weights is None else weights[rows],
            )
            for rows in (y == np.arange(1, 6)[:, None])
        ]

    expected = {
        metrics.mean_zero_one_error: np.mean(by_class(sk.zero_one_loss)),
        metrics.mean_absolute_error: np.mean(by_class(sk.mean_absolute_error)),
        metrics.mean_squared_error: np.mean(by_class(sk.mean_squared_error)),
    }
    for metric, value in expected.items():
        found = metric(y, predicted, average="macro", sample_weight=weights)
        assert found == pytest.approx(value, rel=1e-13), metric.__name__
    found = metrics.minimum_sensitivity_score(y, predicted, sample_weight=weights)
    assert found == pytest.approx(min(by_class(sk.accuracy_score)), rel=1e-13)


def test_a_class_absent_from_a_fold_does_not_shrink_distances():
    y = [1, 3, 3]
    ordered = pd.Categorical(y, categories=[1, 2, 3], ordered=True)
    for true, options, expected in (
        (y, {}, 2 / 3),
        (y, {"labels": [1, 2, 3]}, 4 / 3),
        (ordered, {}, 4 / 3),
        (ordered, {"average": "macro"}, 1.5),
    ):
        found = metrics.mean_absolute_error(true, [3, 3, 1], **options)
        assert found == pytest.approx(expected)


COSTS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 5.0, 0.5]])


def test_expected_cost_is_the_mean_over_samples_or_over_classes_by_their_priors(rng):
    y, predicted = rng.integers(1, 4, (2, 50))
    weights = rng.random(50)
    costs = COSTS[y - 1, predicted - 1]
    assert metrics.expected_cost(y, predicted, COSTS) == pytest.approx(costs.mean())
    found = metrics.expected_cost(y, predicted, COSTS, sample_weight=weights)
    assert found == pytest.approx(np.average(costs, weights=weights))
    priors = np.array([0.1, 0.0, 0.9])
    means = [np.average(costs[y == k], weights=weights[y == k]) for k in (1, 2, 3)]
    found = metrics.expected_cost(
        y, predicted, COSTS, sample_weight=weights, priors=priors
    )
    assert found == pytest.approx(priors @ means)


def test_ranked_probability_error_is_a_mean_of_squares(rng):
    y = rng.integers(1, 5, 50)
    proba = rng.dirichlet(np.ones(4), 50)
    weights = rng.integers(1, 4, 50)
    is_at_most = y[:, None] <= np.arange(1, 5)
    squares = ((proba.cumsum(axis=1) - is_at_most) ** 2).sum(axis=1)
    found = metrics.ranked_probability_error(y, proba, sample_weight=weights)
    assert found == pytest.approx(np.average(squares, weights=weights), rel=1e-12)
