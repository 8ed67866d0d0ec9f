"""Base-model fits shared by the additive model, proportional odds and the ensemble."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from sklearn.base import clone

from moselect._types import Floats, Integers
from moselect.models.ensemble.base_models import ON_TRIAL, base_models
from moselect.models.ensemble.fit_cache import NO_FOLD, Features, FitCache, Without
from moselect.models.training_columns import fit_columns
from moselect.preprocessing.preparation import Preparation
from moselect.samples.features import feature_matrix, feature_names
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples

FEWEST = 2  # folds needed to estimate stacking weights


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
    keeps : bool
        Whether fitted models of the folds are kept, for importance and effects.
    """

    samples: Samples
    folds: Folds
    unfitted: Preparation | None
    seed: int
    n_jobs: int | None
    keeps: bool = False
    _prepared: dict[tuple[Without, bool], Any] = field(default_factory=dict)

    @cached_property
    def parts(self) -> Integers:
        """Part (n,) of each sample; at least two parts remain when a fold is left out.

        With forward-chaining folds, only the samples before the first test fold are
        divided.
        """
        folds, parts = self.folds, self.folds.parts
        if folds.goes_forward:
            parts, divided = parts + 1, [np.flatnonzero(parts == 0)]
        elif len(folds) > FEWEST:
            return parts
        else:
            parts, divided = FEWEST * parts, [test for _, test in folds]
        for rows in divided:
            part = self.samples.take(rows)
            dealt = Folds.deal(part.cv_groups, part.codes, FEWEST)
            parts[rows] += dealt.index - folds.goes_forward
        return parts

    @cached_property
    def table(self) -> FitCache:
        """The cache of fits, initially empty."""
        samples, preparation = self.samples, self.preparation(extra=True)
        matrix = feature_matrix(samples.X) if preparation is None else None
        coded = preparation is not None and preparation.n_shared < len(
            preparation.get_feature_names_out()
        )
        on_trial = base_models(ON_TRIAL, self.seed, len(samples))
        return FitCache(
            base_models(None, self.seed, len(samples), has_categories=coded),
            partial(_features, matrix, samples, preparation, self.parts),
            samples,
            self.parts,
            self.n_jobs,
            self.folds.goes_forward,
            bool(samples.directions),
            on_trial={} if samples.directions else on_trial,
        )

    @cached_property
    def left(self) -> list[Without]:
        """The parts that each fold leaves out."""
        return [
            frozenset(np.setdiff1d(self.parts, self.parts[train]).tolist())
            for train, _ in self.folds
        ]

    def preparation(self, left: Without = NO_FOLD, *, extra: bool = False) -> Any:
        """Fit the preprocessing without the left-out parts.

        The ensemble takes ``further`` columns.
        """
        if self.unfitted is None:
            return None
        if (left, extra) not in self._prepared:
            inside = self.samples.take(~np.isin(self.parts, list(left)))
            fresh = clone(self.unfitted).set_params(extra=extra)
            self._prepared[left, extra] = fresh.fit(inside.X, inside.codes)
        return self._prepared[left, extra]

    def names(self, left: Without) -> tuple[str, ...] | None:
        """Return feature names after preprocessing without the left-out parts."""
        fitted = self.preparation(left)
        if fitted is None:
            return feature_names(self.samples.X)
        return tuple(map(str, fitted.get_feature_names_out()))

    def said(self, number: int, proba: Callable[[Without], Floats]) -> Floats:
        """Return the predictions for a test fold, out of those for all left-out samples."""
        without, (_, test) = self.left[number], self.folds.splits[number]
        rows = np.flatnonzero(self.table.rows_of(without))
        return proba(without)[np.searchsorted(rows, test)]


def _features(
    matrix: Floats | None,
    samples: Samples,
    preparation: Any,
    parts: Integers,
    without: Without,
) -> Features:
    """Compute features (n, p) with preprocessing fitted without the left-out parts."""
    if matrix is not None:
        return Features(
            matrix, signs=samples.signs_of(feature_names(samples.X), matrix.shape[1])
        )
    fresh, inside = clone(preparation), np.flatnonzero(~np.isin(parts, list(without)))
    values = fit_columns(samples, fresh, inside)
    names = list(map(str, fresh.get_feature_names_out()))
    signs = samples.signs_of(names, values.shape[1])
    return Features(values, fresh.n_plain, fresh.n_shared, signs)
