"""What a model that is fitted to one part of the samples says about the others."""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone, is_regressor
from sklearn.utils import _safe_indexing

from moselect._types import Floats, Integers
from moselect._validation import check_probabilities, reason_of
from moselect.comparison.complexity import count_terms
from moselect.labels import encode_labels
from moselect.metrics.scorers import ordinal_scores, predicted_probabilities
from moselect.models.threads import one_thread


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What the model of one fold says about the samples held out.

    Attributes
    ----------
    predicted : ndarray of shape (n,)
        Class codes.
    scores : ndarray of shape (n,)
        Higher means a higher class.
    proba : ndarray of shape (n, r), or None
        Class probabilities, if the model gives any.
    centre, spread : float
        Mean and standard deviation of the scores of the samples that the model was fitted to.
    fit_seconds, predict_seconds : float
        Time to fit, and to predict the classes of the samples held out.
    n_terms : float
        Number of terms of the model (`moselect.comparison.complexity.count_terms`), NaN if it is
        no sum of terms.
    warnings : tuple of str
        What the model warned of, one line each.

    Examples
    --------
    >>> held_out = HeldOut(np.array([0, 1]), np.array([1.0, 3.0]), None, 2.0, 0.5, 0.1, 0.1)
    >>> held_out.standardised
    array([-2.,  2.])
    """

    predicted: Integers
    scores: Floats
    proba: Floats | None
    centre: float
    spread: float
    fit_seconds: float
    predict_seconds: float
    n_terms: float = math.nan
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            standardised = self.standardised
        if not (np.isfinite([self.centre, self.spread]).all() and np.isfinite(standardised).all()):
            raise ValueError("the model gives scores that are too far apart to be standardised")

    @property
    def standardised(self) -> Floats:
        """Scores on a scale that the models of all folds share, in the same order."""
        centred = self.scores - self.centre
        return centred / self.spread if self.spread > 0.0 else centred


@dataclass(frozen=True, eq=False)
class ModelResult:
    """What became of one model.

    Attributes
    ----------
    description : str
        Class and changed parameters of the estimator.
    held_out : tuple of HeldOut
        What it says about the samples held out, fold by fold; empty if it failed in any.
    failure : str, optional
        Why it failed, in one line.
    for_costs : bool
        Whether it was fitted for costs: those of the comparison, or its own.

    Examples
    --------
    >>> ModelResult("LogisticRegression()", (), failure="y has one class only").failure
    'y has one class only'
    """

    description: str
    held_out: tuple[HeldOut, ...]
    failure: str | None = None
    for_costs: bool = False


@dataclass(frozen=True, eq=False)
class FoldFit:
    """Fit a clone to the training part of a fold and ask it about the rest.

    Attributes
    ----------
    estimator : estimator
        Not fitted.
    n_classes : int
        r.
    train, test : ndarray of int
        Indices of the samples of both parts.
    seed : int
        Of every ``random_state`` that is None.
    """

    estimator: Any
    n_classes: int
    train: Integers
    test: Integers
    seed: int

    def fit(self, X: Any, codes: Integers) -> HeldOut | str:
        """Return what the model says about the rest, or in one line what went wrong in it."""
        try:
            with one_thread(), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                held_out = _fit_fold(
                    self.estimator, X, codes, self.n_classes, self.train, self.test, self.seed
                )
        except (Exception, SystemExit) as error:  # noqa: BLE001 - anything may come of a model
            return reason_of(error)
        told = dict.fromkeys(reason_of(warning.message) for warning in caught)
        return replace(held_out, warnings=tuple(told))


def _fit_fold(
    estimator: Any,
    X: Any,
    codes: Integers,
    n_classes: int,
    train: Integers,
    test: Integers,
    seed: int,
) -> HeldOut:
    classes = np.arange(n_classes)
    model = seeded(estimator, seed)
    regresses = is_regressor(model)
    target = codes[train].astype(np.float64) if regresses else codes[train]
    rows, held_out = _safe_indexing(X, train), _safe_indexing(X, test)

    started = time.perf_counter()
    model.fit(rows, target)
    if getattr(model, "interrupted_", False):
        raise KeyboardInterrupt  # half a search is no result of a comparison
    fitted = time.perf_counter()
    raw = np.asarray(model.predict(held_out))
    predicting = time.perf_counter() - fitted

    if raw.size != len(test):
        raise ValueError(f"predict gives shape {raw.shape} for {len(test)} samples")
    raw = raw.reshape(len(test))
    if regresses:
        scores = _scores(raw, len(test))
        predicted = np.clip(np.rint(scores), 0, n_classes - 1).astype(np.int64)
        seen = _scores(model.predict(rows), len(train))
    else:
        predicted = encode_labels(raw, classes)
        scores = _scores(ordinal_scores(model, held_out, classes), len(test))
        seen = _scores(ordinal_scores(model, rows, classes), len(train))
    proba = None
    if not regresses and hasattr(model, "predict_proba"):
        proba = check_probabilities(predicted_probabilities(model, held_out, classes), len(test))
    return HeldOut(
        predicted,
        scores,
        proba,
        float(seen.mean()),
        float(seen.std()),
        fitted - started,
        predicting,
        count_terms(model),
    )


def seeded(estimator: Any, seed: int) -> Any:
    """Return an unfitted clone in which every ``random_state`` that is None has become a number."""
    model = clone(estimator)
    parameters = sorted(model.get_params(deep=True).items())
    unset = [
        name
        for name, value in parameters
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    ]
    numbers = np.random.default_rng(seed).integers(2**31 - 1, size=len(unset)).tolist()
    return model.set_params(**dict(zip(unset, numbers, strict=True)))


def _scores(given: Any, n: int) -> Floats:
    """Return scores of shape (n,); ValueError if they are fewer, more, or not finite."""
    scores = np.asarray(given, dtype=np.float64)
    if scores.size != n:
        raise ValueError(f"the model gives scores of shape {scores.shape} for {n} samples")
    if not np.isfinite(scores).all():
        raise ValueError("the model gives scores that are not finite")
    return scores.reshape(n)
