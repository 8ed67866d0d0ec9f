"""Cross-validation of any learner, the one engine of all candidates."""

import time
import warnings
from collections import Counter
from collections.abc import Mapping
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from moselect._parallel import Report, no_report, one_thread, run_tasks
from moselect.listing import reason_of
from moselect.models.learner import FitError, Learner, Predictions, count_terms
from moselect.samples.folds import Fold, Folds
from moselect.samples.samples import Samples

# Splits of predictions: out of fold, for a holdout set, and for the training samples.
CV = "cv"
SPLITS = (CV, "holdout", "train")

KILLED = "the process that fitted it was killed, perhaps for want of memory"


@dataclass(frozen=True, eq=False)
class Fitted:
    """A candidate fitted to all samples or to folds, with its predictions.

    Attributes
    ----------
    model : object, or None
        Fitted to all samples, on class codes; None if it is not deployable, or cross-validated
        only.
    predictions : mapping of str to Predictions
        ``"cv"``: out-of-fold, for the samples of test folds; ``"train"`` and ``"holdout"``:
        of the model of all samples for these, and for the holdout set, if any.
    terms, seconds : float
        Number of terms (`count_terms`, NaN if the model is no sum of terms), of fold models
        the median, and the time of all fits.
    has_thresholds : bool
        Whether the predicted classes are decisions for costs, by thresholds of a score.
    is_constant : bool
        Whether all samples have one predicted class, without features.
    warnings : mapping of str to int
        Warnings of the fits in the folds, one line each, with the number of folds.
    fold_models : tuple
        Deployable model of each fold, if they were to be kept.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from moselect.models import EstimatorLearner
    >>> samples = Samples(np.arange(8.0)[:, None], np.repeat([0, 1], 4), np.array([1, 2]))
    >>> folds, learner = Folds.from_index(np.arange(8) % 2), EstimatorLearner(GaussianNB())
    >>> fitted = fit_to_all(learner, samples)
    >>> fitted.model.predict([[9.0]]), fitted.predictions["train"].codes
    (array([1]), array([0, 0, 0, 0, 1, 1, 1, 1]))
    """

    model: Any
    predictions: Mapping[str, Predictions]
    terms: float
    seconds: float
    has_thresholds: bool = False
    is_constant: bool = False
    warnings: Mapping[str, int] = field(default_factory=dict)
    fold_models: tuple[Any, ...] = ()

    @property
    def cv(self) -> Predictions:
        """Out-of-fold predictions for the samples of test folds."""
        return self.predictions[CV]


def fit_to_all(
    candidate: Learner,
    samples: Samples,
    criteria: object = None,
    holdout: Samples | None = None,
) -> Fitted:
    """Fit a candidate to all samples, without cross-validation; FitError if this fails.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from moselect.models import EstimatorLearner
    >>> samples = Samples(np.arange(4.0)[:, None], np.repeat([0, 1], 2), np.array([1, 2]))
    >>> list(fit_to_all(EstimatorLearner(GaussianNB()), samples).predictions)
    ['train']
    """
    started = time.perf_counter()
    parts = {"train": samples}
    if holdout is not None:
        parts["holdout"] = holdout
    try:
        with one_thread():
            model = candidate.fit(samples, criteria)
            predictions = {
                split: candidate.predict(model, part) for split, part in parts.items()
            }
    except Exception as error:
        raise FitError(_in_a_line(error)) from error
    predictor = candidate.to_predictor(model)
    seconds = time.perf_counter() - started
    return Fitted(predictor, predictions, count_terms(model), seconds)


def cross_validate(
    candidate: Learner,
    samples: Samples,
    folds: Folds,
    criteria: object = None,
    *,
    keep_models: bool = False,
    n_jobs: int | None = None,
    report: Report = no_report,
) -> Fitted:
    """Fit a candidate to the training samples of each fold, and predict the test folds.

    Predictions are in the order of the samples, for each sample in the order of the folds.

    Parameters
    ----------
    candidate : Learner
        The learner, preprocessing included.
    samples : Samples
        The training samples.
    folds : Folds
        Folds, whose test folds may overlap.
    criteria : object, optional
        The decision loss, for candidates that are fitted to it.
    keep_models : bool, default=False
        Whether to keep the deployable model of each fold.
    n_jobs : int, optional
        Number of concurrent fits; the result does not depend on it.
    report : callable
        Called with the number of folds done and their total.

    Raises
    ------
    FitError
        If a fit fails, with the reason.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from moselect.models import EstimatorLearner
    >>> samples = Samples(np.arange(8.0)[:, None], np.repeat([0, 1], 4), np.array([1, 2]))
    >>> folds, learner = Folds.from_index(np.arange(8) % 2), EstimatorLearner(GaussianNB())
    >>> cross_validate(learner, samples, folds).cv.codes
    array([0, 0, 0, 0, 0, 1, 1, 1])
    """
    tasks = [
        partial(
            fit_and_predict_fold,
            candidate.for_fold(number),
            fold,
            samples,
            criteria,
            keep_models,
        )
        for number, fold in enumerate(folds)
    ]
    try:
        with one_thread():  # once for all folds: it looks for libraries with threads
            outcomes = run_tasks(tasks, n_jobs, report)
    except BrokenProcessPool:
        raise FitError(KILLED) from None
    fits = []
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, str):
            raise FitError(f"{outcome} (fold {number})")
        fits.append(outcome)
    joined = (
        None if values[0] is None else np.concatenate(values)[folds.order]
        for values in zip(*(fit.cv for fit in fits), strict=True)
    )
    return Fitted(
        None,
        {CV: Predictions(*joined)},  # type: ignore[arg-type]
        float(np.median([fit.terms for fit in fits])),
        sum(fit.seconds for fit in fits),
        warnings=Counter(line for fit in fits for line in fit.warnings),
        fold_models=tuple(fit.model for fit in fits),
    )


def fit_and_predict_fold(
    candidate: Learner,
    fold: Fold,
    samples: Samples,
    criteria: object,
    keep_model: bool,
) -> Fitted | str:
    """Fit and predict one fold; a failure gives its reason."""
    train, test = map(samples.take, fold)
    try:
        with one_thread(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            started = time.perf_counter()
            model = candidate.fit(train, criteria)
            fitted = time.perf_counter()
            predictions = candidate.predict(model, test)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - models may raise anything
        return _in_a_line(error)
    return Fitted(
        candidate.to_predictor(model) if keep_model else None,
        {CV: predictions},
        count_terms(model),
        fitted - started,
        warnings=dict.fromkeys((reason_of(warning.message) for warning in caught), 1),
    )


def _in_a_line(error: BaseException) -> str:
    return reason_of(error).removeprefix("ValueError: ")  # written for people
