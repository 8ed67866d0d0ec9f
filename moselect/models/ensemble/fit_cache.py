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

from moselect._processes import Report, no_report, share
from moselect._threads import one_thread
from moselect._types import Booleans, Floats, Integers
from moselect.listing import reason_of
from moselect.metrics.scorers import predicted_probabilities
from moselect.models.directed import keeps_directions, with_directions
from moselect.models.ensemble.base_models import FEW_ROWS
from moselect.models.proportional_odds import ScoreOdds
from moselect.samples.samples import Samples
from moselect.samples.training import fit_parameters
from moselect.samples.validation import check_probabilities

Without = frozenset[int]  # folds left out
NO_FOLD: Without = frozenset()


class Features(NamedTuple):
    """Features (n, p) of the base models, which use different leading columns.

    The first ``n_plain`` have formulas: additive models use only these.
    From ``n_shared`` on they are codes of categories, for models that take a mask of
    categorical features.
    """

    values: Floats
    n_plain: int | None = None  # None: all
    n_shared: int | None = None
    signs: Integers | None = None  # direction of each, 0 for any; None: all of them

    def for_model(self, model: Any) -> tuple[Any, Floats]:
        """Return a new model and its features."""
        fresh, values = clone(model), self.values
        takes_codes = "categorical_features" in model.get_params(deep=False)
        if isinstance(model, ScoreOdds):
            values = values[:, : self.n_plain]
        elif self.n_shared is None or not takes_codes:
            values = values[:, : self.n_shared]
        else:
            coded = list(range(self.n_shared, values.shape[1]))
            fresh.set_params(categorical_features=coded or None)
        if self.signs is not None:
            fresh = with_directions(fresh, self.signs[: values.shape[1]])
        return fresh, values


class BaseFit(NamedTuple):
    """Fit of a base model with some folds left out."""

    estimator: Any  # None, unless fitted to all samples or kept on request
    response: Floats  # for the left-out folds, or all samples: (m, r), regressors (m,)
    seconds: float


@dataclass(eq=False)
class FitCache:
    """Cache of base models, by left-out folds.

    Stacking weights are fitted to predictions for each fold k by models fitted without k;
    the out-of-fold predictions of the ensemble for fold j need fits without both j and k.
    Each fit serves several ensembles, and single base models are candidates themselves.

    Attributes
    ----------
    models : mapping of str to estimator
        Unfitted; classifiers are trained on codes, regressors on ranks 1 .. r.
    features : callable
        Maps a set of left-out folds to the `Features` of all samples, from
        transformers fitted to the other folds.
    samples : Samples
        Classes, weights (samples of weight 0 are not fitted) and groups, which models with
        internal folds keep together.
    folds : ndarray of int, shape (n,)
        Fold of each sample.
    n_jobs : int or None
        Number of parallel fits.
    keeps_directions : bool
        Whether models keep directions of features; models that cannot are left out.
    forward : bool
        Whether all later folds are left out, too; the first fold is never a test fold.
    """

    models: Mapping[str, Any]
    features: Callable[[Without], Features]
    samples: Samples
    folds: Integers
    n_jobs: int | None = None
    forward: bool = False
    keeps_directions: bool = False
    fits: dict[tuple[str, Without], BaseFit] = field(default_factory=dict)
    # unfitted models that join if they have weight on one fold
    on_trial: Mapping[str, Any] = field(default_factory=dict)
    # models excluded after an error, with the reason
    excluded: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.samples)
        self.samples = self.samples.with_features(np.empty((n, 0)), None)
        for name, model in self.models.items():
            if self.keeps_directions and not keeps_directions(model):
                self.excluded.setdefault(name, "it cannot keep directions")
        for name, model in self.models.items():
            if self.samples.weights is not None and not has_fit_parameter(
                model, "sample_weight"
            ):
                raise ValueError(
                    f"model {name!r} takes no sample_weight: leave it or the weights out"
                )

    @property
    def names(self) -> list[str]:
        """Names of the usable models."""
        return [name for name in self.models if name not in self.excluded]

    @property
    def counted(self) -> Booleans:
        """Mask of the samples with positive weight."""
        return self.samples.sample_weight_or_ones > 0.0

    def rows_of(self, folds: Without) -> Booleans:
        """Return a mask of the samples in the given folds, (n,)."""
        return np.isin(self.folds, list(folds))

    def fold_numbers(self, without: Without = NO_FOLD) -> list[int]:
        """Return the inner test folds, given left-out folds.

        For many rows two folds suffice to fit the stacking weights: the cyclic neighbours,
        so that two left-out folds share fits.
        """
        n_folds = int(self.folds.max()) + 1
        held = [f for f in range(int(self.forward), n_folds) if f not in without]
        if not without or self.forward or len(self.folds) <= FEW_ROWS:
            return held
        held.sort(key=lambda fold: (fold - min(without)) % n_folds)
        return sorted({held[0], held[-1]})

    def and_later(self, fold: int) -> Without:
        """Return the folds to leave out for predictions of a fold."""
        last = int(self.folds.max()) if self.forward else fold
        return frozenset(range(fold, last + 1))

    def fit(
        self,
        names: Iterable[str],
        sets: Iterable[Without],
        report: Report = no_report,
        *,
        keep: bool = False,
    ) -> None:
        """Fit models for sets of left-out folds, unless cached.

        For models with left-out folds only predictions are stored, unless ``keep`` is set.
        """
        wanted = list(names)
        missing = {without: self._missing(wanted, without, keep) for without in sets}
        missing = {without: names for without, names in missing.items() if names}
        empty = replace(self, fits={}, excluded={**self.excluded})  # for another process
        tasks = [partial(_fits, empty, *task, keep) for task in missing.items()]
        for without, fits in zip(missing, share(tasks, self.n_jobs, report), strict=True):
            self._keep(without, fits)
        if not self.names:
            reasons = [f"{name}: {reason}" for name, reason in self.excluded.items()]
            raise ValueError(f"every model was left out ({'; '.join(reasons)})")

    def held_out(self, name: str, without: Without = NO_FOLD) -> Floats:
        """Return out-of-fold predictions (n, ...), with further folds left out of every fit.

        Predictions for samples of the further folds, and of folds that are never test
        folds, are NaN.
        """
        parts = dict[int, Floats]()
        for fold in self.fold_numbers(without):
            left = without | self.and_later(fold)
            its = self.folds[self.rows_of(left)] == fold
            parts[fold] = self.fits[name, left].response[its]
        shape = next(iter(parts.values())).shape[1:]
        response = np.full((len(self.folds), *shape), np.nan)
        for fold, part in parts.items():
            response[self.folds == fold] = part
        return response

    def _missing(self, names: list[str], without: Without, keep: bool) -> list[str]:
        def is_done(name: str) -> bool:
            fit = self.fits.get((name, without))
            return fit is not None and not (keep and fit.estimator is None)

        return [n for n in names if n not in self.excluded and not is_done(n)]

    def _keep(self, without: Without, fits: Mapping[str, BaseFit | str]) -> None:
        for name, fit in fits.items():
            if isinstance(fit, BaseFit):
                self.fits[name, without] = fit
            elif name not in self.excluded:
                self.excluded[name] = fit
                message = f"model {name!r} is left out: {fit}"
                warnings.warn(message, FitFailedWarning, stacklevel=4)


@one_thread()  # sums of BLAS and OpenMP depend on how many threads share them
def _fits(
    table: FitCache, without: Without, names: list[str], keep: bool
) -> dict[str, BaseFit | str]:
    """Fit each model with some folds left out; return a reason for each failure."""
    features = table.features(without)
    fits: dict[str, BaseFit | str] = {}
    for name in names:
        started = time.perf_counter()
        try:
            model, X = features.for_model(table.models[name])
            estimator, response = _fit(table, without, model, X)
        except Exception as error:  # noqa: BLE001 - third-party models may raise anything
            fits[name] = reason_of(error)
            continue
        kept = estimator if keep or not without else None
        fits[name] = BaseFit(kept, response, time.perf_counter() - started)
        varies = len(response) < 2 or np.ptp(response, axis=0).any()
        if not (without or varies):
            fits[name] = "it gives all samples the same score"
    return fits


def _fit(table: FitCache, without: Without, model: Any, X: Floats) -> tuple[Any, Floats]:
    """Fit a model with folds left out; return it with predictions for these, or for all."""
    rows, n_classes = table.rows_of(without), table.samples.n_classes
    inside, criteria = table.counted & ~rows, X[rows] if without else X
    part = table.samples.take(inside)
    codes, regresses = part.codes, is_regressor(model)
    if len(np.unique(codes)) < 2:  # nothing to learn, whatever the model
        response = codes[0] + 1.0 if regresses else np.eye(n_classes)[codes[0]]
        return None, np.repeat(response[None], len(criteria), axis=0)
    target = codes + 1.0 if regresses else codes
    model.fit(X[inside], target, **fit_parameters(model, part))
    return model, respond(model, criteria, n_classes)


def respond(model: Any, X: Floats, n_classes: int) -> Floats:
    """Compute class probabilities (n, r) of a classifier, or ranks (n,) of a regressor.

    Raises ValueError for infinite or missing predictions, or a wrong shape.
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
