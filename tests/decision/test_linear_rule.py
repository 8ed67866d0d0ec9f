from __future__ import annotations

import numpy as np
import pytest

from moselect.decision import N_FOLDS, LinearRuleFitter, cost_matrix
from moselect.models import class_probabilities, fit_proportional_odds

COSTS = cost_matrix([1, 2, 5])


def draw(n=120, seed=0, grid=None):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    if grid is not None:
        X = np.round(X * grid) / grid
    latent = X @ [2.0, -1.0, 0.0] + rng.logistic(size=n)
    return X, np.searchsorted(np.quantile(latent, [0.4, 0.8]), latent)


def test_folds_are_of_equal_size_and_stratified():
    X, codes = draw()
    folds = LinearRuleFitter(X, codes, 3).folds
    for k in range(3):
        sizes = np.bincount(folds[codes == k], minlength=N_FOLDS)
        assert np.ptp(sizes) <= 1


def test_equal_features_are_in_one_fold():
    X, codes = draw(grid=1)
    folds = LinearRuleFitter(X, codes, 3).folds
    _, group = np.unique(X, axis=0, return_inverse=True)
    assert all(len(set(folds[group.ravel() == g])) == 1 for g in range(group.max() + 1))
    assert len(np.unique(group)) < 100  # else it would say nothing


def test_the_plug_in_rule_is_that_of_proportional_odds():
    X, codes = draw()
    fitter = LinearRuleFitter(X, codes, 3)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    weights, cuts = fit_proportional_odds(Z, codes, 3, fitter.penalty)
    fitted, cross_validated = fitter.plug_in(COSTS)
    expected = (class_probabilities(Z @ weights, cuts) @ COSTS).argmin(axis=1)
    np.testing.assert_array_equal(fitted, expected)
    for j in range(N_FOLDS):
        inside, outside = fitter.folds != j, fitter.folds == j
        weights, cuts = fit_proportional_odds(Z[inside], codes[inside], 3, fitter.penalty)
        expected = (class_probabilities(Z[outside] @ weights, cuts) @ COSTS).argmin(axis=1)
        np.testing.assert_array_equal(cross_validated[outside], expected)


def test_the_penalty_has_the_greatest_likelihood_of_the_folds():
    X, codes = draw(60, seed=3)
    X = np.column_stack([X, np.random.default_rng(0).normal(size=(60, 12))])  # much to overfit
    fitter = LinearRuleFitter(X, codes, 3)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)

    def likelihood(penalty):
        total = 0.0
        for j in range(N_FOLDS):
            inside, outside = fitter.folds != j, fitter.folds == j
            weights, cuts = fit_proportional_odds(Z[inside], codes[inside], 3, penalty)
            stated = class_probabilities(Z[outside] @ weights, cuts)
            total += np.log(stated[np.arange(outside.sum()), codes[outside]]).sum()
        return total

    best = max((1.0, 3.0, 10.0, 30.0, 100.0), key=likelihood)
    assert fitter.penalty == best
    assert best > 1.0


@pytest.mark.parametrize("seed", range(3))
def test_cross_validated_predictions_cost_more_than_those_of_the_rule(seed):
    """With little to learn and much to overfit, only an object's own fold tells the truth."""
    X, codes = draw(80, seed)
    X = np.column_stack([X, np.random.default_rng(seed).normal(size=(80, 25))])
    rule = LinearRuleFitter(X, codes, 3).fit(COSTS)
    fitted = np.searchsorted(rule.thresholds, X @ rule.weights)
    assert COSTS[codes, rule.cross_validated].mean() > COSTS[codes, fitted].mean() + 0.05
    assert np.corrcoef(rule.cross_scores, codes)[0, 1] < np.corrcoef(X @ rule.weights, codes)[0, 1]


def test_cross_scores_have_a_common_scale():
    X, codes = draw(1_000)
    rule = LinearRuleFitter(X, codes, 3).fit(COSTS)
    scores = X @ rule.weights
    np.testing.assert_allclose(
        rule.cross_scores, (scores - scores.mean()) / scores.std(), atol=0.25
    )


def test_no_errors_at_all():
    codes = np.repeat([0, 1], 15)
    X = (codes + np.linspace(0, 0.1, 30))[:, None]
    rule = LinearRuleFitter(X, codes, 2).fit(cost_matrix([1, 1]))
    np.testing.assert_array_equal(np.searchsorted(rule.thresholds, X[:, 0] * rule.weights), codes)
    np.testing.assert_array_equal(rule.cross_validated, codes)
