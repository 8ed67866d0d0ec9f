"""Learners on shared base-model fits: additive model, proportional odds and the ensemble."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import validate_data

from moselect._parallel import Report, no_report
from moselect._types import Integers, Table, record
from moselect.models import OrdinalStacking
from moselect.models.ensemble.base_models import base_models
from moselect.models.ensemble.fit_cache import NO_FOLD, Features, FitCache, FoldSet
from moselect.models.learner import FitError, Learner
from moselect.models.training_columns import fit_columns
from moselect.predictor import Model
from moselect.predictor.conversion import after_steps
from moselect.preprocessing.preparation import Preparation
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.tables.features import feature_matrix, feature_names, steps_of


@dataclass(eq=False)
class SharedFits:
    """Cache of base-model fits to all samples and to the training samples of each fold.

    Attributes
    ----------
    samples : Samples
        All training samples.
    folds : Folds
        Partition of the samples, or forward-chaining folds.
    unfitted : Preparation or None
        Unfitted preprocessing of the table, if it needs any.
    seed : int
        Seed of all random steps.
    n_jobs : int or None
        Number of concurrent fits.
    """

    samples: Samples
    folds: Folds
    unfitted: Preparation | None
    seed: int
    n_jobs: int | None

    @cached_property
    def parts(self) -> Integers:
        """Part (n,) of each sample; at least two parts remain when a fold is excluded.

        With forward-chaining folds, only the samples before the first test fold are
        divided.
        """
        folds = self.folds
        parts = folds.parts
        # needed to estimate stacking weights
        min_parts = 2
        if folds.goes_forward:
            divided = [np.flatnonzero(parts == 0)]
            parts = parts + 1
        elif len(folds) > min_parts:
            return parts
        else:
            divided = [test for _, test in folds]
            parts = min_parts * parts
        for rows in divided:
            part = self.samples.take(rows)
            dealt = Folds.deal(part.cv_groups, part.codes, min_parts)
            parts[rows] += dealt.index - folds.goes_forward
        return parts

    @cached_property
    def cache(self) -> FitCache:
        """The cache of base-model fits, initially empty."""
        samples = self.samples
        preparation = self.unfitted and clone(self.unfitted).set_params(extra=True)
        return FitCache(
            base_models(None, self.seed),
            partial(_features, samples, preparation, self.parts),
            samples,
            self.parts,
            self.n_jobs,
            self.folds.goes_forward,
            kept=[NO_FOLD, *self.fold_sets],
        )

    @property
    def is_empty(self) -> bool:
        """Whether no base model has been fitted so far."""
        return "cache" not in vars(self)

    @cached_property
    def fold_sets(self) -> list[FoldSet]:
        """The parts that each fold excludes."""
        return [
            frozenset(np.setdiff1d(self.parts, self.parts[train]).tolist())
            for train, _ in self.folds
        ]

    def fit(
        self,
        names: Sequence[str],
        fold_sets: Iterable[FoldSet],
        report: Report = no_report,
    ) -> None:
        """Fit base models for sets of excluded parts, unless cached; FitError if none can be."""
        self.cache.fit(names, fold_sets, report)
        failures = self.cache.failures
        if failures.keys() >= {*names}:
            raise FitError(failures[names[0]])

    def preparation(
        self, excluded: FoldSet = NO_FOLD, *, extra: bool = False
    ) -> Preparation | None:
        """Fit the preprocessing without the excluded parts; the ensemble takes extra columns."""
        if self.unfitted is None:
            return None
        part = self.samples.take(~np.isin(self.parts, list(excluded)))
        fresh = clone(self.unfitted).set_params(extra=extra)
        return fresh.fit(part.X, part.codes)


@record
class SharedLearner(Learner):
    """Base class of learners on shared base-model fits, on all samples or all but a fold.

    Attributes
    ----------
    shared : SharedFits
        The fits, to the samples of these folds only.
    names : sequence of str
        Names of the base models.
    excluded : frozenset of int
        The parts of the samples that the fits exclude.
    """

    shared: SharedFits
    names: Sequence[str]
    excluded: FoldSet = NO_FOLD

    def for_fold(self, number: int) -> Self:
        """Return the learner of the training samples of a fold."""
        return replace(self, excluded=self.shared.fold_sets[number])

    def fold_sets(self, excluded: FoldSet) -> list[FoldSet]:
        """Return the sets of parts that the fits of a model without some parts exclude."""
        return [excluded]

    def fit_folds(self, report: Report) -> float:
        """Fit all base models of a cross-validation in parallel; return the sum of seconds."""
        models = [NO_FOLD, *self.shared.fold_sets]
        fold_sets = {each for model in models for each in self.fold_sets(model)}
        # Fits with few excluded parts take longest: they go first.
        self.shared.fit(
            self.names, sorted(fold_sets, key=lambda each: (len(each), *each)), report
        )
        return sum(
            fit.seconds
            for (name, excluded), fit in self.shared.cache.fits.items()
            if name in self.names and excluded in fold_sets
        )


@record
class BaseModelLearner(SharedLearner):
    """Learner of a single base model of the ensemble."""

    def fit(self, samples: Samples, criteria: object = None) -> Model:
        """Look up the base model, or fit it."""
        self.shared.fit(self.names, [self.excluded])
        (name,) = self.names
        # Base models are fitted to arrays: a table gives the names of their features.
        fitted: Any = copy(self.shared.cache.fits[name, self.excluded].estimator)
        preparation = self.shared.preparation(self.excluded)
        validate_data(fitted, _one_row(samples, preparation), skip_check_array=True)
        return after_steps(steps_of(preparation), fitted.to_predictor())


@record
class EnsembleLearner(SharedLearner):
    """Learner of the ordinal stacking ensemble, with weights from out-of-fold predictions."""

    def fold_sets(self, excluded: FoldSet) -> list[FoldSet]:
        """Return the excluded parts, alone and with each part of the inner cross-validation."""
        cache = self.shared.cache
        inner = [
            excluded | cache.and_later(part) for part in cache.fold_numbers(excluded)
        ]
        return [excluded, *inner]

    def fit(self, samples: Samples, criteria: object = None) -> Model:
        """Fit the stacking weights to base models that are looked up, or fitted."""
        shared = self.shared
        shared.fit(self.names, self.fold_sets(self.excluded))
        stacking = OrdinalStacking(
            labels=list(range(samples.n_classes)),
            monotone=samples.directions or None,
            random_state=shared.seed,
        )
        preparation = shared.preparation(self.excluded, extra=True)
        X = _one_row(samples, preparation)
        fitted = stacking.fit_from_cache(X, shared.cache, self.excluded)
        return after_steps(steps_of(preparation), fitted.to_predictor())


def _one_row(samples: Samples, preparation: Preparation | None) -> Table:
    """Return the features of one sample, with their names."""
    row = samples.X[:1]
    return row if preparation is None else preparation.transform(row)


def _features(
    samples: Samples,
    preparation: Preparation | None,
    parts: Integers,
    excluded: FoldSet,
) -> Features:
    """Compute features (n, p) with preprocessing fitted without the excluded parts."""
    if preparation is None:
        matrix = feature_matrix(samples.X)
        return Features(
            matrix, signs=samples.signs_of(feature_names(samples.X), matrix.shape[1])
        )
    fresh = clone(preparation)
    training = np.flatnonzero(~np.isin(parts, list(excluded)))
    prepared = fit_columns(samples, fresh, training)
    return Features(prepared.X, fresh.n_plain, fresh.n_shared, prepared.signs)
