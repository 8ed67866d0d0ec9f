"""Base models of a stacking ensemble: calibration, weights, and class probabilities."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import Bounds, minimize
from scipy.special import expit, logit
from sklearn.base import is_regressor
from sklearn.exceptions import FitFailedWarning

from moselect._types import Floats, Integers
from moselect.models.calibration import Calibration, calibrate
from moselect.models.ensemble.fit_cache import FitCache, FoldSet, respond
from moselect.operators.graph import Result
from moselect.predictor.score_calibration import probabilities_above
from moselect.samples.samples import Samples

CLIP_PROBA = 0.002  # probabilities are clipped to [0.002, 0.998]
FEWEST_TRIED = 200  # fewest samples for a trial


def log_odds_above(proba: Floats) -> Floats:
    """Compute log-odds (n, r - 1) of "above class k" from class probabilities (n, r)."""
    return logit(np.clip(probabilities_above(proba), CLIP_PROBA, 1.0 - CLIP_PROBA))


def fit_log_odds_stacking(
    log_odds: Floats,
    codes: Integers,
    weights: Floats,
    *,
    ridge: float = 5.0,
    max_intercept: float = 12.0,
) -> tuple[Floats, Floats]:
    """Fit ``logit P(y > k) = a_k + sum_b w_b logit P_b(y > k)``: returns a (r - 1,) and w (B,).

    The objective, minimised over a and w >= 0, is the sum over samples and boundaries k of the
    log loss of y > k plus ``ridge B / 2 sum_b (w_b - 1 / B)^2``.

    ``log_odds`` (n, r - 1, B) are out-of-fold log-odds of the base models; ``weights``
    (n,) are sample weights. Results are the same for any ``ridge`` from 0.3 to 40. Intercepts
    would be infinite at a boundary with all samples on one side: ``max_intercept`` bounds them.
    """
    n_boundaries, n_models = log_odds.shape[1:]
    # One logistic loss for each boundary: 1 above it, -1 at or below.
    signs = np.where(codes[:, None] > np.arange(n_boundaries), 1.0, -1.0)
    sample_weights = weights[:, None]

    def loss(packed: Floats) -> tuple[float, Floats]:
        intercepts = packed[:n_boundaries]
        shares = packed[n_boundaries:]
        margins = signs * (log_odds @ shares + intercepts)
        # Shrinkage towards equal weights: with few samples stacking would choose by
        # chance.
        excess = shares - 1.0 / n_models
        # The ridge grows with the number of models, whose equal weights shrink.
        pull = ridge * n_models
        value = (
            sample_weights * np.logaddexp(0.0, -margins)
        ).sum() + pull / 2.0 * excess @ excess
        # d log(1 + exp(-m)) / dm = -s(-m), by the chain rule times the sign.
        slopes = -sample_weights * signs * expit(-margins)
        by_shares = np.einsum("ik,ikb->b", slopes, log_odds) + pull * excess
        return float(value), np.concatenate([slopes.sum(axis=0), by_shares])

    start = np.concatenate([np.zeros(n_boundaries), np.full(n_models, 1.0 / n_models)])
    # Weights are not negative: a model that errs in the same way as others is left out,
    # not subtracted.
    highest = np.repeat([max_intercept, np.inf], [n_boundaries, n_models])
    lowest = np.where(np.isinf(highest), 0.0, -highest)
    bounds = Bounds(lowest, highest)
    packed = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-12}
    ).x
    return packed[:n_boundaries], packed[n_boundaries:]


@dataclass(frozen=True)
class StackedModel:
    """A fitted base model, with a calibration of ranks from out-of-fold predictions."""

    estimator: Any
    n_classes: int
    calibration: Calibration | None = None

    def predictions(self, X: Floats) -> Floats:
        """Compute probabilities (n, r) or ranks (n,) from the leading features."""
        # Models without extra columns take the leading ones, which are the features.
        n_features = getattr(self.estimator, "n_features_in_", None)
        return respond(self.estimator, X[:, :n_features], self.n_classes)

    def probabilities(self, predictions: Floats) -> Floats:
        """Compute class probabilities (n, r) from responses."""
        return predictions if self.calibration is None else self.calibration(predictions)

    def expected_ranks(self, predictions: Floats) -> Floats:
        """Compute expected ranks 1 .. r, shape (n,), from responses."""
        if is_regressor(self.estimator):
            return predictions
        return self.probabilities(predictions) @ np.arange(1.0, self.n_classes + 1.0)

    def operators(self, X: Result) -> Result:
        """Convert to operators, from all features to class probabilities (n, r)."""
        predictions = self._response_operators(X)
        if self.calibration is None:
            return predictions
        return self.calibration.operators(predictions)

    def rank_operators(self, X: Result) -> Result:
        """Convert to operators, from all features to expected ranks (n, 1)."""
        if is_regressor(self.estimator):
            return self._response_operators(X)
        return self.operators(X) @ np.arange(1.0, self.n_classes + 1.0)[:, None]

    def _response_operators(self, X: Result) -> Result:
        if not hasattr(self.estimator, "operators"):
            name = type(getattr(self.estimator, "estimator", self.estimator)).__name__
            raise ValueError(
                f"{name} has no form as a graph, and an ensemble with it no file: select "
                "an additive model, or an ensemble of others"
            )
        n_features = getattr(self.estimator, "n_features_in_", None)
        # As in `predictions`: the leading features.
        values = X if n_features is None else X.columns(list(range(n_features)))
        converted: Result = self.estimator.operators(values)
        return converted


def fit_stacking(
    cache: FitCache, excluded: FoldSet
) -> tuple[dict[str, StackedModel], tuple[Floats, Floats]]:
    """Fit calibrations and stacking weights to out-of-fold predictions of a cache.

    The cache must hold the fits without the excluded folds, and without each inner test
    fold as well.
    """
    # Samples of weight 0 calibrate nothing; samples of excluded folds must not.
    is_training = cache.counted & cache.rows_of(frozenset(cache.fold_numbers(excluded)))
    samples = cache.samples.take(is_training)
    folds = cache.folds[is_training]
    codes = samples.codes
    weights = samples.sample_weight_or_ones
    r = samples.n_classes
    rising = cache.keeps_directions
    # Out-of-fold predictions: the stack sees the errors of models on samples they were not
    # fitted to.
    predictions = {
        name: cache.out_of_fold(name, excluded)[is_training] for name in cache.names
    }
    stacked = {}
    for name, response in predictions.items():
        calibration = None
        if response.ndim == 1:
            calibration = calibrate(response, codes, r, weights, rising=rising)
        fitted = cache.fits[name, excluded].estimator
        stacked[name] = StackedModel(fitted, r, calibration)
    log_odds = _stacked_log_odds(predictions, samples, folds, rising)
    return stacked, fit_log_odds_stacking(log_odds, codes, weights)


def try_members(cache: FitCache) -> None:
    """Let each model on trial join the others if it has weight on one fold.

    All models are fitted without that fold; the cache keeps these fits, which the ensemble
    needs anyway. With few samples none is tried.
    """
    tried = cache.on_trial
    cache.on_trial = {}
    if not tried or len(cache.samples) < FEWEST_TRIED:
        return
    models = {**cache.models, **tried}
    trial = replace(cache, models=models, failures=dict(cache.failures))
    excluded = cache.and_later(cache.fold_numbers()[0])
    with warnings.catch_warnings():  # a model that fails does not join
        warnings.simplefilter("ignore", FitFailedWarning)
        trial.fit(trial.names, [excluded])
    weights = single_fold_weights(trial, excluded)
    # Least stacking weight of a model that joins. Rules of categories give it 0.3 to 0.5,
    # tables of numbers at most 0.25 (experiments/rules).
    least_weight = 0.28
    joined = {name: tried[name] for name in tried if weights.get(name, 0) >= least_weight}
    cache.models = {**cache.models, **joined}


def single_fold_weights(cache: FitCache, excluded: FoldSet) -> dict[str, float]:
    """Fit stacking weights to the predictions for one fold, by models fitted without it.

    Ranks are calibrated on one half of the fold for the other.
    """
    rows = cache.rows_of(excluded)
    samples = cache.samples.take(rows & cache.counted)
    # Two halves stand in for folds, within the one fold that is excluded.
    halves = np.arange(len(samples)) % 2
    predictions = {
        name: cache.fits[name, excluded].response[cache.counted[rows]]
        for name in cache.names
    }
    log_odds = _stacked_log_odds(predictions, samples, halves, cache.keeps_directions)
    _, weights = fit_log_odds_stacking(
        log_odds, samples.codes, samples.sample_weight_or_ones
    )
    return dict(zip(predictions, weights.tolist(), strict=True))


def _stacked_log_odds(
    predictions: Mapping[str, Floats], samples: Samples, folds: Integers, rising: bool
) -> Floats:
    """Compute the log-odds (n, r - 1, B) of "above class k" by probabilities or ranks."""
    # The calibration is cross-fitted as well: fitted on a sample it would be too sure of it.
    proba = (
        _cross_calibrated(response, samples, folds, rising)
        if response.ndim == 1
        else response
        for response in predictions.values()
    )
    return np.stack([*map(log_odds_above, proba)], axis=2)


def _cross_calibrated(
    predictions: Floats, samples: Samples, folds: Integers, rising: bool
) -> Floats:
    """Compute class probabilities (n, r) of responses, cross-calibrated by fold."""
    codes = samples.codes
    weights = samples.sample_weight_or_ones
    r = samples.n_classes
    proba = np.empty((len(codes), r))
    for fold in np.unique(folds):
        held_out = folds == fold
        if held_out.all():  # all weight is in this fold: no other samples to calibrate on
            return np.full_like(proba, 1.0 / r)
        training = predictions[~held_out], codes[~held_out], r, weights[~held_out]
        fitted = calibrate(*training, rising=rising)
        proba[held_out] = fitted(predictions[held_out])
    return proba
