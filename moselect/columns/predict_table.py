"""Predictions for a table as it comes, by a model that may prepare its columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from moselect.columns.preparation import Preparation
from moselect.models import OrdinalLinearClassifier, RowPredictions, SplineColumns, predict_rows


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
    """
    if model.columns is None:
        return predict_rows(model, table)
    first = model.columns.steps[0][1]
    reasons = np.full(len(table), "", dtype=object)
    if isinstance(first, Preparation):
        reasons = first.problems(table).to_numpy(dtype=object)
    elif isinstance(first, SplineColumns):
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


def _numbers(columns: SplineColumns, table: pd.DataFrame) -> tuple[pd.DataFrame, NDArray[Any]]:
    """Return the features of a table that curves are drawn of, and why rows lack one."""
    names = getattr(columns, "feature_names_in_", None)
    # A model without weights reads numbers as every model does.
    reader = OrdinalLinearClassifier(np.zeros(columns.n_features_in_), [0.0], [0, 1], names)
    found = predict_rows(reader, table)
    return pd.DataFrame(found.values, columns=names), found.reasons
