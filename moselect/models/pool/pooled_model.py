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
class ScoreCalibration:
    """P(y | score) for scores of any scale.

    Attributes
    ----------
    centre, spread : float
        Mean and standard deviation of the scores it was fitted to.
    calibration : Calibration
        For standardised scores.
    """

    centre: float
    spread: float
    calibration: Calibration

    @classmethod
    def fit(
        cls, scores: Floats, codes: Integers, n_classes: int, weights: Floats
    ) -> ScoreCalibration:
        """Fit to scores (n,), class codes (n,) and weights (n,), which may be 0."""
        counted = weights > 0.0
        scores, codes, weights = scores[counted], codes[counted], weights[counted]
        centre = float(np.average(scores, weights=weights))
        spread = float(np.sqrt(np.average((scores - centre) ** 2, weights=weights))) or 1.0
        return cls(centre, spread, calibrate((scores - centre) / spread, codes, n_classes, weights))

    def __call__(self, scores: Floats) -> Floats:
        """Compute class probabilities (n, r) at some scores (n,)."""
        return self.calibration((scores - self.centre) / self.spread)


@dataclass(frozen=True)
class PooledModel:
    """A fitted model, and the calibration of its scores if it has no probabilities.

    Attributes
    ----------
    estimator : estimator
        Fitted to all samples.
    n_classes : int
        Number of classes r.
    centre, spread : float
        Mean and standard deviation of the decisions about its own samples; 0 and 1 for others
        than classifiers without probabilities.
    calibration : ScoreCalibration or None
        Fitted to out-of-fold scores.
    """

    estimator: Any
    n_classes: int
    centre: float = 0.0
    spread: float = 1.0
    calibration: ScoreCalibration | None = None

    def responses(self, X: Floats) -> Floats:
        """Compute probabilities (n, r), or ranks or standardised scores (n,)."""
        said = respond(self.estimator, X, self.n_classes)
        return said if said.ndim == 2 else (said - self.centre) / self.spread

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
        own = respond(estimator, X[weights > 0.0], n_classes)
        centre, spread = float(own.mean()), float(own.std()) or 1.0
    calibration = ScoreCalibration.fit(responses, codes, n_classes, weights)
    return PooledModel(estimator, n_classes, centre, spread, calibration)


def cross_calibrated(
    responses: Floats, codes: Integers, n_classes: int, weights: Floats, folds: Integers
) -> Floats:
    """Compute class probabilities (n, r) of out-of-fold responses.

    Scores of one fold are calibrated by those of all others, so that no sample's class enters its
    own probabilities.
    """
    if responses.ndim == 2:
        return responses
    proba = np.empty((len(codes), n_classes))
    for fold in np.unique(folds):
        outside = folds == fold
        inside = ~outside & (weights > 0.0)
        if inside.any():
            fitted = ScoreCalibration.fit(
                responses[inside], codes[inside], n_classes, weights[inside]
            )
            proba[outside] = fitted(responses[outside])
        else:  # all weight is in this fold: nothing is known without it
            proba[outside] = 1.0 / n_classes
    return proba
