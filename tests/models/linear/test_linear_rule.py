import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.special import expit

from moselect.costs import cost_matrix
from moselect.costs.losses import CostLoss
from moselect.costs.priced import Priced
from moselect.models import fit_proportional_odds
from moselect.models.linear.linear_direction import Part, tune_direction
from moselect.models.linear.linear_rule import fit_rule
from moselect.predictor import class_probabilities
from moselect.samples import Samples
from moselect.samples.folds import Folds
from tests.any_tables import ordinal_table

COSTS = cost_matrix([1, 2, 5])


def fitted(X, codes, costs=COSTS, **loss):
    return fit_rule(Samples.from_table(X, codes), Priced(costs, **loss))


def test_the_rule_is_invariant_to_the_units_of_the_loss():
    X, codes = ordinal_table(120)
    ranking = np.array([0.4, 0.0, 0.3, 0.3])
    one, other = (
        fitted(X, codes, unit * COSTS, loss=CostLoss(unit * ranking))
        for unit in (1.0, 8.0)
    )
    assert_allclose(one.coef_, other.coef_, rtol=1e-3)
    assert_allclose(one.thresholds_, other.thresholds_, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_folds_and_samples_may_lack_a_class(missing):
    X, codes = ordinal_table(60)
    samples = Samples.from_table(X, codes)
    # The rows of the class are one fold, which is trained on the other classes.
    folds = Folds.deal(codes != missing, codes, 2)
    rule = fit_rule(samples, Priced(COSTS), folds)
    assert np.isfinite(rule.coef_).all()
    rule = fit_rule(samples.take(codes != missing), Priced(COSTS))
    scores = X @ rule.coef_
    predicted = np.searchsorted(rule.thresholds_, scores)
    assert {*predicted.tolist()} == {0, 1, 2} - {missing}
    proba = class_probabilities(
        rule.calibration.slope * scores, np.array(rule.calibration.intercepts)
    )
    assert proba[:, missing].max() < 1e-3


def test_wide_tables_are_fitted_like_narrow_ones(rng):
    """Constant columns change nothing, but make the table a wide one."""
    X, codes = ordinal_table(60)
    X = np.column_stack([X, rng.normal(size=(60, 52))])
    narrow = fitted(X, codes)
    wide = np.column_stack([X, np.ones((60, 10))])
    rule = fitted(wide, codes)
    assert_array_equal(rule.coef_[55:], 0.0)
    scores = X @ narrow.coef_
    assert_allclose(wide @ rule.coef_, scores, atol=0.02 * scores.std())


def test_the_objective_is_minimised(rng):
    """Minimising the defining formula directly gives no lower value."""
    emphasis = 4.0
    X, codes = ordinal_table(80)
    weights = rng.uniform(0.5, 2.0, 80)
    costs = cost_matrix([1, 2, 1])
    start = fit_proportional_odds(X, codes, 3, 2.0, weights)
    plug_in = (class_probabilities(X @ start[0], start[1]) @ costs).argmin(axis=1)
    scale = np.average(costs[codes, plug_in], weights=weights)
    steps = np.diff(costs, axis=1)[codes]

    # NLL + |w|^2 + emphasis / scale * smoothed costs, with unordered intercepts excluded.
    def objective(parameters):
        w, theta, b = np.split(parameters, [3, 5])
        if theta[0] >= theta[1]:
            return np.inf
        own = class_probabilities(X @ w, theta)[np.arange(80), codes]
        passed = expit((X @ w)[:, None] - b)
        loss = -(weights * np.log(own)).sum() + w @ w
        return loss + emphasis / scale * (weights[:, None] * steps * passed).sum()

    part = Part(X, np.arange(80), codes, weights, 3, np.zeros(3), np.ones(3))
    w = tune_direction(part, Priced(costs), 2.0, emphasis, start)
    best = minimize(
        lambda rest: objective(np.r_[w, rest]), np.tile(start[1], 2), method="Nelder-Mead"
    ).x
    found = np.r_[w, best]
    better = minimize(objective, found, method="Nelder-Mead", options={"maxiter": 4000})
    assert objective(found) == pytest.approx(better.fun, abs=0.05)
    assert objective(np.r_[start[0], start[1], best[2:]]) > objective(found) + 0.2
