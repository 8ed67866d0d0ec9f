"""The columns that the models of a search weigh, and the folds in which it is repeated."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import Pipeline

from moselect._types import Floats, Integers
from moselect.columns import (
    ColumnKind,
    ModelColumns,
    Preparation,
    columns_of,
    columns_transformer,
    fit_training_columns,
    kept_training_columns,
    refit_without_folds,
)
from moselect.folds import Folds, split_holdout
from moselect.samples import Samples, check_classes
from moselect.search.settings import SearchSettings

EVIDENCE_ROWS = 50_000  # dealt out to folds: more would hardly make rules or their figures surer


class SearchColumns(NamedTuple):
    """Training samples in the columns that models weigh."""

    inside: Samples  # what is not held out, as it came
    held_out: Integers  # indices of the rows that are, as often as they count
    transformer: Pipeline | None  # fitted; None for features as they are
    training: Samples
    rows: Integers  # indices of the training samples that are dealt out to folds
    folds: Integers | None  # and their folds

    @property
    def evidence(self) -> Samples:
        """The training samples that are dealt out to folds."""
        everything = len(self.rows) == len(self.training)
        return self.training if everything else self.training.take(self.rows)

    def outside(self, samples: Samples) -> Samples | None:
        """Return those of all samples that were held out, in the same columns; None without any."""
        if len(self.held_out) == 0:
            return None
        return columns_of(samples.take(self.held_out), self.transformer)

    def refitted(self) -> list[Floats] | None:
        """Return the columns fitted without each fold; None if they are the same for all."""
        if self.folds is None:
            return None
        return refit_without_folds(self.inside.take(self.rows), self.transformer, self.folds)


def fit_search_columns(
    samples: Samples,
    columns: ColumnKind | Any,
    prepare: bool | Preparation,
    settings: SearchSettings,
    rng: np.random.Generator,
    *,
    counts: Integers | None = None,
    fitted: Pipeline | None = None,
) -> SearchColumns:
    """Hold out samples, deal out folds, and fit the columns to the training samples.

    ``counts`` (n,) say how often each sample is taken, by default once. ``fitted`` is the
    transformer of the same search of the same samples, if it ran before: models that score the
    samples are not fitted again.
    """
    kept, held_out = split_holdout(samples.codes, samples.classes, settings.holdout, rng)
    if counts is not None:
        kept, held_out = np.repeat(kept, counts[kept]), np.repeat(held_out, counts[held_out])
        check_classes(kept, samples.codes[kept], samples.classes, fewest=2)
    inside = samples if len(kept) == len(samples) and counts is None else samples.take(kept)
    transformer = columns_transformer(samples.X, columns, prepare, settings.random_state)
    of_models = transformer is not None and isinstance(transformer.steps[-1][1], ModelColumns)
    folds = _deal(inside, settings.cv) if of_models and settings.cv is not None else None
    training = None if fitted is None else kept_training_columns(inside, fitted)
    if training is None:
        training = fit_training_columns(inside, transformer, folds)
    else:
        transformer = fitted
    sampled = settings.sampling is not None
    rows = training.draw_rows(EVIDENCE_ROWS) if sampled else np.arange(len(training))
    if folds is not None:
        folds = folds[rows]
    elif settings.cv is not None:
        folds = _deal(inside if len(rows) == len(training) else inside.take(rows), settings.cv)
    return SearchColumns(inside, held_out, transformer, training, rows, folds)


def _deal(samples: Samples, n_folds: int) -> Integers:
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
    return Folds.deal(samples.groups, samples.codes, possible).index
