"""Training data in the columns that a linear model weighs, with and without each fold."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline

from moselect._types import Booleans, Floats, Integers
from moselect._validation import check_unmasked
from moselect.columns.cells import as_frame
from moselect.columns.model_columns import ModelColumns
from moselect.columns.preparation import Preparation
from moselect.columns.steps import cross_fits, only_selects, steps_of
from moselect.datasets.target_and_features import are_finite_numbers
from moselect.features import feature_matrix, feature_names
from moselect.models import SplineColumns
from moselect.samples import Samples, check_classes

ColumnKind = Literal["features", "splines", "models"]


def unprepared_samples(X: Any, codes: Integers, classes: NDArray[Any]) -> Samples:
    """Return samples of a table of any columns, with two samples of each class at least."""
    check_unmasked("X", X)
    table = as_frame(X) if hasattr(X, "columns") else np.asarray(X)
    check_classes(table, codes, classes, fewest=2)
    return Samples(table, codes, classes)


def preparation_for(
    table: Any, prepare: bool | Preparation = True, random_state: int | None = None
) -> Preparation | None:
    """Return what turns the columns of a table into numbers, not fitted; None if nothing need.

    Of an array, and of a DataFrame of numbers without gaps, nothing is prepared. Folds and held-out
    samples are read as the whole table is.
    """
    if isinstance(prepare, Preparation):
        return prepare.for_parts_of(table)
    if prepare and isinstance(table, pd.DataFrame) and not are_finite_numbers(table):
        return Preparation(random_state=random_state).for_parts_of(table)
    return None


def columns_transformer(
    table: Any,
    columns: ColumnKind | Any,
    prepare: bool | Preparation,
    random_state: int | np.random.Generator | None,
) -> Pipeline | None:
    """Return what turns a table into the columns to weigh, not fitted; None if nothing does.

    ``columns`` are "features", "splines" (`SplineColumns`), "models" (`ModelColumns`), or one's own
    transformer, which is cloned.

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If the columns are neither a name nor a transformer.
    """
    if isinstance(random_state, np.random.Generator):
        random_state = int(random_state.integers(2**31))  # what scikit-learn takes
    preparation = preparation_for(table, prepare, random_state)
    steps: list[Any] = [] if preparation is None else [preparation]
    if not (isinstance(columns, str) and columns == "features"):
        steps.append(_make_columns(columns, random_state))
    return make_pipeline(*steps) if steps else None


def fit_training_columns(
    samples: Samples, transformer: Pipeline | None, folds: Integers | None = None
) -> Samples:
    """Fit a transformer to samples, in place, and return them in its columns.

    ``folds`` (n,) are those in which models are scored for columns of models.
    """
    if transformer is None:
        return samples.with_features(feature_matrix(samples.X), feature_names(samples.X))
    if folds is None or not cross_fits(transformer):
        values = fit_columns(transformer, samples.X, samples.codes)
    else:
        *first, last = steps_of(transformer)
        X, refitted = samples.X, None
        if first:  # nor may what is done before know the classes of the fold
            before = make_pipeline(*first)
            X = before.fit_transform(samples.X, samples.codes)
            refitted = refit_without_folds(samples, before, folds)
        values = last.fit_in_folds(X, samples.codes, folds, refitted)
    names = tuple(map(str, transformer.get_feature_names_out()))
    return samples.with_features(values, names)


def kept_training_columns(samples: Samples, transformer: Pipeline) -> Samples | None:
    """Return training samples in the columns that they got when a transformer was fitted to them.

    None if it does not keep them: it keeps out-of-fold columns, which no ``transform`` returns.
    """
    if not cross_fits(transformer):
        return None
    values = steps_of(transformer)[-1].held_out_columns_
    if len(values) != len(samples):
        raise ValueError(f"the models were fitted to {len(values)} samples, not to {len(samples)}")
    return samples.with_features(values, tuple(map(str, transformer.get_feature_names_out())))


def columns_of(samples: Samples, transformer: Pipeline | None) -> Samples:
    """Return other samples in the columns of a fitted transformer."""
    if transformer is None:
        return samples.with_features(feature_matrix(samples.X), None)
    return samples.with_features(apply_columns(transformer, samples.X), None)


def refit_without_folds(
    samples: Samples, transformer: Pipeline | None, folds: Integers
) -> list[Floats] | None:
    """Return the columns (n, p_j) of all samples by transformers fitted without each fold.

    None if columns do not depend on what they are fitted to, as features do not, or if every sample
    has columns that were fitted without its fold already.
    """
    if transformer is None or cross_fits(transformer) or only_selects(transformer):
        return None
    return [
        columns_without(samples, transformer, folds == fold) for fold in range(int(folds.max()) + 1)
    ]


def columns_without(samples: Samples, transformer: Any, outside: Booleans) -> Floats:
    """Return the columns (n, q) of all samples by a transformer fitted without some of them."""
    inside, fresh = ~outside, clone(transformer)
    fitted = fit_columns(fresh, samples.take(inside).X, samples.codes[inside])
    values = np.empty((len(samples), fitted.shape[1]))
    values[inside] = fitted
    if outside.any():
        values[outside] = apply_columns(fresh, samples.take(outside).X)
    return values


def fit_columns(transformer: Any, X: ArrayLike, y: ArrayLike) -> Floats:
    """Fit a transformer and return the columns (n, q) to which a linear model may be fitted."""
    return _checked(transformer.fit_transform(X, y), transformer, len(X))  # type: ignore[arg-type]


def apply_columns(transformer: Any, X: ArrayLike) -> Floats:
    """Return the columns (n, q) of new samples by a fitted transformer."""
    return _checked(transformer.transform(X), transformer, len(X))  # type: ignore[arg-type]


def _checked(columns: Any, transformer: Any, n: int) -> Floats:
    name = type(steps_of(transformer)[-1]).__name__
    if hasattr(columns, "toarray"):  # sparse
        columns = columns.toarray()
    values = np.ascontiguousarray(columns, dtype=np.float64)
    if values.ndim != 2 or len(values) != n or not values.shape[1]:
        raise ValueError(
            f"{name} returns shape {values.shape} for {n} rows: it must return one row for each"
        )
    if not np.isfinite(values).all():
        raise ValueError(f"{name} returns values that are missing or infinite")
    return values


def _make_columns(columns: ColumnKind | Any, random_state: int | None) -> Any:
    if isinstance(columns, str):
        if columns == "splines":
            return SplineColumns()
        if columns == "models":
            return ModelColumns(random_state=random_state)
        raise ValueError(
            f"columns must be 'features', 'splines', 'models' or a transformer, not {columns!r}"
        )
    if isinstance(columns, type) or not (hasattr(columns, "fit") and hasattr(columns, "transform")):
        raise TypeError(
            f"columns is {columns!r}: it must be 'features', 'splines', 'models' or a transformer "
            "with fit and transform"
        )
    return clone(columns)
