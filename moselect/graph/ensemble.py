"""Conversion of the ensemble and its base models to operators, by class of estimator."""

from __future__ import annotations

from functools import partial, reduce, singledispatch
from operator import add
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect.graph.graph import Result, beside
from moselect.graph.terms import columns_of
from moselect.graph.trees import grown_trees, histogram_sums, mean_of_trees, tree_sums
from moselect.models import AdditiveOdds, OrdinalStacking
from moselect.models.calibration import Calibration
from moselect.models.ensemble.boosting import BoostedClasses, BoostedRanks, HistogramRanks
from moselect.models.ensemble.gaussian_process import FURTHEST, GaussianProcessRanks
from moselect.models.ensemble.ordinal_extra_trees import OrdinalExtraTrees
from moselect.models.ensemble.stacked_model import SURE
from moselect.models.proportional_odds import ScoreOdds
from moselect.preprocessing.terms import Number
from moselect.samples.training import ObservedClasses

CERTAIN = 1e6  # in place of infinite log-odds


@singledispatch
def predictions(estimator: Any, X: Result) -> Result:
    """Convert an estimator to its predictions for prepared features (n, p).

    Predictions are the class probabilities (n, r) of a classifier, or the ranks (n, 1) of a
    regressor. Estimators of other packages raise ValueError.
    """
    name = type(getattr(estimator, "estimator", estimator)).__name__
    raise ValueError(
        f"{name} has no ONNX form: select an additive model, or an ensemble of others"
    )


@predictions.register
def _(pool: OrdinalStacking, X: Result) -> Result:
    stacked = []
    for model, weight in zip(pool.models_, pool.weights_.tolist(), strict=True):
        n_features = getattr(model.estimator, "n_features_in_", None)
        values = X if n_features is None else X.columns(list(range(n_features)))
        proba = predictions(model.estimator, values)
        if model.calibration is not None:
            proba = _calibrated(proba, model.calibration)
        above = np.tri(model.n_classes, model.n_classes - 1, -1)
        share = (proba @ above).clip(SURE, 1.0 - SURE)
        odds = (share / (1.0 - share)).apply("Log")
        stacked.append(odds * weight)
    score = reduce(add, stacked) + pool.intercepts_[None, :]
    return _of_observed(score.apply("Sigmoid"), pool._observed)


@predictions.register
def _(odds: ScoreOdds, X: Result) -> Result:
    return proportional_odds(X @ odds.coef_[:, None], odds.thresholds_)


@predictions.register
def _(additive: AdditiveOdds, X: Result) -> Result:
    features = tuple(Number(f"feature {j}") for j in range(additive.n_features_in_))
    known = {feature.name: X.columns([j]) for j, feature in enumerate(features)}
    columns = columns_of(X.graph, additive.columns_.terms(features), known)
    return predictions.dispatch(ScoreOdds)(additive, columns)


@predictions.register
def _(forest: OrdinalExtraTrees, X: Result) -> Result:
    above = mean_of_trees(_rounded(X), forest.model_.estimators_)
    return _of_observed(above.clip(0.0, 1.0), forest._observed)


@predictions.register
def _(boosted: BoostedClasses, X: Result) -> Result:
    model = boosted.model_
    raw = histogram_sums(X, model)
    if model.n_trees_per_iteration_ == 1:
        above = raw.apply("Sigmoid")
        proba = beside([1.0 - above, above])
    else:
        proba = raw.apply("Softmax", axis=1)
    return proba @ np.eye(len(boosted.classes_))[model.classes_]


@predictions.register
def _(histograms: HistogramRanks, X: Result) -> Result:
    return histogram_sums(X, histograms.model_)


@predictions.register
def _(boosted: BoostedRanks, X: Result) -> Result:
    model = boosted.model_
    if hasattr(model, "model_"):  # histograms, of many rows
        return predictions(model, X)
    trees, values = grown_trees(model.estimators_[:, 0])
    steps, target = model.learning_rate * values[:, 0], np.zeros(len(values), dtype=int)
    sums = tree_sums(_rounded(X), trees, steps, target)
    return sums + float(np.ravel(model.init_.constant_)[0])


@predictions.register
def _(process: GaussianProcessRanks, X: Result) -> Result:
    smooth, linear, rows = process.kernel_.k1, process.kernel_.k2, process.rows_
    centred = (X - process.centre_[None, :]) / process.scale_[None, :]
    Z = centred.clip(-FURTHEST, FURTHEST)
    across = Z @ rows.T.copy()
    squares = (Z * Z).total() + (rows**2).sum(axis=1)[None, :]
    distances = (squares - across * 2.0).apply("Max", 0.0)
    near = (distances * (-0.5 / smooth.k2.length_scale**2)).apply("Exp")
    straight = (across + 1.0) * linear.k1.constant_value
    means = (near * smooth.k1.constant_value + straight) @ process.dual_coef_[:, None]
    return means * process.spread_ + process.mean_


def _of_observed(above: Result, seen: ObservedClasses) -> Result:
    """Compute probabilities (n, r) of all classes from P(y > k) of the observed classes."""
    n_boundaries = len(seen.indices) - 1
    return (
        _shares(_descending(above, n_boundaries), n_boundaries)
        @ np.eye(seen.n_classes)[seen.indices]
    )


def proportional_odds(score: Result, thresholds: ArrayLike) -> Result:
    """Compute class probabilities (n, r) under proportional odds of a score (n, 1)."""
    cuts = np.clip(thresholds, -CERTAIN, CERTAIN)[None, :]
    return _shares((score - cuts).apply("Sigmoid"), cuts.size)


def _calibrated(ranks: Result, calibration: Calibration) -> Result:
    """Compute calibrated class probabilities (n, r) of ranks (n, 1)."""
    z = (ranks - calibration.centre) / calibration.spread
    common = proportional_odds(z * calibration.slope, calibration.intercepts)
    lines = z * calibration.slopes[None, :] + calibration.intercepts[None, :]
    separate = [
        lines.apply("Sigmoid").columns([k]) for k in range(len(calibration.intercepts))
    ]
    for k in range(1, len(separate)):
        separate[k] = separate[k].apply("Min", separate[k - 1])
    both = common + _shares(beside(separate), len(separate))
    gather = partial(ranks.graph.add, "Gather")
    lower = (z.count_below(calibration.positions) - np.int64(1)).apply("Max", np.int64(0))
    upper = (lower + np.int64(1)).apply("Min", np.int64(len(calibration.positions) - 1))
    start, end = (gather(calibration.positions, index) for index in (lower, upper))
    width = (end - start).apply("Max", np.finfo(float).tiny)
    part = ((z - start) / width).clip(0.0, 1.0)
    flat = (index.apply("Reshape", np.array([-1])) for index in (lower, upper))
    left, right = (gather(calibration.corrections, index) for index in flat)
    correction = left + (right - left) * part
    proba = (both * 0.5 + correction).apply("Max", 0.0)
    return proba / proba.total()


def _rounded(X: Result) -> Result:
    """Round features to single precision, in which scikit-learn's trees compare them."""
    return X.cast("float").cast("double")


def _shares(above: Result, n_boundaries: int) -> Result:
    """Compute class probabilities (n, r) from descending P(y > k), (n, r - 1)."""
    # P(y = k) = P(y > k - 1) - P(y > k), with P(y > -1) = 1
    differences = np.eye(n_boundaries, n_boundaries + 1, 1) - np.eye(
        n_boundaries, n_boundaries + 1
    )
    return above @ differences + np.eye(1, n_boundaries + 1)


def _descending(above: Result, n_boundaries: int) -> Result:
    """Project P(y > k), (n, r - 1), to the nearest descending sequence by least squares.

    Min-max formula of isotonic regression: the minimum over a <= k of the maximum over
    b >= k of the means of P(y > a) to P(y > b) (Barlow, Bartholomew, Bremner & Brunk
    1972, Statistical inference under order restrictions).
    """
    if n_boundaries == 1:
        return above
    first, last, cut = np.ogrid[:n_boundaries, :n_boundaries, :n_boundaries]
    inside = ((first <= cut) & (cut <= last)) / np.maximum(last - first + 1.0, 1.0)
    flat = inside.reshape(-1, n_boundaries).T.copy()
    means = (above @ flat).apply("Reshape", np.array([-1, n_boundaries, n_boundaries]))
    fitted = []
    for k in range(n_boundaries):
        part = means.apply("Gather", np.arange(k + 1), axis=1)
        part = part.apply("Gather", np.arange(k, n_boundaries), axis=2)
        greatest = part.apply("ReduceMax", np.array([2]), keepdims=0)
        fitted.append(greatest.apply("ReduceMin", np.array([1]), keepdims=1))
    return beside(fitted)
