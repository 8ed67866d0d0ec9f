"""Cross-validation of any learner, the one engine of all candidates."""

import time
import warnings
from collections.abc import Mapping
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from pickle import PicklingError
from typing import Any

import numpy as np

from moselect._parallel import Report, no_report, one_thread, run_tasks
from moselect._types import record
from moselect.listing import reason_of
from moselect.models.learner import FitError, Learner, Predictions, count_terms
from moselect.samples.folds import Fold, Folds
from moselect.samples.samples import Samples

# Splits of predictions: out of fold, for a holdout set, and for the training samples.
CV = "cv"
SPLITS = (CV, "holdout", "train")

KILLED = "the process that fitted it was killed, perhaps for want of memory"


@record
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
    warnings : tuple of Warning
        Warnings of the fits in the folds, each once a fold.
    fold_models : tuple
        Deployable model of each fold, if they were to be kept.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from moselect.models import EstimatorLearner
    >>> samples = Samples(np.arange(8.0)[:, None], np.repeat([0, 1], 4), np.array([1, 2]))
    >>> fitted = fit_to_all(EstimatorLearner(GaussianNB()), samples, {"train": samples})
    >>> fitted.model.predict([[9.0]]), fitted.predictions["train"].codes
    (array([1]), array([0, 0, 0, 0, 1, 1, 1, 1]))
    """

    model: Any
    predictions: Mapping[str, Predictions]
    terms: float
    seconds: float
    has_thresholds: bool = False
    is_constant: bool = False
    warnings: tuple[Warning, ...] = ()
    fold_models: tuple[Any, ...] = ()

    @property
    def cv(self) -> Predictions:
        """Out-of-fold predictions for the samples of test folds."""
        return self.predictions[CV]


def fit_to_all(
    candidate: Learner,
    samples: Samples,
    splits: Mapping[str, Samples],
    criteria: object = None,
) -> Fitted:
    """Fit a candidate to all samples, and predict splits; FitError if this fails.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from moselect.models import EstimatorLearner
    >>> samples = Samples(np.arange(4.0)[:, None], np.repeat([0, 1], 2), np.array([1, 2]))
    >>> learner = EstimatorLearner(GaussianNB())
    >>> list(fit_to_all(learner, samples, {"train": samples}).predictions)
    ['train']
    """
    return _checked(_fit_and_predict(candidate, samples, splits, criteria, True))


def cross_validate(
    candidate: Learner,
    samples: Samples,
    folds: Folds,
    criteria: object = None,
    *,
    splits: Mapping[str, Samples] | None = None,
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
    splits : mapping of str to Samples, optional
        If given, a model is fitted to all samples, too, and predicts these.
    keep_models : bool, default=False
        Whether to keep the deployable model of each fold.
    n_jobs : int, optional
        Number of concurrent fits; the result does not depend on it.
    report : callable
        Called with the number of fits done and their total.

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
            _fit_fold,
            candidate.for_fold(number),
            fold,
            samples,
            criteria,
            keep_models,
        )
        for number, fold in enumerate(folds)
    ]
    if splits:  # this fit takes longest, and goes first
        of_all = partial(_fit_and_predict, candidate, samples, splits, criteria, True)
        tasks.insert(0, of_all)
    try:
        with one_thread():  # once for all folds: it looks for libraries with threads
            outcomes = run_tasks(tasks, n_jobs, report)
    except BrokenProcessPool:
        raise FitError(KILLED) from None
    except (PicklingError, TypeError):  # no other process can return the model
        outcomes = run_tasks(tasks, 1, report)
    fitted = _checked(outcomes.pop(0)) if splits else None
    fits = []
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, str):
            raise FitError(f"{outcome} (fold {number})")
        fits.append(outcome)
    joined = (
        None if values[0] is None else np.concatenate(values)[folds.order]
        for values in zip(*(fit.cv for fit in fits), strict=True)
    )
    of_folds = Fitted(
        None,
        {CV: Predictions(*joined)},  # type: ignore[arg-type]
        float(np.median([fit.terms for fit in fits])),
        sum(fit.seconds for fit in fits),
        warnings=tuple(warning for fit in fits for warning in fit.warnings),
        fold_models=tuple(fit.model for fit in fits),
    )
    if fitted is None:
        return of_folds
    return replace(
        fitted,
        predictions={**fitted.predictions, **of_folds.predictions},
        seconds=fitted.seconds + of_folds.seconds,
    )


def _fit_fold(
    candidate: Learner, fold: Fold, samples: Samples, criteria: object, keep_model: bool
) -> Fitted | str:
    """Fit and predict one fold."""
    train, test = map(samples.take, fold)
    return _fit_and_predict(candidate, train, {CV: test}, criteria, keep_model)


def _fit_and_predict(
    candidate: Learner,
    samples: Samples,
    splits: Mapping[str, Samples],
    criteria: object,
    keep_model: bool,
) -> Fitted | str:
    """Fit a candidate and predict splits; a failure gives its reason."""
    try:
        with one_thread(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            started = time.perf_counter()
            model = candidate.fit(samples, criteria)
            seconds = time.perf_counter() - started
            predictions = {
                split: candidate.predict(model, part) for split, part in splits.items()
            }
    except (Exception, SystemExit) as error:  # noqa: BLE001 - models may raise anything
        return _in_a_line(error)
    once = {reason_of(warning.message): warning.message for warning in caught}
    return Fitted(
        candidate.to_predictor(model) if keep_model else None,
        predictions,
        count_terms(model),
        seconds,
        warnings=tuple(once.values()),  # type: ignore[arg-type]
    )


def _checked(fitted: Fitted | str) -> Fitted:
    """Show the warnings of a fit to all samples, perhaps in another process."""
    if isinstance(fitted, str):
        raise FitError(fitted)
    for warning in fitted.warnings:
        warnings.warn(warning, stacklevel=3)
    return replace(fitted, warnings=())


def _in_a_line(error: BaseException) -> str:
    return reason_of(error).removeprefix("ValueError: ")  # written for people
