import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from moselect.metrics import cost_matrix
from moselect.models import fit_proportional_odds
from moselect.predictor import class_probabilities
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.linear_direction import tune_direction


@pytest.mark.parametrize("emphasis", [1.0, 4.0])
def test_the_objective_is_minimised(emphasis):
    """Minimising the defining formula directly gives no lower value."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    latent = 3.0 * X @ [1.0, 0.0, -1.0] + rng.logistic(size=80)
    codes = np.searchsorted(np.quantile(latent, [1 / 3, 2 / 3]), latent)
    weights = rng.uniform(0.5, 2.0, 80)
    costs = cost_matrix([1, 2, 1])
    start = fit_proportional_odds(X, codes, 3, 2.0, weights)
    plug_in = (class_probabilities(X @ start[0], start[1]) @ costs).argmin(axis=1)
    scale = np.average(costs[codes, plug_in], weights=weights)
    steps = np.diff(costs, axis=1)[codes]

    # NLL + |w|^2 + emphasis / scale * smoothed costs, with unordered intercepts excluded.
    def objective(parameters):
        w = parameters[:3]
        theta = parameters[3:5]
        b = parameters[5:]
        if theta[0] >= theta[1]:
            return np.inf
        own = class_probabilities(X @ w, theta)[np.arange(80), codes]
        passed = expit((X @ w)[:, None] - b)
        loss = -(weights * np.log(own)).sum() + w @ w
        return loss + emphasis / scale * (weights[:, None] * steps * passed).sum()

    w, theta = tune_direction(
        X, codes, DecisionLoss(costs), 2.0, emphasis, start, weights
    )
    best_b = minimize(
        lambda b: objective(np.r_[w, theta, b]), theta, method="Nelder-Mead"
    ).x
    found = np.r_[w, theta, best_b]
    better = minimize(objective, found, method="Nelder-Mead", options={"maxiter": 4000})
    assert objective(found) == pytest.approx(better.fun, abs=0.05)
    assert objective(np.r_[start[0], start[1], best_b]) > objective(found) + 0.2
