"""Base models of a stacking ensemble: by name, their calibration and weights."""

from collections.abc import Callable, Iterable
from functools import partial
from pkgutil import resolve_name
from typing import Any

import numpy as np
from scipy.optimize import Bounds, minimize
from scipy.special import expit, logit
from sklearn.base import is_regressor

from moselect._types import Estimator, Floats, Integers, record
from moselect.models.calibration import Calibration, calibrate
from moselect.models.ensemble.fit_cache import FitCache, FoldSet, respond
from moselect.models.proportional_odds import AdditiveOdds, ProportionalOdds
from moselect.operators.graph import Convertible, Result
from moselect.predictor.score_calibration import probabilities_above
from moselect.predictor.scorers import name_of
from moselect.samples.samples import Samples
from moselect.samples.training import seeded


# Imported when used: decisions on kept fits do not need their packages.
def _made(path: str) -> Estimator:
    return resolve_name(f"moselect.models.ensemble.{path}")()


# Members of the ensemble, in its order (experiments/ablation).
BASE_MODELS: dict[str, Callable[[], Estimator]] = {
    "proportional_odds": lambda: ProportionalOdds(alpha="cv"),
    "splines": AdditiveOdds,
    "gaussian_process": partial(_made, "gaussian_process:GaussianProcessRanks"),
    "boosted_ranks": partial(_made, "trees:BoostedRanks"),
    "boosted_classes": partial(_made, "trees:BoostedClasses"),
}
CLIP_PROBA = 0.002  # probabilities are clipped to [0.002, 0.998]
MAX_INTERCEPT = 12.0  # of stacked log-odds
RIDGE = 5.0  # of stacking weights; results are the same from 0.3 to 40


def base_models(
    models: Iterable[str | tuple[str, Estimator | str]] | None, seed: int
) -> dict[str, Estimator]:
    """Return new estimators by name, with a seed where ``random_state`` is None.

    ``models`` are as in `OrdinalStacking`, None for all. The seed of a model depends on the
    given seed and its index.

    Raises ValueError if there is no model, or a name is unknown or comes twice; TypeError
    if a model is neither a regressor nor a classifier with probabilities.
    """
    named: dict[str, Estimator] = {}
    for index, entry in enumerate(BASE_MODELS if models is None else models):
        name, model = (entry, entry) if isinstance(entry, str) else entry
        if isinstance(model, str):
            if model not in BASE_MODELS:
                raise ValueError(
                    f"unknown model {model!r}: choose from {', '.join(BASE_MODELS)}"
                )
            model = BASE_MODELS[model]()
        if name in named:
            raise ValueError(
                f"there are two models called {name!r}: give them other names"
            )
        named[name] = seeded(model, [seed, index])
        if not (is_regressor(model) or hasattr(model, "predict_proba")):
            raise TypeError(
                f"model {name!r} is {model!r}: it must be a regressor or have predict_proba"
            )
    if not named:
        raise ValueError(f"there are no models: give some of {', '.join(BASE_MODELS)}")
    return named


def log_odds_above(proba: Floats) -> Floats:
    """Compute log-odds (n, r - 1) of "above class k" from class probabilities (n, r)."""
    return logit(np.clip(probabilities_above(proba), CLIP_PROBA, 1.0 - CLIP_PROBA))


def fit_log_odds_stacking(
    log_odds: Floats,
    codes: Integers,
    weights: Floats,
) -> tuple[Floats, Floats]:
    """Fit ``logit P(y > k) = a_k + sum_b w_b logit P_b(y > k)``: returns a (r - 1,) and w (B,).

    The objective, minimised over a and w >= 0, is the sum over samples and boundaries k of the
    log loss of y > k plus ``RIDGE B / 2 sum_b (w_b - 1 / B)^2``.

    ``log_odds`` (n, r - 1, B) are out-of-fold log-odds of the base models; ``weights``
    (n,) are sample weights. Intercepts
    would be infinite at a boundary with all samples on one side: `MAX_INTERCEPT` bounds them.
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
        pull = RIDGE * n_models
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
    highest = np.repeat([MAX_INTERCEPT, np.inf], [n_boundaries, n_models])
    lowest = np.where(np.isinf(highest), 0.0, -highest)
    bounds = Bounds(lowest, highest)
    packed = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-12}
    ).x
    return packed[:n_boundaries], packed[n_boundaries:]


@record
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
        if self.calibration is None:
            return predictions
        return self.calibration(predictions)

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
        if not isinstance(self.estimator, Convertible):
            raise ValueError(
                f"{name_of(self.estimator)} has no form as a graph, and an ensemble with it no "
                "file: select an additive model, or an ensemble of others"
            )
        # As in `predictions`: the leading features.
        values = X.columns(list(range(self.estimator.n_features_in_)))
        response = self.estimator.operators(values)
        classes = getattr(self.estimator, "classes_", ())
        if 0 < len(classes) < self.n_classes:
            # It was fitted without samples of some class.
            response = response @ np.eye(self.n_classes)[classes]
        return response


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
    rising = bool(samples.directions)
    stacked = {}
    log_odds = []
    for name in cache.names:
        # Out-of-fold predictions show the errors of models on new samples.
        proba = cache.out_of_fold(name, excluded)[is_training]
        calibration = None
        if proba.ndim == 1:  # ranks
            calibration = calibrate(proba, codes, r, weights, rising=rising)
            proba = _cross_calibrated(proba, samples, folds)
        fitted = cache.fits[name, excluded].estimator
        stacked[name] = StackedModel(fitted, r, calibration)
        log_odds.append(log_odds_above(proba))
    return stacked, fit_log_odds_stacking(np.stack(log_odds, axis=2), codes, weights)


def _cross_calibrated(ranks: Floats, samples: Samples, folds: Integers) -> Floats:
    """Compute class probabilities (n, r) of predicted ranks, cross-calibrated by fold."""
    # The calibration is cross-fitted as well: fitted on a sample it would be too sure of it.
    codes = samples.codes
    weights = samples.sample_weight_or_ones
    r = samples.n_classes
    proba = np.empty((len(codes), r))
    for fold in np.unique(folds):
        held_out = folds == fold
        if held_out.all():  # all weight is in this fold: no other samples to calibrate on
            return np.full_like(proba, 1.0 / r)
        training = ranks[~held_out], codes[~held_out], r, weights[~held_out]
        fitted = calibrate(*training, rising=bool(samples.directions))
        proba[held_out] = fitted(ranks[held_out])
    return proba
