"""The models of a pool: from responses to class probabilities, calibrated and weighed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from moselect._types import Floats, Integers
from moselect.models.calibration import Calibration, calibrate
from moselect.models.pool.fit_table import NO_FOLD, FitTable, Without, respond
from moselect.models.pool.log_odds import LogOddsPool, fit_log_odds_pool, log_odds_above


@dataclass(frozen=True)
class PooledModel:
    """A fitted model, and the calibration of a regressor's ranks, fitted to out-of-fold ones."""

    estimator: Any
    n_classes: int
    calibration: Calibration | None = None

    def responses(self, X: Floats) -> Floats:
        """Compute probabilities (n, r), of a regressor ranks (n,); it takes the first features."""
        n_features = getattr(self.estimator, "n_features_in_", None)
        return respond(self.estimator, X[:, :n_features], self.n_classes)

    def probabilities(self, responses: Floats) -> Floats:
        """Compute class probabilities (n, r) from responses."""
        return responses if self.calibration is None else self.calibration(responses)

    def expected_ranks(self, responses: Floats) -> Floats:
        """Compute expected ranks 1 .. r, shape (n,), from responses."""
        if is_regressor(self.estimator):
            return responses
        return np.asarray(
            self.probabilities(responses) @ np.arange(1.0, self.n_classes + 1.0)
        )


def fit_pool(
    table: FitTable, without: Without = NO_FOLD
) -> tuple[dict[str, PooledModel], LogOddsPool]:
    """Calibrate and weigh the models of a table, by what they say about other folds than these.

    The table must have the fits without these folds, and without these and each other
    one.
    """
    inside = table.counted & ~table.rows_of(without) & (table.folds >= int(table.forward))
    samples, folds = table.samples, table.folds[inside]
    codes, weights, r = (
        samples.codes[inside],
        samples.each_weight[inside],
        samples.n_classes,
    )
    pooled, log_odds = {}, []
    for name in table.names:
        fitted, responses = (
            table.fits[name, without].estimator,
            table.held_out(name, without),
        )
        responses, calibration = responses[inside], None
        if responses.ndim == 1:
            calibration = calibrate(responses, codes, r, weights)
            responses = _cross_calibrated(responses, codes, r, weights, folds)
        pooled[name] = PooledModel(fitted, r, calibration)
        log_odds.append(log_odds_above(responses))
    return pooled, fit_log_odds_pool(np.stack(log_odds, axis=2), codes, weights)


def pool_held_out(table: FitTable, without: Without) -> Floats:
    """Compute class probabilities (m, r) of the samples of some folds by a pool without them."""
    pooled, pool = fit_pool(table, without)
    told = [
        model.probabilities(table.fits[name, without].response)
        for name, model in pooled.items()
    ]
    return pool.probabilities(np.stack([log_odds_above(proba) for proba in told], axis=2))


def _cross_calibrated(
    responses: Floats, codes: Integers, n_classes: int, weights: Floats, folds: Integers
) -> Floats:
    """Compute class probabilities (n, r) of out-of-fold responses, calibrated by other folds."""
    proba = np.empty((len(codes), n_classes))
    for fold in np.unique(folds):
        outside = folds == fold
        if outside.all():  # all weight is in this fold: nothing is known without it
            return np.full_like(proba, 1.0 / n_classes)
        fitted = calibrate(
            responses[~outside], codes[~outside], n_classes, weights[~outside]
        )
        proba[outside] = fitted(responses[outside])
    return proba
