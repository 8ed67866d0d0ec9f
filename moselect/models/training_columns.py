"""Feature columns of training samples, by transformers fitted to all samples and out of fold."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline

from moselect._types import Estimator, Floats, Integers, Labels, Table
from moselect.labels.labels import check_classes
from moselect.models.model_columns import ModelColumns
from moselect.preprocessing import SplineColumns
from moselect.preprocessing.preparation import Preparation, preparation_for
from moselect.preprocessing.related_rows import duplicates_remark, related_row_remarks
from moselect.preprocessing.steps import Steps
from moselect.samples.duplicates import duplicate_groups
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.training import fit_parameters
from moselect.tables.cells import as_frame
from moselect.tables.features import (
    NO_DIRECTION,
    Schema,
    feature_matrix,
    feature_names,
    steps_of,
)
from moselect.validation import check_unmasked

ColumnChoice = Literal["features", "splines", "models"]
COLUMNS = "'features', 'splines', 'models' or a transformer"


def unprepared_samples(
    X: Table,
    codes: Integers,
    classes: Labels,
    schema: Schema | None,
    *roles: Any,
    fewest: int = 2,
) -> Samples:
    """Return samples of a table with columns of any type, at least ``fewest`` of each class.

    The schema is as in `schema_of`; ``roles`` are weights, groups, times and the
    type of weights, as `Samples.with_sample_info` takes them.
    """
    check_unmasked("X", X)
    table = as_frame(X) if hasattr(X, "columns") else np.asarray(X)
    if table.ndim != 2:
        raise ValueError(f"X has shape {table.shape}: give a table (n, p), not sparse")
    check_classes(table, codes, classes, fewest=fewest)
    samples = Samples(table, codes, classes, schema=schema)
    return with_duplicate_groups(samples.with_sample_info(*roles))


# share of duplicates among all samples
MAX_DUPLICATE_SHARE = 0.01


def with_duplicate_groups(samples: Samples) -> Samples:
    """Attach groups of duplicate samples, so that folds do not divide them; may warn.

    Keys and dropped columns do not distinguish duplicates. If groups or times determine
    the folds, duplicates are ignored. Of a table with many duplicates these are the groups,
    because standard errors count distinct samples.
    """
    if not (samples.groups is None and samples.times is None):
        return samples
    copy_groups = duplicate_groups(samples.observed, samples.codes)
    # a sample repeated by its count is no duplicate
    once = np.unique(samples.rows, return_index=True)[1]  # type: ignore[call-overload]
    n_duplicates = len(once) - len(np.unique(copy_groups[once]))
    if n_duplicates > MAX_DUPLICATE_SHARE * len(once):
        remark = duplicates_remark(samples.take(once), n_duplicates)
        warnings.warn(remark, UserWarning, stacklevel=4)
        samples = replace(samples, groups=copy_groups)
    return replace(samples, copy_groups=copy_groups)


def warn_of_related_rows(samples: Samples) -> None:
    """Warn of rows that may belong together although folds divide them."""
    for remark in related_row_remarks(samples):
        warnings.warn(remark, UserWarning, stacklevel=4)


def check_columns_have_order(samples: Samples, monotone: Mapping[str, int]) -> None:
    """Raise ValueError if a column with a direction holds dates, or levels of no known order."""
    for name in monotone:
        content = samples.content_of(name)
        if content.content_type in ("date", "levels") and not content.order:
            raise ValueError(f"column {name!r} has no order: {NO_DIRECTION}")


def with_preparation(
    model: Estimator, samples: Samples, prepare: bool | Preparation
) -> Any:
    """Return a pipeline of preparation and model if the samples need preparation.

    As a step of the pipeline the preparation has the same training samples as the model. A
    search, or another model with a ``prepare`` parameter, prepares columns itself, but
    with the column types of the whole table.
    """
    parameters = model.get_params(deep=True)
    prepares = {
        name: parameters[name] for name in parameters if name.split("__")[-1] == "prepare"
    }
    seed = None if prepares else 0
    preparation = preparation_for(samples.schema, prepare, seed)
    if preparation is None:
        return model
    if not prepares:
        return make_pipeline(preparation, model)
    read = {
        name: clone(preparation)
        for name, value in prepares.items()
        if value in (True, None)
    }
    return clone(model).set_params(**read)


def columns_transformer(
    schema: Schema | None,
    columns: ColumnChoice | object,
    prepare: bool | Preparation,
    random_state: int | np.random.Generator | None,
    monotone: Mapping[str, int] | None = None,
) -> Pipeline | None:
    """Return the unfitted transformer from a table to features; None if none is needed.

    ``columns`` are "features", "splines" (`SplineColumns`), "models" (`ModelColumns`), or
    a user-defined transformer, which is cloned. Splines and models keep the directions
    ``monotone`` of columns.

    Raises
    ------
    ValueError
        If the columns are neither a known name nor a transformer, or directions are to be
        kept by a user-defined transformer.
    """
    if isinstance(random_state, np.random.Generator):
        # Steps of scikit-learn take a seed, but no Generator.
        random_state = int(random_state.integers(2**31))
    preparation = preparation_for(schema, prepare, random_state)
    steps: list[object] = [] if preparation is None else [preparation]
    if columns == "splines":
        steps.append(SplineColumns(monotone=monotone))
    elif columns == "models":
        steps.append(ModelColumns(monotone=monotone, random_state=random_state))
    elif hasattr(columns, "transform"):
        if monotone:
            raise ValueError(
                f"{type(columns).__name__} may turn the directions of columns: with monotone "
                "columns are 'features', 'splines' or 'models'"
            )
        steps.append(clone(columns))
    elif columns != "features":
        raise ValueError(f"columns must be {COLUMNS}, not {columns!r}")
    return make_pipeline(*steps) if steps else None


def fit_training_columns(
    samples: Samples, transformer: Pipeline | None, folds: Folds | None
) -> Samples:
    """Fit a transformer to samples, in place, and return them with its output columns.

    Columns of models are cross-fitted in these ``folds``.
    """
    if transformer is None:
        values = feature_matrix(samples.X)
        names = feature_names(samples.X)
        return samples.with_features(
            values, names, samples.signs_of(names, values.shape[1])
        )
    if folds is None or not Steps.of(transformer).cross_fitted:
        return _named(samples, fit_columns(samples, transformer), transformer)
    *first, last = steps_of(transformer)
    X = samples.X
    refitted = None
    codes = samples.codes
    # The steps before the models may be supervised (target encoding): cross-fit them, too.
    if first:
        before = make_pipeline(*first)
        X = before.fit_transform(X, codes, **fit_parameters(before, samples))
        parts = refit_without_folds(samples, before, folds)
        refitted = None if parts is None else [part.X for part in parts]
    weighing = fit_parameters(last, samples)
    last.fit(X, codes, folds=folds.index, fold_features=refitted, **weighing)
    return _named(samples, last.oof_ranks_, transformer)


def columns_of(samples: Samples, transformer: Pipeline | None) -> Samples:
    """Return other samples with the output columns of a fitted transformer."""
    X = samples.X
    values = feature_matrix(X) if transformer is None else apply_columns(transformer, X)
    return samples.with_features(values, None)


def refit_without_folds(
    samples: Samples, transformer: Pipeline | None, folds: Folds
) -> list[Samples] | None:
    """For each fold, return all samples with columns by a fit to its training part.

    None if columns do not depend on the training samples, such as plain features.
    """
    if transformer is None or Steps.of(transformer).only_selects:
        return None
    refitted = []
    for train, _ in folds:
        fresh = clone(transformer)
        refitted.append(_named(samples, fit_columns(samples, fresh, train), fresh))
    return refitted


def fit_columns(
    samples: Samples, transformer: Any, rows: Integers | None = None
) -> Floats:
    """Fit a transformer in place to all samples or ``rows``; return columns (n, q) of all.

    Training samples get the result of ``fit_transform``, which ``transform`` may not
    reproduce (target encoding, cross-fitting). Steps that take weights or groups get
    them.
    """
    part = samples if rows is None else samples.take(rows)
    weighing = fit_parameters(transformer, part)
    fitted = transformer.fit_transform(part.X, part.codes, **weighing)
    fitted = _checked(fitted, transformer, len(part))
    if rows is None or len(rows) == len(samples):
        return fitted
    values = np.empty((len(samples), fitted.shape[1]))
    values[rows] = fitted
    others = np.setdiff1d(np.arange(len(samples)), rows)
    values[others] = apply_columns(transformer, samples.take(others).X)
    return values


def apply_columns(transformer: Any, X: ArrayLike) -> Floats:
    """Return the output columns (n, q) of new samples by a fitted transformer."""
    return _checked(transformer.transform(X), transformer, len(X))  # type: ignore[arg-type]


def _named(samples: Samples, values: Floats, transformer: Any) -> Samples:
    names = tuple(map(str, transformer.get_feature_names_out()))
    signs = samples.signs_of(names, len(names))
    kept = Steps.of(transformer).last.column_signs_
    if signs is not None and kept is not None:
        signs = kept
    return samples.with_features(values, names, signs)


def _checked(columns: object, transformer: object, n: int) -> Floats:
    name = Steps.of(transformer).last.type_name
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
