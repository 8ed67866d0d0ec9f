"""Cache of base-model fits, keyed by model and left-out folds, with their predictions."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_regressor
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.validation import has_fit_parameter

from moselect._processes import Report, say_nothing, share
from moselect._threads import one_thread
from moselect._types import Booleans, Floats, Integers
from moselect._validation import check_probabilities
from moselect.listing import reason_of
from moselect.metrics.scorers import predicted_probabilities
from moselect.models.pool.base_models import FEW_ROWS
from moselect.models.proportional_odds import OddsAlongScore
from moselect.models.training import fit_parameters
from moselect.samples import Samples

Without = frozenset[int]  # folds left out
NO_FOLD: Without = frozenset()


class Features(NamedTuple):
    """Features (n, p) of all base models, which take different leading columns of them.

    The first ``n_plain`` have formulas: models that are sums of terms take only these.
    From ``n_shared`` on they are codes of categories, for models that take a mask of
    categorical features.
    """

    values: Floats
    n_plain: int | None = None  # None: all
    n_shared: int | None = None

    def for_model(self, model: Any) -> tuple[Any, Floats]:
        """Return a new model, and the features that it takes."""
        fresh = clone(model)
        takes_codes = "categorical_features" in model.get_params(deep=False)
        if isinstance(model, OddsAlongScore):
            return fresh, self.values[:, : self.n_plain]
        if self.n_shared is None or not takes_codes:
            return fresh, self.values[:, : self.n_shared]
        coded = list(range(self.n_shared, self.values.shape[1]))
        return fresh.set_params(categorical_features=coded or None), self.values


class BaseFit(NamedTuple):
    """A base model fitted without some folds."""

    estimator: Any  # None, unless fitted to all samples or kept on request
    response: (
        Floats  # to the samples of these folds, or to all: (m, r), of regressors (m,)
    )
    seconds: float


@dataclass(eq=False)
class FitTable:
    """Base models by the folds that they were fitted without.

    Stacking weights are fitted to predictions for each fold k by models fitted without k;
    the out-of-fold predictions of the ensemble for fold j need fits without both j and k.
    Each fit serves several ensembles, and single base models are candidates themselves.

    Attributes
    ----------
    models : mapping of str to estimator
        Not fitted; classifiers are fitted to codes, regressors to ranks 1 .. r.
    features : callable
        Maps a set of left-out folds to the `Features` of all samples, fitted without them.
    samples : Samples
        Classes, weights (samples of weight 0 are not fitted) and groups, which models with
        folds of their own do not divide.
    folds : ndarray of int, shape (n,)
        Fold of each sample.
    n_jobs : int or None
        Sets of folds left out that are fitted at the same time.
    forward : bool
        Whether a fold is left out together with all later ones; the first is never held
        out.
    """

    models: Mapping[str, Any]
    features: Callable[[Without], Features]
    samples: Samples
    folds: Integers
    n_jobs: int | None = None
    forward: bool = False
    fits: dict[tuple[str, Without], BaseFit] = field(default_factory=dict)
    # models that cannot be used, and why
    left_out: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.samples)
        self.samples = self.samples.with_features(np.empty((n, 0)), None)
        for name, model in self.models.items():
            if self.samples.weights is not None and not has_fit_parameter(
                model, "sample_weight"
            ):
                raise ValueError(
                    f"model {name!r} takes no sample_weight: leave it or the weights out"
                )

    @property
    def names(self) -> list[str]:
        """The models that can be used."""
        return [name for name in self.models if name not in self.left_out]

    @property
    def counted(self) -> Booleans:
        """Which samples are fitted."""
        return self.samples.each_weight > 0.0

    def rows_of(self, folds: Without) -> Booleans:
        """Return which samples are in some folds, (n,)."""
        return np.isin(self.folds, list(folds))

    def fold_numbers(self, without: Without = NO_FOLD) -> list[int]:
        """Return the folds that are held out where others are left out.

        Of many rows two folds suffice to fit the stacking weights: the neighbours in a
        circle, so that two left-out folds share the fits without both.
        """
        n_folds = int(self.folds.max()) + 1
        held = [f for f in range(int(self.forward), n_folds) if f not in without]
        if not without or self.forward or len(self.folds) <= FEW_ROWS:
            return held
        held.sort(key=lambda fold: (fold - min(without)) % n_folds)
        return sorted({held[0], held[-1]})

    def and_later(self, fold: int) -> Without:
        """Return the folds that are left out where models are to be asked about one."""
        last = int(self.folds.max()) if self.forward else fold
        return frozenset(range(fold, last + 1))

    def fit(
        self,
        names: Iterable[str],
        sets: Iterable[Without],
        report: Report = say_nothing,
        *,
        keep: bool = False,
    ) -> None:
        """Fit models without sets of folds, unless it was done before.

        Of models fitted without some folds only the predictions are stored, unless the
        fitted models are to be kept.
        """
        wanted = list(names)
        missing = {without: self._missing(wanted, without, keep) for without in sets}
        missing = {without: names for without, names in missing.items() if names}
        empty = replace(self, fits={}, left_out={})  # for another process
        tasks = [partial(_fits, empty, *task, keep) for task in missing.items()]
        for without, fits in zip(missing, share(tasks, self.n_jobs, report), strict=True):
            self._keep(without, fits)
        if not self.names:
            reasons = [f"{name}: {reason}" for name, reason in self.left_out.items()]
            raise ValueError(f"every model was left out ({'; '.join(reasons)})")

    def held_out(self, name: str, without: Without = NO_FOLD) -> Floats:
        """Return out-of-fold predictions (n, ...), with further folds left out of every fit.

        Predictions for samples of the further folds, and of folds that are never test
        folds, are NaN.
        """
        shape = len(self.folds), *self.fits[name, NO_FOLD].response.shape[1:]
        response = np.full(shape, np.nan)
        for fold in self.fold_numbers(without):
            left = without | self.and_later(fold)
            its = self.folds[self.rows_of(left)] == fold
            response[self.folds == fold] = self.fits[name, left].response[its]
        return response

    def _missing(self, names: list[str], without: Without, keep: bool) -> list[str]:
        def is_done(name: str) -> bool:
            fit = self.fits.get((name, without))
            return fit is not None and not (keep and fit.estimator is None)

        return [n for n in names if n not in self.left_out and not is_done(n)]

    def _keep(self, without: Without, fits: Mapping[str, BaseFit | str]) -> None:
        for name, fit in fits.items():
            if isinstance(fit, BaseFit):
                self.fits[name, without] = fit
            elif name not in self.left_out:
                self.left_out[name] = fit
                message = f"model {name!r} is left out: {fit}"
                warnings.warn(message, FitFailedWarning, stacklevel=4)


@one_thread()  # sums of BLAS and OpenMP depend on how many threads share them
def _fits(
    table: FitTable, without: Without, names: list[str], keep: bool
) -> dict[str, BaseFit | str]:
    """Fit each model without some folds; a failure gives its reason in one line."""
    features = table.features(without)
    fits: dict[str, BaseFit | str] = {}
    for name in names:
        started = time.perf_counter()
        try:
            model, X = features.for_model(table.models[name])
            estimator, response = _fit(table, without, model, X)
        except Exception as error:  # noqa: BLE001 - of someone else's model anything may come
            fits[name] = reason_of(error)
            continue
        kept = estimator if keep or not without else None
        fits[name] = BaseFit(kept, response, time.perf_counter() - started)
        varies = len(response) < 2 or np.ptp(response, axis=0).any()
        if not (without or varies):
            fits[name] = "it gives all samples the same score"
    return fits


def _fit(table: FitTable, without: Without, model: Any, X: Floats) -> tuple[Any, Floats]:
    """Fit a model without some folds; return it and its predictions for them, or for all."""
    rows, n_classes = table.rows_of(without), table.samples.n_classes
    inside, asked = table.counted & ~rows, X[rows] if without else X
    part = table.samples.take(inside)
    codes, regresses = part.codes, is_regressor(model)
    if len(np.unique(codes)) < 2:  # nothing to learn, whatever the model
        response = codes[0] + 1.0 if regresses else np.eye(n_classes)[codes[0]]
        return None, np.repeat(response[None], len(asked), axis=0)
    target = codes + 1.0 if regresses else codes
    model.fit(X[inside], target, **fit_parameters(model, part))
    return model, respond(model, asked, n_classes)


def respond(model: Any, X: Floats, n_classes: int) -> Floats:
    """Compute class probabilities (n, r) of a classifier, or ranks (n,) of a regressor.

    Raises ValueError if they are not finite, or of another shape.
    """
    if not is_regressor(model):
        proba = predicted_probabilities(model, X, np.arange(n_classes))
        return check_probabilities(proba, len(X))
    ranks = np.asarray(model.predict(X), dtype=np.float64)
    if ranks.shape != (len(X),):
        raise ValueError(
            f"it gives shape {ranks.shape} for {len(X)} samples: one rank each"
        )
    if not np.isfinite(ranks).all():
        raise ValueError("it gives ranks that are not finite")
    return ranks
