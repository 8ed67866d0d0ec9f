"""The columns that the models of a search weigh, and the folds in which it is repeated."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from moselect.columns import (
    ColumnKind,
    Preparation,
    RawSamples,
    columns_transformer,
    fit_training_columns,
    grouping_matrix,
    refit_without_folds,
)
from moselect.datasets import TrainingData
from moselect.decision import deal_folds
from moselect.front import split_holdout
from moselect.search.settings import SearchSettings

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class SearchColumns(NamedTuple):
    """Training samples in the columns that models weigh."""

    inside: RawSamples  # what is not held out, as it came
    held_out: Integers  # indices of the rows that are
    transformer: Pipeline | None  # fitted; None for features as they are
    folds: Integers | None  # fold of each training sample
    training: TrainingData

    def refitted(self) -> list[Floats] | None:
        """Return the columns fitted without each fold; None if they are the same for all."""
        if self.folds is None:
            return None
        return refit_without_folds(self.inside, self.transformer, self.folds)


def fit_search_columns(
    samples: RawSamples,
    columns: ColumnKind | Any,
    prepare: bool | Preparation,
    settings: SearchSettings,
    rng: np.random.Generator,
) -> SearchColumns:
    """Hold out samples, deal out folds, and fit the columns to the training samples."""
    kept, held_out = split_holdout(samples.codes, samples.classes, settings.holdout, rng)
    inside = samples.take(kept) if len(held_out) else samples
    transformer = columns_transformer(samples.table, columns, prepare, settings.random_state)
    folds = None if settings.cv is None else _deal(inside, settings.cv)
    training = fit_training_columns(inside, transformer, folds)
    return SearchColumns(inside, held_out, transformer, folds, training)


def _deal(samples: RawSamples, n_folds: int) -> Integers:
    """Deal samples out to as many folds as every class has samples for."""
    counts = np.bincount(samples.codes, minlength=len(samples.classes))
    smallest = int(counts.argmin())
    possible = max(2, min(n_folds, int(counts[smallest])))
    if 2 <= counts[smallest] < n_folds:
        warnings.warn(
            f"class {samples.classes[smallest]} has {counts[smallest]} samples: {possible} "
            f"folds instead of {n_folds}, so figures for new data are less sure",
            UserWarning,
            stacklevel=4,
        )
    return deal_folds(grouping_matrix(samples.table), samples.codes, possible)
