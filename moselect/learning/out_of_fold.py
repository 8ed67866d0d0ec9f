"""Cross-validated predictions of any learner."""

from __future__ import annotations

import time
import warnings
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from moselect._processes import Report, no_report, share
from moselect._threads import one_thread
from moselect._types import Floats, Integers
from moselect.learning.learner import FitError, Learner, Predictions
from moselect.listing import reason_of
from moselect.samples.folds import Fold, Folds
from moselect.samples.samples import Samples

KILLED = "the process that fitted it was killed, perhaps for want of memory"


@dataclass(frozen=True, eq=False)
class FoldPredictions:
    """Predictions of one fold model for its test fold.

    Attributes
    ----------
    rows : ndarray of int, shape (n,)
        Samples of the test fold.
    predicted : ndarray of int, shape (n,)
        Class codes.
    scores : ndarray of shape (n,)
        Higher means a higher class.
    proba : ndarray of shape (n, r), or None
        Class probabilities, if the model gives any.
    fit_seconds, predict_seconds : float
        Time to fit and to predict.
    n_terms : float
        Number of terms of the model (`count_terms`), NaN if it is no sum of terms.
    warnings : tuple of str
        Warnings of the model, one line each.

    Examples
    --------
    >>> from moselect.learning import EstimatorLearner
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, codes = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    >>> samples = Samples(X, codes, np.array(["low", "high"]))
    >>> folds, learner = Folds.from_index(np.arange(8) % 2), EstimatorLearner(GaussianNB())
    >>> held_out(learner, samples, folds)[1].rows
    array([1, 3, 5, 7])
    """

    rows: Integers
    predicted: Integers
    scores: Floats
    proba: Floats | None
    fit_seconds: float
    predict_seconds: float
    n_terms: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Fitted:
    """A learner fitted to all samples, with training and out-of-fold predictions.

    Attributes
    ----------
    model : object, or None
        Fitted to all samples, on class codes; None if it is not deployable.
    training : Predictions or None
        Predictions for all samples by this model; None if it was fitted in folds only.
    new_data : Predictions
        Out-of-fold predictions for the samples of test folds.
    held_out : Predictions or None
        Predictions for the holdout set, to which nothing was fitted.
    terms, seconds : float
        Number of terms (NaN if the model is no sum of terms), and the time of all fits.

    Examples
    --------
    >>> from moselect.learning import EstimatorLearner
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, codes = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    >>> samples = Samples(X, codes, np.array(["low", "high"]))
    >>> folds, learner = Folds.from_index(np.arange(8) % 2), EstimatorLearner(GaussianNB())
    >>> fitted = out_of_fold(learner, samples, folds)
    >>> fitted.model.predict([[9.0]]), fitted.new_data.codes
    (array([1]), array([0, 0, 0, 0, 0, 1, 1, 1]))
    """

    model: Any
    training: Predictions | None
    new_data: Predictions
    held_out: Predictions | None
    terms: float
    seconds: float


def out_of_fold(
    learner: Learner,
    samples: Samples,
    folds: Folds,
    goal: Any = None,
    *,
    held_out_samples: Samples | None = None,
    n_jobs: int | None = None,
    report: Report = no_report,
) -> Fitted:
    """Fit a learner to all samples, and in each fold to the other folds alone.

    Parameters
    ----------
    learner : Learner
        The learner, preprocessing included.
    samples : Samples
        The training samples.
    folds : Folds
        Folds whose test folds are disjoint.
    goal : object, optional
        The decision loss.
    held_out_samples : Samples, optional
        The holdout set, predicted by the model fitted to all samples.
    n_jobs : int, optional
        Number of concurrent fits; the result does not depend on it.
    report : callable
        Called with the number of folds done and their total.

    Raises
    ------
    FitError
        If a fit fails, with the reason in one line.

    Examples
    --------
    >>> from moselect.learning import EstimatorLearner
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, codes = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    >>> samples = Samples(X, codes, np.array(["low", "high"]))
    >>> folds, learner = Folds.from_index(np.arange(8) % 2), EstimatorLearner(GaussianNB())
    >>> out_of_fold(learner, samples, folds).new_data.proba.shape
    (8, 2)
    """
    started = time.perf_counter()
    try:
        if learner.begin(report):
            report = no_report
        with one_thread():
            model = learner.fit(samples, goal)
            training = learner.predict(model, samples)
            further = None
            if held_out_samples is not None:
                further = learner.predict(model, held_out_samples)
    except Exception as error:
        raise FitError(_in_a_line(error)) from error
    predictions = cross_validated(
        learner, samples, folds, goal, n_jobs=n_jobs, report=report
    )
    return Fitted(
        learner.finished(model),
        training,
        predictions,
        further,
        learner.terms(model),
        time.perf_counter() - started if learner.seconds is None else learner.seconds,
    )


def cross_validated(
    learner: Learner,
    samples: Samples,
    folds: Folds,
    goal: Any = None,
    *,
    n_jobs: int | None = None,
    report: Report = no_report,
) -> Predictions:
    """Compute the out-of-fold predictions of a learner, without a fit to all samples.

    Raises FitError, as `out_of_fold` does.

    Examples
    --------
    >>> from moselect.learning import EstimatorLearner
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, codes = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    >>> samples = Samples(X, codes, np.array(["low", "high"]))
    >>> folds, learner = Folds.from_index(np.arange(8) % 2), EstimatorLearner(GaussianNB())
    >>> cross_validated(learner, samples, folds).codes
    array([0, 0, 0, 0, 0, 1, 1, 1])
    """
    parts = held_out(learner, samples, folds, goal, n_jobs=n_jobs, report=report)
    predictions = [Predictions(part.predicted, part.scores, part.proba) for part in parts]
    rows = np.concatenate([part.rows for part in parts])
    return Predictions.joined(predictions, np.argsort(rows))


def held_out(
    learner: Learner,
    samples: Samples,
    folds: Folds,
    goal: Any = None,
    *,
    n_jobs: int | None = None,
    report: Report = no_report,
) -> tuple[FoldPredictions, ...]:
    """Fit a learner in each fold to the other folds alone, and predict the test fold.

    Raises FitError, as `out_of_fold` does.

    Examples
    --------
    >>> from moselect.learning import EstimatorLearner
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, codes = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    >>> samples = Samples(X, codes, np.array(["low", "high"]))
    >>> folds, learner = Folds.from_index(np.arange(8) % 2), EstimatorLearner(GaussianNB())
    >>> [part.predicted.tolist() for part in held_out(learner, samples, folds)]
    [[0, 0, 0, 1], [0, 0, 1, 1]]
    """
    tasks = [
        partial(_without_fold, learner.in_fold(number), samples, fold, goal)
        for number, fold in enumerate(folds)
    ]
    try:
        outcomes = share(tasks, n_jobs, report, isolated=learner.apart)
    except BrokenProcessPool:
        raise FitError(KILLED) from None
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, str):
            raise FitError(f"{outcome} (fold {number})")
    return tuple(outcomes)


def _without_fold(
    learner: Learner, samples: Samples, fold: Fold, goal: Any
) -> FoldPredictions | str:
    """Fit and predict one fold; a failure gives its reason in one line."""
    train, test = map(samples.take, fold)
    try:
        with one_thread(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            started = time.perf_counter()
            model = learner.fit(train, goal)
            fitted = time.perf_counter()
            predictions = learner.predict(model, test)
            predicted = time.perf_counter()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - models may raise anything
        return _in_a_line(error)
    lines = dict.fromkeys(reason_of(warning.message) for warning in caught)
    seconds = fitted - started, predicted - fitted
    return FoldPredictions(
        fold[1], *predictions, *seconds, learner.terms(model), tuple(lines)
    )


def _in_a_line(error: BaseException) -> str:
    return reason_of(error).removeprefix("ValueError: ")  # written for people
