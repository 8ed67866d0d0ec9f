"""Weights of models: a pool on the log-odds of "above class k"."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit

from moselect._types import Floats, Integers
from moselect.models.class_probabilities import class_shares, descending

SURE = 0.002  # probabilities beyond this and 1 less this are not believed
FURTHEST = 12.0  # intercepts; they would be infinite at a cut that all samples lie on one side of
# pull of the weights towards equal ones; from 0.3 to 40 the results are the same
RIDGE = 5.0


class LogOddsPool(NamedTuple):
    """``logit P(y > k) = a_k + sum_b w_b logit P_b(y > k)``."""

    intercepts: Floats  # (r - 1,)
    weights: Floats  # (B,) not negative

    def above(self, log_odds: Floats) -> Floats:
        """Compute pooled log-odds (n, r - 1) from those of the models (n, r - 1, B)."""
        return np.asarray(log_odds @ self.weights + self.intercepts)

    def probabilities(self, log_odds: Floats) -> Floats:
        """Compute class probabilities (n, r); P(y > k) is made to descend with k."""
        return class_shares(descending(expit(self.above(log_odds))))


def log_odds_above(proba: Floats) -> Floats:
    """Compute the log-odds (n, r - 1) of "above class k" from class probabilities (n, r)."""
    above = np.cumsum(proba[:, :0:-1], axis=1)[:, ::-1]
    return np.asarray(logit(np.clip(above, SURE, 1.0 - SURE)))


def fit_log_odds_pool(log_odds: Floats, codes: Integers, weights: Floats) -> LogOddsPool:
    """Fit the weights of models by the likelihood of all indicators y > k.

    Minimised is, over a and w >= 0, the sum over samples and cuts k of the log loss of y
    > k plus ``RIDGE B / 2 sum_b (w_b - 1 / B)^2``.

    ``log_odds`` (n, r - 1, B) are those of the models, out of fold; ``weights`` (n,) of
    samples.
    """
    n_cuts, n_models = log_odds.shape[1:]
    signs = np.where(codes[:, None] > np.arange(n_cuts), 1.0, -1.0)
    sample_weights = weights[:, None]

    def loss(packed: Floats) -> tuple[float, Floats]:
        intercepts, shares = packed[:n_cuts], packed[n_cuts:]
        margins = signs * (log_odds @ shares + intercepts)
        excess = shares - 1.0 / n_models
        pull = RIDGE * n_models
        value = (
            sample_weights * np.logaddexp(0.0, -margins)
        ).sum() + pull / 2.0 * excess @ excess
        slopes = -sample_weights * signs * expit(-margins)
        by_shares = np.einsum("ik,ikb->b", slopes, log_odds) + pull * excess
        return float(value), np.concatenate([slopes.sum(axis=0), by_shares])

    start = np.concatenate([np.zeros(n_cuts), np.full(n_models, 1.0 / n_models)])
    bounds = [(-FURTHEST, FURTHEST)] * n_cuts + [(0.0, None)] * n_models
    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-12}
    ).x
    return LogOddsPool(found[:n_cuts], found[n_cuts:])
