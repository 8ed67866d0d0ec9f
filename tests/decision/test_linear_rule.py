from __future__ import annotations

import numpy as np
import pytest

from moselect.decision import Goal, LinearRuleFitter, cost_matrix, rule_figures
from moselect.decision.folded_samples import N_FOLDS
from moselect.metrics import ranking_scores
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
    fitted, cross_fitted = fitter.plug_in(COSTS)
    expected = (class_probabilities(Z @ weights, cuts) @ COSTS).argmin(axis=1)
    np.testing.assert_array_equal(fitted, expected)
    for j in range(N_FOLDS):
        inside, outside = fitter.folds != j, fitter.folds == j
        weights, cuts = fit_proportional_odds(Z[inside], codes[inside], 3, fitter.penalty)
        expected = (class_probabilities(Z[outside] @ weights, cuts) @ COSTS).argmin(axis=1)
        np.testing.assert_array_equal(cross_fitted[outside], expected)


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
def test_cross_fitted_predictions_cost_more_than_those_of_the_rule(seed):
    """With little to learn and much to overfit, only an object's own fold tells the truth."""
    X, codes = draw(80, seed)
    X = np.column_stack([X, np.random.default_rng(seed).normal(size=(80, 25))])
    rule = LinearRuleFitter(X, codes, 3).fit(Goal(COSTS))
    fitted = np.searchsorted(rule.thresholds, X @ rule.weights)
    assert COSTS[codes, rule.cross_fitted].mean() > COSTS[codes, fitted].mean() + 0.05
    assert np.corrcoef(rule.cross_scores, codes)[0, 1] < np.corrcoef(X @ rule.weights, codes)[0, 1]


def test_cross_scores_have_a_common_scale():
    X, codes = draw(1_000)
    rule = LinearRuleFitter(X, codes, 3).fit(Goal(COSTS))
    scores = X @ rule.weights
    np.testing.assert_allclose(
        rule.cross_scores, (scores - scores.mean()) / scores.std(), atol=0.25
    )


def test_no_errors_at_all():
    codes = np.repeat([0, 1], 15)
    X = (codes + np.linspace(0, 0.1, 30))[:, None]
    rule = LinearRuleFitter(X, codes, 2).fit(Goal(cost_matrix([1, 1])))
    np.testing.assert_array_equal(np.searchsorted(rule.thresholds, X[:, 0] * rule.weights), codes)
    np.testing.assert_array_equal(rule.cross_fitted, codes)


def with_outliers(n=400, seed=0):
    """Draw classes along one feature, with outliers that turn proportional odds away from it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    codes = np.searchsorted([-0.5, 0.5], X[:, 0] + 0.1 * rng.normal(size=n))
    wild = rng.random(n) < 0.05
    X[wild, 0] = np.where(codes[wild] == 0, 1.0, -1.0) * 15.0
    return X, codes


def test_a_front_helps_or_stays_out():
    X, codes = with_outliers()
    fitter = LinearRuleFitter(X, codes, 3)
    right = np.array([[1.0, 0.0, 0.0]])
    wrong = np.array([[0.0, 1.0, 0.0]])
    goal = Goal(np.ones((3, 3)) - np.eye(3))
    alone = fitter.fit(goal)
    helped = fitter.fit(goal, right, [right] * N_FOLDS)
    hindered = fitter.fit(goal, wrong, [wrong] * N_FOLDS)
    cost = [goal.costs[codes, rule.cross_fitted].mean() for rule in (alone, helped, hindered)]
    assert alone.front_share == 0.0
    assert hindered.front_share < 0.01
    assert cost[2] == pytest.approx(cost[0], abs=0.02)
    assert cost[1] <= cost[0] + 0.01


def test_the_share_of_a_front_grows_with_the_evidence():
    """The front knows a direction that ordinary fits on few of many features cannot find."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 60))
    codes = np.searchsorted([-0.4, 0.4], X[:, 0] + 0.3 * rng.normal(size=150))
    fitter = LinearRuleFitter(X, codes, 3)
    known = np.eye(60)[:1]
    goal = Goal(np.zeros((3, 3)), np.array([0.0, 0.0, 1.0, 0.0]))
    rule = fitter.fit(goal, known, [known] * N_FOLDS)
    assert rule.front_share > 0.95
    assert np.abs(rule.weights[1:]).max() < 0.1 * rule.weights[0]


def test_units_of_the_goal_do_not_matter():
    X, codes = draw()
    fitter = LinearRuleFitter(X, codes, 3)
    ranking = np.array([0.4, 0.0, 0.3, 0.3])
    rules = [fitter.fit(Goal(unit * COSTS, unit * ranking)) for unit in (1.0, 8.0)]
    np.testing.assert_allclose(rules[0].weights, rules[1].weights, rtol=1e-3)
    np.testing.assert_allclose(rules[0].thresholds, rules[1].thresholds, rtol=1e-2, atol=1e-2)


def test_a_constant_feature_has_no_weight_and_a_constant_front_no_say():
    X, codes = draw()
    X = np.column_stack([X, np.full(len(X), 7.0)])
    constant = np.array([[0.0, 0.0, 0.0, 1.0]])
    rule = LinearRuleFitter(X, codes, 3).fit(Goal(COSTS), constant, [constant] * N_FOLDS)
    assert rule.weights[-1] == 0.0
    assert rule.front_share < 0.01


def test_scores_of_the_plug_in_rule_without_the_fold():
    X, codes = draw()
    fitter = LinearRuleFitter(X, codes, 3)
    fitted, crossed = fitter.plug_in_scores()
    assert np.corrcoef(fitted, crossed)[0, 1] > 0.95
    assert not np.allclose(fitted, crossed)


def test_figures_are_those_of_the_measures():
    X, codes = draw()
    rule = LinearRuleFitter(X, codes, 3).fit(Goal(COSTS))
    figures = rule_figures(codes, rule.cross_fitted, rule.cross_scores, 3)
    deviation = np.abs(codes - rule.cross_fitted)
    ranking = ranking_scores(codes, rule.cross_scores)
    expected = [(deviation == 0).mean(), 1.0 - deviation.mean(), *ranking]
    np.testing.assert_allclose(figures.values, expected)
    right = deviation == 0
    assert figures.standard_errors[0] == pytest.approx(right.std(ddof=1) / np.sqrt(len(codes)))
