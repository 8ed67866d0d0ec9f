"""What a model says about samples that it was not fitted to: it is fitted whole in each fold."""

from __future__ import annotations

import math
import os
import time
import warnings
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline

from moselect._processes import end_with_parent
from moselect._threads import one_thread
from moselect._types import Floats, Integers
from moselect._validation import check_probabilities, jobs_for
from moselect.columns.steps import cross_fits
from moselect.folds import Fold, Folds
from moselect.labels import encode_labels
from moselect.listing import reason_of
from moselect.metrics.scorers import ordinal_scores, predicted_probabilities
from moselect.models import AdditiveOdds
from moselect.models.training import fit_parameters, seeded
from moselect.samples import Samples

KILLED = "the process that fitted it was killed, perhaps for want of memory"


class FitError(RuntimeError):
    """A model cannot be fitted to a fold, or says nothing that a measure could use."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What the model of one fold says about the samples held out.

    Attributes
    ----------
    rows : ndarray of int, shape (n,)
        The samples held out.
    predicted : ndarray of int, shape (n,)
        Class codes.
    scores : ndarray of shape (n,)
        Higher means a higher class.
    proba : ndarray of shape (n, r), or None
        Class probabilities, if the model gives any.
    fit_seconds, predict_seconds : float
        Time to fit, and to predict the classes of the samples held out.
    n_terms : float
        Number of terms of the model (`count_terms`), NaN if it is no sum of terms.
    warnings : tuple of str
        What the model warned of, one line each.
    """

    rows: Integers
    predicted: Integers
    scores: Floats
    proba: Floats | None
    fit_seconds: float
    predict_seconds: float
    n_terms: float
    warnings: tuple[str, ...] = ()


def held_out(
    model: Any,
    samples: Samples,
    folds: Folds,
    *,
    seed: int,
    n_jobs: int | None = None,
) -> tuple[HeldOut, ...]:
    """Fit clones of a model without each fold, and ask them about the samples in it.

    Whatever the model does, such as preparing columns, is done to the samples that it is fitted to.
    """
    fit = delayed(_fit_fold)
    try:
        outcomes = Parallel(jobs_for(n_jobs, len(folds)))(
            fit(model, samples, fold, _fold_seed(seed, number), os.getpid())
            for number, fold in enumerate(folds)
        )
    except BrokenProcessPool:
        raise FitError(KILLED) from None
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, str):
            raise FitError(f"{outcome} (fold {number})")
    return tuple(outcomes)


def fit_whole(model: Any, samples: Samples, seed: int) -> Any:
    """Fit a clone of a model to all samples; FitError, in one line, if it cannot be."""
    try:
        with one_thread():
            return _fit(seeded(model, seed), samples)
    except Exception as error:  # noqa: BLE001 - anything may come of a model
        raise FitError(reason_of(error)) from None


def _fit(model: Any, samples: Samples) -> Any:
    given = fit_parameters(model, samples)
    if samples.weights is not None and not any(name.endswith("sample_weight") for name in given):
        warnings.warn("it takes no sample_weight: it is fitted without", UserWarning, stacklevel=2)
    target = samples.codes.astype(np.float64 if is_regressor(model) else np.int64)
    return model.fit(samples.X, target, **given)


def _fold_seed(seed: int, fold: int) -> int:
    return int(np.random.SeedSequence([seed, fold]).generate_state(1)[0])


def _fit_fold(model: Any, samples: Samples, fold: Fold, seed: int, parent: int) -> HeldOut | str:
    """Return what a model says about one fold, or in one line what went wrong in it."""
    end_with_parent(parent)
    try:
        with one_thread(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            told = _fit_and_ask(seeded(model, seed), *map(samples.take, fold))
        lines = dict.fromkeys(reason_of(warning.message) for warning in caught)
        return HeldOut(fold[1], *told, tuple(lines))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - anything may come of a model
        return reason_of(error)


def _fit_and_ask(
    model: Any, train: Samples, test: Samples
) -> tuple[Integers, Floats, Floats | None, float, float, float]:
    """Return predicted classes, scores, probabilities, seconds to fit and predict, and terms."""
    classes = np.arange(train.n_classes)
    regresses, rows = is_regressor(model), test.X
    started = time.perf_counter()
    _fit(model, train)
    if getattr(model, "interrupted_", False):
        raise KeyboardInterrupt  # half a search is no result
    fitted = time.perf_counter()
    raw = np.asarray(model.predict(rows))
    predicting = time.perf_counter() - fitted

    if raw.size != len(test):
        raise ValueError(f"predict gives shape {raw.shape} for {len(test)} samples")
    raw = raw.reshape(len(test))
    scores = np.asarray(raw if regresses else ordinal_scores(model, rows, classes), np.float64)
    if scores.size != len(test):
        raise ValueError(f"the model gives scores of shape {scores.shape} for {len(test)} samples")
    if not np.isfinite(scores).all():
        raise ValueError("the model gives scores that are not finite")
    scores = scores.reshape(len(test))
    if regresses:
        predicted = np.clip(np.rint(scores), 0, len(classes) - 1).astype(np.int64)
    else:
        predicted = encode_labels(raw, classes)
    proba = None
    if not regresses and hasattr(model, "predict_proba"):
        proba = check_probabilities(predicted_probabilities(model, rows, classes), len(test))
    return predicted, scores, proba, fitted - started, predicting, count_terms(model)


def count_terms(model: Any) -> float:
    """Return the number of terms of a fitted model, NaN if it is no sum of terms.

    A term is a feature with a weight, a curve or product of features, or a condition with points; a
    model with a sum for each class or cut counts all of them. Trees, kernels, networks and pools of
    models are no sums of terms.
    """
    if isinstance(model, Pipeline):
        return count_terms(model.steps[-1][1])
    if isinstance(model, DummyClassifier):
        return 0.0
    if isinstance(model, AdditiveOdds):
        return float(len(np.unique(model.columns_.terms_[model.coef_ != 0.0])))
    rule = getattr(model, "rule_", getattr(model, "model_", model))
    if cross_fits(getattr(rule, "columns", None)):
        return math.nan  # weights of models
    weights = getattr(rule, "coef_", None)
    return float(np.count_nonzero(weights)) if isinstance(weights, np.ndarray) else math.nan
