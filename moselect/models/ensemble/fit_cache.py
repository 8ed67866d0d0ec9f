"""Cache of base-model fits, keyed by model and excluded folds, with their predictions."""

import time
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.validation import has_fit_parameter

from moselect._parallel import Report, no_report, one_thread, run_tasks
from moselect._types import Array, Booleans, Classifier, Estimator, Floats, Integers
from moselect.budgets import ENSEMBLE
from moselect.listing import reason_of
from moselect.metrics.scorers import predicted_probabilities
from moselect.models.proportional_odds import ScoreOdds
from moselect.samples.samples import Samples
from moselect.samples.training import fit_parameters, unrouted
from moselect.validation import check_probabilities

FoldSet = frozenset[int]
NO_FOLD: FoldSet = frozenset()


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

    def for_model(self, model: Estimator) -> tuple[Any, Floats]:
        """Return a new model and its features."""
        fresh = clone(model)
        values = self.values
        takes_codes = "categorical_features" in model.get_params(deep=False)
        if isinstance(model, ScoreOdds):
            values = values[:, : self.n_plain]
        elif self.n_shared is None or not takes_codes:
            values = values[:, : self.n_shared]
        else:
            coded = list(range(self.n_shared, values.shape[1]))
            fresh.set_params(categorical_features=coded or None)
        if self.signs is not None:
            fresh.set_params(monotone=self.signs[: values.shape[1]].tolist())
        return fresh, values


class BaseFit(NamedTuple):
    """Fit of a base model with some folds excluded."""

    estimator: Estimator | None  # None, unless the cache keeps the models of these folds
    response: Floats  # for the excluded folds, or some of all: (m, r), regressors (m,)
    seconds: float


@dataclass(eq=False)
class FitCache:
    """Cache of base models, by excluded folds.

    Stacking weights are fitted to predictions for each fold k by models fitted without k;
    the out-of-fold predictions of the ensemble for fold j need fits without both j and k.
    Each fit serves several ensembles, and single base models are candidates themselves:
    their learners look fits up here when `moselect.candidates.cross_validate` excludes a
    fold. Fits without two folds are made by the cache alone, all in parallel.

    Attributes
    ----------
    models : mapping of str to estimator
        Unfitted; classifiers are trained on codes, regressors on ranks 1 .. r.
    features : callable
        Maps a set of excluded folds to the `Features` of all samples, from
        transformers fitted to the other folds.
    samples : Samples
        Classes, weights (samples of weight 0 are not fitted), groups, which models with
        internal folds keep together, and directions: models that cannot keep them are left
        out.
    folds : ndarray of int, shape (n,)
        Fold of each sample.
    n_jobs : int or None
        Number of parallel fits.
    forward : bool
        Whether all later folds are excluded, too; the first fold is never a test fold.
    kept : collection of sets of folds
        Excluded folds whose fitted models are kept; of others only predictions.
    """

    models: Mapping[str, Estimator]
    features: Callable[[FoldSet], Features]
    samples: Samples
    folds: Integers
    n_jobs: int | None = None
    forward: bool = False
    kept: Collection[FoldSet] = (NO_FOLD,)
    fits: dict[tuple[str, FoldSet], BaseFit] = field(default_factory=dict)
    # reasons why models are left out
    failures: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.samples)
        self.samples = self.samples.with_features(np.empty((n, 0)), None)
        for name, model in self.models.items():
            keeps_directions = "monotone" in model.get_params(deep=False)
            if self.samples.directions and not keeps_directions:
                self.failures.setdefault(name, "it cannot keep directions")
            if self.samples.weights is not None and not has_fit_parameter(
                model, "sample_weight"
            ):
                raise ValueError(
                    f"model {name!r} takes no sample_weight: omit the model or the weights"
                )

    @property
    def names(self) -> list[str]:
        """Names of the usable models."""
        return [name for name in self.models if name not in self.failures]

    @property
    def counted(self) -> Booleans:
        """Mask of the samples with positive weight."""
        return self.samples.sample_weight_or_ones > 0.0

    def rows_of(self, folds: FoldSet) -> Booleans:
        """Return a mask of the samples in the given folds, (n,)."""
        return np.isin(self.folds, list(folds))

    def fold_numbers(self, excluded: FoldSet = NO_FOLD) -> list[int]:
        """Return the inner test folds, given excluded folds.

        For many rows two folds suffice to fit the stacking weights: the cyclic neighbours,
        so that two excluded folds share fits.
        """
        n_folds = int(self.folds.max()) + 1
        inner = [f for f in range(int(self.forward), n_folds) if f not in excluded]
        if not excluded or self.forward or len(self.folds) <= ENSEMBLE.neighbour_rows:
            return inner
        inner.sort(key=lambda fold: (fold - min(excluded)) % n_folds)
        return sorted({inner[0], inner[-1]})

    def and_later(self, fold: int) -> FoldSet:
        """Return the folds to exclude for predictions of a fold."""
        last = fold
        if self.forward:
            last = int(self.folds.max())
        return frozenset(range(fold, last + 1))

    def fit(
        self,
        names: Iterable[str],
        fold_sets: Iterable[FoldSet],
        report: Report = no_report,
    ) -> None:
        """Fit models for each set of excluded folds, unless cached."""
        usable = [name for name in names if name not in self.failures]
        missing = {
            excluded: absent
            for excluded in fold_sets
            if (absent := [n for n in usable if (n, excluded) not in self.fits])
        }
        # Another process needs no fits of others.
        empty = replace(self, fits={}, failures={**self.failures})
        tasks = [partial(_fits, empty, *task) for task in missing.items()]
        for excluded, fits in zip(
            missing, run_tasks(tasks, self.n_jobs, report), strict=True
        ):
            for name, fit in fits.items():
                if isinstance(fit, BaseFit):
                    self.fits[name, excluded] = fit
                elif name not in self.failures:
                    self.failures[name] = fit
                    message = f"model {name!r} is excluded: {fit}"
                    warnings.warn(message, FitFailedWarning, stacklevel=3)
        if not self.names:
            reasons = [f"{name}: {reason}" for name, reason in self.failures.items()]
            raise ValueError(f"every model failed ({'; '.join(reasons)})")

    def out_of_fold(self, name: str, excluded: FoldSet) -> Floats:
        """Return out-of-fold predictions (n, ...), with further folds excluded from every fit.

        Predictions for samples of the excluded folds, and of folds that are never test
        folds, are NaN.
        """
        shape = self.fits[name, excluded].response.shape[1:]
        response = np.full((len(self.folds), *shape), np.nan)
        for fold in self.fold_numbers(excluded):
            both = excluded | self.and_later(fold)
            tested = self.folds[self.rows_of(both)] == fold
            response[self.folds == fold] = self.fits[name, both].response[tested]
        return response


@unrouted()
@one_thread()  # sums of BLAS and OpenMP depend on how many threads share them
def _fits(
    cache: FitCache, excluded: FoldSet, names: list[str]
) -> dict[str, BaseFit | str]:
    """Fit each model with some folds excluded; return a reason for each failure."""
    features = cache.features(excluded)
    tested = cache.rows_of(excluded)
    trained = cache.counted & ~tested
    part = cache.samples.take(trained)
    fits: dict[str, BaseFit | str] = {}
    for name in names:
        started = time.perf_counter()
        try:
            model, X = features.for_model(cache.models[name])
            regresses = is_regressor(model)
            if len(np.unique(part.codes)) < 2:  # nothing to learn, whatever the model
                if regresses:
                    model = DummyRegressor()
                else:
                    model = DummyClassifier()
            # Regressors are fitted to ranks 1 .. r.
            target: Array = part.codes
            if regresses:
                target = part.codes + 1.0
            model.fit(X[trained], target, **fit_parameters(model, part))
            # Without excluded folds some rows tell whether the response varies.
            rows = X[tested] if excluded else X[:: len(X) // ENSEMBLE.varying_rows + 1]
            response = respond(model, rows, cache.samples.n_classes)
        except Exception as error:  # noqa: BLE001 - third-party models may raise anything
            fits[name] = reason_of(error)
            continue
        kept = model if excluded in cache.kept else None
        fits[name] = BaseFit(kept, response, time.perf_counter() - started)
        varies = len(response) < 2 or np.ptp(response, axis=0).any()
        if not (excluded or varies):
            fits[name] = "it gives all samples the same score"
    return fits


def respond(model: Classifier, X: Floats, n_classes: int) -> Floats:
    """Compute class probabilities (n, r) of a classifier, or ranks (n,) of a regressor.

    Raises ValueError for infinite or missing predictions, or a wrong shape.
    """
    if not is_regressor(model):
        proba = predicted_probabilities(model, X, np.arange(n_classes))
        return check_probabilities(proba, len(X))
    ranks = np.reshape(model.predict(X), len(X)).astype(float)
    if not np.isfinite(ranks).all():
        raise ValueError("it gives ranks that are not finite")
    return ranks
