"""Training data in the columns that a linear model weighs, with and without each fold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import PredefinedSplit
from sklearn.pipeline import Pipeline, make_pipeline

from moselect._types import Floats, Integers
from moselect._validation import check_unmasked
from moselect.columns.choice import ColumnKind, apply_columns, fit_columns, make_columns
from moselect.columns.model_columns import ModelColumns
from moselect.columns.preparation import Preparation
from moselect.columns.preparation_input import as_frame
from moselect.features import feature_matrix, warn_of_exhausted_columns
from moselect.samples import Samples, check_classes


def unprepared_samples(X: Any, codes: Integers, classes: NDArray[Any]) -> Samples:
    """Return samples of a table of any columns, with two samples of each class at least."""
    check_unmasked("X", X)
    table = as_frame(X) if hasattr(X, "columns") else np.asarray(X)
    check_classes(table, codes, classes, fewest=2)
    return Samples(table, codes, classes)


def columns_transformer(
    table: Any,
    columns: ColumnKind | Any,
    prepare: bool | Preparation,
    random_state: int | None,
) -> Pipeline | None:
    """Return what turns a table into the columns to weigh, not fitted; None if nothing does.

    Parameters
    ----------
    table : DataFrame or ndarray
        The table. Of an array, and of a DataFrame of numbers without gaps, nothing is prepared.
    columns : {"features", "splines", "models"} or transformer
        As in `make_columns`.
    prepare : bool or Preparation
        Whether categories, dates and gaps are turned into numbers, and how.
    random_state : int or None
        Seed of what is random in it.

    Examples
    --------
    >>> table = pd.DataFrame({"vehicle": ["car", "van", "car"]})
    >>> columns_transformer(table, "features", prepare=True, random_state=0).fit_transform(table)
       vehicle=van
    0          0.0
    1          1.0
    2          0.0
    >>> columns_transformer(pd.DataFrame({"age": [31.0]}), "features", True, 0) is None
    True
    """
    steps: list[Any] = []
    # Folds and held-out samples must be read as the whole table is.
    if isinstance(prepare, Preparation):
        steps.append(prepare.for_parts_of(table))
    elif prepare and isinstance(table, pd.DataFrame) and not _is_numeric(table):
        steps.append(Preparation(random_state=random_state).for_parts_of(table))
    if not (isinstance(columns, str) and columns == "features"):
        warn_of_exhausted_columns(table)  # before they are standardised
        steps.append(make_columns(columns, random_state=random_state))
    return make_pipeline(*steps) if steps else None


def fit_training_columns(
    samples: Samples, transformer: Pipeline | None, folds: Integers | None = None
) -> Samples:
    """Fit a transformer to samples, in place, and return them in its columns.

    ``folds`` (n,) are those in which models are scored for columns of models.

    Examples
    --------
    >>> table = pd.DataFrame({"vehicle": ["car", "van", "car"]})
    >>> samples = Samples(table, np.array([0, 1, 1]), np.array(["low", "high"]))
    >>> data = fit_training_columns(samples, columns_transformer(table, "features", True, 0))
    >>> data.feature_names, data.X.ravel()
    (('vehicle=van',), array([0., 1., 0.]))
    """
    if transformer is None:
        values = feature_matrix(samples.X)
        frame = isinstance(samples.X, pd.DataFrame)
        names = tuple(map(str, samples.X.columns)) if frame else None
        return samples.with_features(values, names)
    last = transformer.steps[-1][1]
    if isinstance(last, ModelColumns) and folds is not None:
        last.set_params(cv=PredefinedSplit(folds))
    values = fit_columns(transformer, samples.X, samples.codes)
    names = tuple(map(str, transformer.get_feature_names_out()))
    return samples.with_features(values, names)


def kept_training_columns(samples: Samples, transformer: Pipeline) -> Samples | None:
    """Return training samples in the columns that a transformer gave them when it was fitted.

    None if it does not keep them: of columns of models the out-of-fold ones are kept, since no
    ``transform`` returns them.

    Raises
    ------
    ValueError
        If it was fitted to another number of samples.

    Examples
    --------
    >>> table = pd.DataFrame({"vehicle": ["car", "van", "car"]})
    >>> samples = Samples(table, np.array([0, 1, 1]), np.array(["low", "high"]))
    >>> kept_training_columns(samples, columns_transformer(table, "features", True, 0).fit(table))
    """
    last = transformer.steps[-1][1]
    if not isinstance(last, ModelColumns):
        return None
    values = last.pool_.oof_ranks_
    if len(values) != len(samples):
        raise ValueError(f"the models were fitted to {len(values)} samples, not to {len(samples)}")
    return samples.with_features(values, tuple(map(str, transformer.get_feature_names_out())))


def columns_of(samples: Samples, transformer: Pipeline | None) -> Samples:
    """Return other samples in the columns of a fitted transformer.

    Examples
    --------
    >>> table = pd.DataFrame({"vehicle": ["car", "van", "car"]})
    >>> samples = Samples(table, np.array([0, 1, 1]), np.array(["low", "high"]))
    >>> transformer = columns_transformer(table, "features", True, 0).fit(table)
    >>> columns_of(samples.take(np.array([1])), transformer).X
    array([[1.]])
    """
    if transformer is None:
        return samples.with_features(feature_matrix(samples.X), None)
    return samples.with_features(apply_columns(transformer, samples.X), None)


def refit_without_folds(
    samples: Samples, transformer: Pipeline | None, folds: Integers
) -> list[Floats] | None:
    """Return the columns (n, p_j) of all samples by transformers fitted without each fold.

    Returns
    -------
    list of ndarray, or None
        None if columns do not depend on what they are fitted to: features as they are, and columns
        of models, in which every sample is scored by models fitted without its fold already.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [0.0, None, 2.0, 4.0, 10.0, 12.0, 16.0, 18.0]})
    >>> samples = Samples(table, np.arange(8) % 2, np.array(["low", "high"]))
    >>> transformer = columns_transformer(table, "features", True, 0)
    >>> matrices = refit_without_folds(samples, transformer, np.arange(8) // 4)
    >>> [float(matrix[1, 0]) for matrix in matrices]
    [14.0, 2.0]
    """
    if transformer is None or isinstance(transformer.steps[-1][1], ModelColumns):
        return None
    matrices = []
    for fold in range(int(folds.max()) + 1):
        inside, fresh = folds != fold, clone(transformer)
        fitted = fit_columns(fresh, samples.take(inside).X, samples.codes[inside])
        values = np.empty((len(samples), fitted.shape[1]))
        values[inside] = fitted
        values[~inside] = apply_columns(fresh, samples.take(~inside).X)
        matrices.append(values)
    return matrices


def _is_numeric(table: pd.DataFrame) -> bool:
    """Return whether all columns are finite numbers already; booleans may be read as words."""
    if not all(_is_real(kind) for kind in table.dtypes):
        return False
    return bool(np.isfinite(table.to_numpy(dtype=np.float64, na_value=np.nan)).all())


def _is_real(kind: Any) -> bool:
    types = pd.api.types
    other = types.is_complex_dtype(kind) or types.is_bool_dtype(kind)
    return bool(types.is_numeric_dtype(kind) and not other)
