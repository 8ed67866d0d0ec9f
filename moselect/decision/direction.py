"""The direction of features along which given costs can be kept low."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from moselect._kernels.cumulative_logit import add_smoothed_costs, negative_log_likelihood
from moselect.models import RoundCoordinates, class_probabilities

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# A relative gain of 1e-5 is some hundredth of a unit of log-likelihood: no sample would notice.
ENOUGH = 1e-5
MOST_STEPS = 100


def tune_direction(
    X: Floats,
    codes: Integers,
    costs: Floats,
    penalty: float,
    emphasis: float,
    start: tuple[Floats, Floats],
    weights: Floats,
) -> tuple[Floats, Floats]:
    """Minimise the loss of proportional odds and the smoothed cost of thresholds together.

    The loss is NLL(w, theta) + penalty / 2 |w|^2 + emphasis / c0 * sum_i sum_k
    (C[y_i, k + 1] - C[y_i, k]) s(w . x_i - b_k), over w, theta and b, where s is the logistic
    function and c0 the mean cost of the plug-in rule of the model from which it starts.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Features, standardised.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1.
    costs : ndarray of shape (r, r)
        Cost of predicting each class (columns) for each true class (rows).
    penalty : float
        Weight of the ridge penalty.
    emphasis : float
        Weight of the costs beside the likelihood; 0 gives proportional odds.
    start : tuple of ndarray
        Weights (p,) and cut points theta (r - 1,) of proportional odds.
    weights : ndarray of shape (n,)
        Weights of the samples.

    Returns
    -------
    weights : ndarray of shape (p,)
    cut_points : ndarray of shape (r - 1,)
        Theta.
    """
    n, p = X.shape
    r = len(costs)
    scores = X @ start[0]
    plugged = (class_probabilities(scores, start[1]) @ costs).argmin(axis=1)
    mean_cost = float(weights @ costs[codes, plugged]) / weights.sum()
    if emphasis == 0.0 or mean_cost == 0.0:
        return start
    thresholds = _separating(scores, plugged, r)
    steps = np.diff(costs, axis=1) * (emphasis / mean_cost)
    coordinates = RoundCoordinates(X, penalty, weights)
    d_scores, d_cuts, d_thresholds = np.empty(n), np.empty(r - 1), np.empty(r - 1)

    def loss(packed: Floats) -> tuple[float, Floats]:
        model, b = packed[: p + r - 1], packed[p + r - 1 :]
        f, theta = coordinates.scores(model), coordinates.cuts(model)
        value = negative_log_likelihood(f, theta, codes, weights, d_scores, d_cuts)
        value += add_smoothed_costs(f, b, codes, weights, steps, d_scores, d_thresholds)
        ridge, d_ridge = coordinates.ridge(model)
        gradient = coordinates.gradient(model, d_scores, d_cuts)
        gradient[:p] += d_ridge
        return value + ridge, np.concatenate([gradient, d_thresholds])

    packed = np.concatenate([coordinates.pack(*start), thresholds])
    fitted = minimize(
        loss,
        packed,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": MOST_STEPS, "ftol": ENOUGH},
    ).x
    return coordinates.weights(fitted), coordinates.cuts(fitted[: p + r - 1])


def _separating(scores: Floats, predicted: Integers, n_classes: int) -> Floats:
    """Return thresholds (r - 1,) between the highest score of each class and the next ones."""
    lowest = scores.min() - 1.0
    highest = [scores[predicted <= k].max(initial=lowest) for k in range(n_classes - 1)]
    return np.asarray(highest)
