"""One model of a pool: from its response to class probabilities and to an expected rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from moselect._types import Floats, Integers
from moselect.models.calibration import Calibration, calibrate
from moselect.models.pool.out_of_fold import respond


@dataclass(frozen=True)
class PooledModel:
    """A fitted model, and the calibration of its scores if it has no probabilities.

    The decisions of a classifier without probabilities are standardised by those about the samples
    that it is fitted to; the calibration is fitted to out-of-fold scores.
    """

    estimator: Any
    n_classes: int
    centre: float = 0.0
    spread: float = 1.0
    calibration: Calibration | None = None

    def responses(self, X: Floats) -> Floats:
        """Compute probabilities (n, r), or ranks or standardised scores (n,)."""
        response = respond(self.estimator, X, self.n_classes)
        return response if response.ndim == 2 else (response - self.centre) / self.spread

    def probabilities(self, responses: Floats) -> Floats:
        """Compute class probabilities (n, r) from responses."""
        return responses if self.calibration is None else self.calibration(responses)

    def expected_ranks(self, responses: Floats) -> Floats:
        """Compute expected ranks 1 .. r, shape (n,), from responses."""
        if is_regressor(self.estimator):
            return responses
        return np.asarray(self.probabilities(responses) @ np.arange(1.0, self.n_classes + 1.0))


def pooled_model(
    estimator: Any,
    X: Floats,
    responses: Floats,
    codes: Integers,
    n_classes: int,
    weights: Floats,
) -> PooledModel:
    """Calibrate a model, fitted to all samples, by out-of-fold responses (n, r) or (n,)."""
    if responses.ndim == 2:
        return PooledModel(estimator, n_classes)
    centre, spread = 0.0, 1.0
    if not is_regressor(estimator):
        fitted = respond(estimator, X[weights > 0.0], n_classes)
        centre, spread = float(fitted.mean()), float(fitted.std()) or 1.0
    calibration = calibrate(responses, codes, n_classes, weights)
    return PooledModel(estimator, n_classes, centre, spread, calibration)


def cross_calibrated(
    responses: Floats, codes: Integers, n_classes: int, weights: Floats, folds: Integers
) -> Floats:
    """Compute class probabilities (n, r) of out-of-fold responses, calibrated by other folds."""
    if responses.ndim == 2:
        return responses
    proba = np.empty((len(codes), n_classes))
    for fold in np.unique(folds):
        outside = folds == fold
        inside = ~outside & (weights > 0.0)
        if inside.any():
            fitted = calibrate(responses[inside], codes[inside], n_classes, weights[inside])
            proba[outside] = fitted(responses[outside])
        else:  # all weight is in this fold: nothing is known without it
            proba[outside] = 1.0 / n_classes
    return proba
