"""Out-of-fold predictions of models."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone, is_regressor
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.validation import has_fit_parameter

from moselect._types import Booleans, Floats, Integers
from moselect._validation import check_probabilities, jobs_for, reason_of
from moselect.metrics.scorers import predicted_probabilities
from moselect.models.processes import fit_within
from moselect.models.threads import one_thread


class OutOfFold(NamedTuple):
    """Models fitted to all samples, and out-of-fold responses of models of the same kind."""

    estimators: dict[str, Any]
    responses: dict[str, Floats]  # (n, r) probabilities, or (n,) ranks or scores
    left_out: dict[str, str]  # why


@dataclass(frozen=True)
class _Failure:
    reason: str


@dataclass(frozen=True)
class _Fit:
    """Fit a clone, a classifier to codes or a regressor to ranks 1 .. r, and let it respond."""

    estimator: Any
    n_classes: int
    sample_weight: Floats | None
    rows: Floats | None  # to respond to; None: those that it is fitted to

    def fit(self, X: Floats, codes: Integers) -> tuple[Any, Floats]:
        """Return the response; and the estimator, if it responds to its own rows."""
        model = clone(self.estimator)
        given = {} if self.sample_weight is None else {"sample_weight": self.sample_weight}
        # Sums of BLAS and OpenMP depend on how many threads share them.
        with one_thread():
            model.fit(X, codes + 1.0 if is_regressor(model) else codes, **given)
            response = respond(model, X if self.rows is None else self.rows, self.n_classes)
            if self.rows is None:
                return model, response
            if response.ndim == 1 and not is_regressor(model):  # of any scale: folds must share one
                fitted = respond(model, X, self.n_classes)
                response = (response - fitted.mean()) / (fitted.std() or 1.0)
        return None, response


def respond(model: Any, X: Floats, n_classes: int) -> Floats:
    """Compute class probabilities (n, r), or ranks or scores (n,) if the model has none.

    Raises ValueError if they are not finite, or of another shape.
    """
    if not is_regressor(model) and hasattr(model, "predict_proba"):
        proba = predicted_probabilities(model, X, np.arange(n_classes))
        return check_probabilities(proba, len(X))
    score = getattr(model, "decision_function", None)
    scores = model.predict(X) if is_regressor(model) or score is None else score(X)
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
    fold_features: Sequence[Floats] | None = None,
) -> OutOfFold:
    """Fit models to all samples, and without each fold; those that cannot be used are left out.

    ``folds`` (n,) is the fold of each sample; samples without weight are not fitted. A limit of
    time holds for one fit, which is then done in a process that can be ended. ``fold_features`` are
    the features (n, p_j) of all samples as they are made without each fold, if they are others.
    """
    if weights is not None:
        for name, model in models.items():
            if not has_fit_parameter(model, "sample_weight"):
                raise ValueError(
                    f"model {name!r} takes no sample_weight: leave it or the weights out"
                )
    counted = np.ones(len(codes), dtype=np.bool_) if weights is None else weights > 0.0
    work = _Fits(
        models, X, codes, n_classes, weights, folds, max_seconds, counted, set(), fold_features
    )
    # Fits to all samples first: there a model that fails or hangs is found at once.
    tasks: list[tuple[str, int | None]] = [(name, None) for name in models]
    tasks += [(name, int(fold)) for name in models for fold in np.unique(folds)]
    prefer = "processes" if max_seconds is None else "threads"  # which wait for processes
    parallel = Parallel(jobs_for(n_jobs, len(tasks)), prefer=prefer)
    done = dict(zip(tasks, parallel(delayed(work)(*task) for task in tasks), strict=True))

    estimators, responses, left_out = {}, {}, {}
    for name in models:
        of_model = {fold: result for (model, fold), result in done.items() if model == name}
        failures = [result for result in of_model.values() if isinstance(result, _Failure)]
        reason = next((failure.reason for failure in failures if failure.reason), "")
        if not failures and _is_constant(of_model[None][1]):
            reason = "it gives all samples the same score"
        if reason:
            left_out[name] = reason
            message = f"model {name!r} is left out: {reason}"
            warnings.warn(message, FitFailedWarning, stacklevel=3)
            continue
        estimators[name], response = of_model.pop(None)
        responses[name] = np.zeros((len(codes), *response.shape[1:]))
        for fold, (_, held_out) in of_model.items():
            responses[name][folds == fold] = held_out
    if not estimators:
        reasons = [f"{name}: {reason}" for name, reason in left_out.items()]
        raise ValueError(f"every model was left out ({'; '.join(reasons)})")
    return OutOfFold(estimators, responses, left_out)


@dataclass(frozen=True)
class _Fits:
    """The fits of `out_of_fold`, by model and fold; they can be sent to any other process."""

    models: Mapping[str, Any]
    X: Floats
    codes: Integers
    n_classes: int
    weights: Floats | None
    folds: Integers
    max_seconds: float | None
    counted: Booleans
    failed: set[str]  # seen by threads of this process: others try in vain
    fold_features: Sequence[Floats] | None

    def __call__(self, name: str, fold: int | None) -> Any:
        """Fit a model without a fold, or to all samples."""
        if name in self.failed:
            return _Failure("")
        train = self.counted if fold is None else self.counted & (self.folds != fold)
        X = self.X if fold is None or self.fold_features is None else self.fold_features[fold]
        rows = None if fold is None else X[self.folds == fold]
        codes = self.codes[train]
        if rows is not None and len(np.unique(codes)) < 2:  # nothing to learn, whatever the model
            return None, _of_one_class(self.models[name], int(codes[0]), len(rows), self.n_classes)
        weights = None if self.weights is None else self.weights[train]
        task = _Fit(self.models[name], self.n_classes, weights, rows)
        try:
            if self.max_seconds is None:
                return task.fit(X[train], codes)
            return fit_within(task, X[train], codes, self.max_seconds)
        except TimeoutError:
            failure = _Failure(f"it was not fitted after {self.max_seconds:g} seconds")
        except Exception as error:  # noqa: BLE001 - of someone else's model anything may come
            failure = _Failure(reason_of(error))
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
