"""Predictions for a table as it comes, by a model or a pool that may prepare its columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from moselect._types import Floats
from moselect.columns.model_columns import ModelColumns
from moselect.columns.preparation import Preparation
from moselect.labels import as_label_array
from moselect.models import OrdinalLinearClassifier, OrdinalPool, SplineColumns
from moselect.models.row_predictions import RowPredictions, predict_rows


def predict_table(model: OrdinalLinearClassifier, table: pd.DataFrame) -> RowPredictions:
    """Predict each row of a table that can be scored.

    Parameters
    ----------
    model : OrdinalLinearClassifier
        The model, which may have ``columns`` of its own.
    table : DataFrame of shape (n, m)
        The rows, with at least the columns that the model needs.

    Returns
    -------
    RowPredictions
        For the rows that can be scored the same as ``model.predict``, to the last bit.

    Raises
    ------
    ValueError
        If a column is missing.

    Examples
    --------
    >>> model = OrdinalLinearClassifier([2.0], [3.0], ["low", "high"], ["speed"])
    >>> found = predict_table(model, pd.DataFrame({"speed": [2.0, None]}))
    >>> found.classes.tolist(), found.reasons.tolist()
    (['high', None], ['', "'speed' is missing"])
    """
    if model.columns is None:
        return predict_rows(model, table)
    first = model.columns.steps[0][1]
    reasons = np.full(len(table), "", dtype=object)
    if isinstance(first, Preparation):
        reasons = first.problems(table).to_numpy(dtype=object)
    elif isinstance(first, SplineColumns | ModelColumns):
        table, reasons = _numbers(first, table)
    usable = reasons == ""
    columns = np.full((len(table), model.n_features_in_), np.nan)
    if usable.any():
        columns[usable] = np.asarray(model.columns.transform(table[usable]))
    linear = clone(model).set_params(columns=None)
    given = model.feature_names
    names = range(model.n_features_in_) if given is None else given
    found = predict_rows(linear, pd.DataFrame(columns, columns=list(names)))
    found.reasons[~usable] = reasons[~usable]
    return found


def predict_pool(
    pool: OrdinalPool,
    table: pd.DataFrame,
    preparation: Preparation | None = None,
    cost_matrix: Floats | None = None,
) -> RowPredictions:
    """Predict each row of a table that a pool can score.

    Parameters
    ----------
    pool : OrdinalPool
        The pool.
    table : DataFrame of shape (n, m)
        The rows, with at least the columns that the pool needs.
    preparation : Preparation, optional
        What turns a table into the numbers that the pool takes.
    cost_matrix : ndarray of shape (r, r), optional
        Costs to decide by; otherwise the most probable class is predicted.

    Returns
    -------
    RowPredictions
        Its values are the features of the pool.

    Raises
    ------
    ValueError
        If a column is missing.

    Examples
    --------
    >>> X, y = pd.DataFrame({"speed": np.arange(40.0) % 20}), np.arange(40) % 20 // 10 + 1
    >>> pool = OrdinalPool(["proportional_odds"], random_state=0).fit(X, y)
    >>> predict_pool(pool, pd.DataFrame({"speed": [0.0, 19.0]})).classes
    array([1, 2])
    """
    values = np.full((len(table), pool.n_features_in_), np.nan)
    if preparation is None:
        numbers, reasons = _numbers(pool, table)
        usable = reasons == ""
        values[usable] = numbers.to_numpy()[usable]
    else:
        reasons = preparation.problems(table).to_numpy(dtype=object)
        usable = reasons == ""
        if usable.any():
            values[usable] = np.asarray(preparation.transform(table[usable]))
    scores = np.full(len(table), np.nan)
    classes = np.full(len(table), None, dtype=object)
    if usable.any():
        rows = _named(pool, values[usable])
        scores[usable] = pool.decision_function(rows)
        decided = pool.predict(rows) if cost_matrix is None else pool.decide(rows, cost_matrix)
        classes[usable] = decided.tolist()
    if usable.all():
        classes = as_label_array(classes.tolist())
    return RowPredictions(values, scores, classes, reasons)


def _named(pool: OrdinalPool, values: Floats) -> pd.DataFrame | Floats:
    """Return features with the names that a pool knows them by."""
    names = getattr(pool, "feature_names_in_", None)
    return values if names is None else pd.DataFrame(values, columns=names)


def _numbers(
    columns: SplineColumns | ModelColumns | OrdinalPool, table: pd.DataFrame
) -> tuple[pd.DataFrame, NDArray[Any]]:
    """Return the features of a table that something was fitted to, and why rows lack one."""
    names = getattr(columns, "feature_names_in_", None)
    # A model without weights reads numbers as every model does.
    reader = OrdinalLinearClassifier(np.zeros(columns.n_features_in_), [0.0], [0, 1], names)
    found = predict_rows(reader, table)
    return pd.DataFrame(found.values, columns=names), found.reasons
