"""Out-of-fold predictions of models."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone, is_regressor
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.validation import has_fit_parameter

from moselect._types import Floats, Integers
from moselect._validation import check_probabilities, jobs_for, reason_of
from moselect.metrics import predicted_probabilities
from moselect.models.threads import one_thread
from moselect.models.time_limit import fit_within


class OutOfFold(NamedTuple):
    """Models fitted to all samples, and out-of-fold responses of models of the same kind."""

    estimators: dict[str, Any]
    responses: dict[str, Floats]  # (n, r) probabilities, or (n,) ranks or scores
    left_out: dict[str, str]  # why


class Failure(NamedTuple):
    """Why a model cannot be used."""

    reason: str


@dataclass(frozen=True)
class FitAndRespond:
    """Fit a clone of an estimator and ask it about other rows, or about its own.

    Attributes
    ----------
    estimator : estimator
        A classifier, fitted on class codes, or a regressor, fitted on ranks 1 .. r.
    n_classes : int
        r.
    sample_weight : ndarray of shape (n,), optional
        Weights of the samples.
    rows : ndarray of shape (m, p), optional
        Rows that it is asked about; by default its own.
    """

    estimator: Any
    n_classes: int
    sample_weight: Floats | None = None
    rows: Floats | None = None

    def fit(self, X: Floats, codes: Integers) -> tuple[Any, Floats]:
        """Return the fitted estimator, if it was asked about its own rows, and what it said."""
        model = clone(self.estimator)
        given = {} if self.sample_weight is None else {"sample_weight": self.sample_weight}
        # One thread: sums of BLAS and OpenMP depend on how many share them.
        with one_thread():
            if is_regressor(model):
                model.fit(X, codes + 1.0, **given)
            else:
                model.fit(X, codes, **given)
            said = respond(model, X if self.rows is None else self.rows, self.n_classes)
            if self.rows is None:
                return model, said
            if said.ndim == 1 and not is_regressor(model):  # of any scale, which folds must share
                own = respond(model, X, self.n_classes)
                said = (said - own.mean()) / (own.std() or 1.0)
        return None, said


def respond(model: Any, X: Floats, n_classes: int) -> Floats:
    """Compute class probabilities (n, r), or ranks or scores (n,) if the model has none.

    Raises
    ------
    ValueError
        If they are not finite, or of another shape.
    """
    if not is_regressor(model) and hasattr(model, "predict_proba"):
        proba = predicted_probabilities(model, X, np.arange(n_classes))
        return check_probabilities(proba, len(X))
    ask = getattr(model, "decision_function", None)
    scores = model.predict(X) if is_regressor(model) or ask is None else ask(X)
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (len(X),):
        raise ValueError(f"it gives shape {scores.shape} for {len(X)} samples: one score each")
    if not np.isfinite(scores).all():
        raise ValueError("it gives scores that are not finite")
    return scores


def out_of_fold(
    models: Mapping[str, Any],
    X: Floats,
    codes: Integers,
    n_classes: int,
    weights: Floats | None,
    folds: Integers,
    max_seconds: float | None,
    n_jobs: int | None,
) -> OutOfFold:
    """Fit models to all samples, and without each fold; those that cannot be used are left out.

    Parameters
    ----------
    models : mapping of str to estimator
        Classifiers and regressors by name.
    X : ndarray of shape (n, p)
        Features.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1.
    n_classes : int
        r.
    weights : ndarray of shape (n,), optional
        Weights of the samples; those without any are not fitted.
    folds : ndarray of shape (n,)
        Fold of each sample.
    max_seconds : float, optional
        Longest time of one fit, in a process that is ended then; None: no limit.
    n_jobs : int, optional
        How many fits at the same time.

    Returns
    -------
    OutOfFold

    Raises
    ------
    ValueError
        If no model can be used, or weights are given and a model takes none.

    Warns
    -----
    FitFailedWarning
        For each model that is left out: it raised, took too long, or gave scores that are not
        finite or all equal.
    """
    if weights is not None:
        for name, model in models.items():
            if not has_fit_parameter(model, "sample_weight"):
                raise ValueError(
                    f"model {name!r} takes no sample_weight: leave it or the weights out"
                )
    counted = np.ones(len(codes), dtype=np.bool_) if weights is None else weights > 0.0
    work = _Work(models, X, codes, n_classes, weights, folds, max_seconds, counted, set())
    # Fits to all samples first: there a model that fails or hangs is found at once.
    tasks: list[tuple[str, int | None]] = [(name, None) for name in models]
    tasks += [(name, int(fold)) for name in models for fold in np.unique(folds)]
    prefer = "processes" if max_seconds is None else "threads"  # which wait for processes
    parallel = Parallel(jobs_for(n_jobs, len(tasks)), prefer=prefer)
    done = parallel(delayed(work)(*task) for task in tasks)
    results = dict(zip(tasks, done, strict=True))

    estimators, responses, left_out = {}, {}, {}
    for name in models:
        own_results = [result for (model, _), result in results.items() if model == name]
        reasons = [r.reason for r in own_results if isinstance(r, Failure) and r.reason]
        if not reasons and _is_constant(results[name, None][1]):
            reasons = ["it gives all samples the same score"]
        if reasons:
            left_out[name] = reasons[0]
            warnings.warn(
                f"model {name!r} is left out: {reasons[0]}", FitFailedWarning, stacklevel=3
            )
            continue
        estimators[name], own_response = results[name, None]
        responses[name] = np.zeros((len(codes), *own_response.shape[1:]))
        for fold in np.unique(folds):
            responses[name][folds == fold] = results[name, int(fold)][1]
    if not estimators:
        reasons = [f"{name}: {reason}" for name, reason in left_out.items()]
        raise ValueError(f"every model was left out ({'; '.join(reasons)})")
    return OutOfFold(estimators, responses, left_out)


@dataclass(frozen=True)
class _Work:
    """The fits of `out_of_fold`, by model and fold; it can be sent to any other process."""

    models: Mapping[str, Any]
    X: Floats
    codes: Integers
    n_classes: int
    weights: Floats | None
    folds: Integers
    max_seconds: float | None
    counted: NDArray[np.bool_]
    failed: set[str]  # seen by threads of this process: others try in vain

    def __call__(self, name: str, fold: int | None) -> Any:
        """Fit a model without a fold, or to all samples."""
        if name in self.failed:
            return Failure("")
        train = self.counted if fold is None else self.counted & (self.folds != fold)
        rows = None if fold is None else self.X[self.folds == fold]
        own = self.codes[train]
        if rows is not None and len(np.unique(own)) < 2:  # nothing to learn, whatever the model
            return None, _of_one_class(self.models[name], int(own[0]), len(rows), self.n_classes)
        given = None if self.weights is None else self.weights[train]
        task = FitAndRespond(self.models[name], self.n_classes, given, rows)
        try:
            if self.max_seconds is None:
                return task.fit(self.X[train], own)
            return fit_within(task, self.X[train], own, self.max_seconds)
        except TimeoutError:
            failure = Failure(f"it was not fitted after {self.max_seconds:g} seconds")
        except Exception as error:  # noqa: BLE001 - of someone else's model anything may come
            failure = Failure(reason_of(error))
        self.failed.add(name)
        return failure


def _of_one_class(model: Any, code: int, n: int, n_classes: int) -> Floats:
    """Return the response of a model whose training samples are all of one class."""
    if is_regressor(model):
        return np.full(n, code + 1.0)
    if hasattr(model, "predict_proba"):
        return np.tile(np.eye(n_classes)[code], (n, 1))
    return np.zeros(n)


def _is_constant(response: Floats) -> bool:
    return len(response) > 1 and not np.ptp(response, axis=0).any()
