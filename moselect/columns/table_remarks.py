"""Remarks on unusual values, in the names and units of the user's own columns."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.columns.preparation import Preparation
from moselect.columns.preparation_input import read_levels
from moselect.columns.prepared_columns import DateColumns, EncodedColumn, LevelColumns, is_known
from moselect.listing import listing
from moselect.models import ModelCard, OrdinalLinearClassifier, SplineColumns
from moselect.models.card import FeatureCard
from moselect.models.row_predictions import range_remarks


def table_range_remarks(
    model: OrdinalLinearClassifier, card: ModelCard, values: Floats
) -> list[str]:
    """Return `moselect.models.range_remarks` about the columns of the table that a model is given.

    Of curves and products only the features are remarked on, in their own units; parts of a date
    are called by its column.

    Parameters
    ----------
    model : OrdinalLinearClassifier
        The model, which may have ``columns`` of its own.
    card : ModelCard
        The card of the model.
    values : ndarray of shape (n, p)
        The columns that it weighs, such as those of `predict_table`; NaN where there is no number.

    Returns
    -------
    list of str

    Examples
    --------
    >>> import pandas as pd
    >>> from moselect.columns import columns_transformer, predict_table
    >>> from moselect.models import model_card
    >>> table = pd.DataFrame({"reported": ["2024-01-01", "2024-01-11"]})
    >>> columns = columns_transformer(table, "features", True, 0).fit(table)
    >>> names = columns.get_feature_names_out().tolist()
    >>> model = OrdinalLinearClassifier(np.ones(len(names)), [5.0], [1, 2], names, columns)
    >>> card = model_card(model, table, [1, 2], predicts="severity")
    >>> late = predict_table(model, pd.DataFrame({"reported": ["2024-01-31"]}))
    >>> print(table_range_remarks(model, card, late.values)[0][:56])
    'reported (days since 2024-01-01)': 1 of 1 rows lie outs
    """
    steps = [] if model.columns is None else [step for _, step in model.columns.steps]
    features = card.features
    if steps and isinstance(steps[-1], SplineColumns):
        features, values = _without_curves(features, values, steps[-1])
    names = _names(steps)
    named = [
        msgspec.structs.replace(feature, name=names.get(feature.name, feature.name))
        for feature in features
    ]
    return range_remarks(msgspec.structs.replace(card, features=named), values)


def level_remarks(preparation: Preparation, table: pd.DataFrame) -> list[str]:
    """Return which columns of categories have levels that were not in training, in how many rows.

    Such rows are scored as rare levels are, or else as the most frequent one.

    Parameters
    ----------
    preparation : Preparation
        Fitted.
    table : DataFrame of shape (n, m)
        The rows, as they come.

    Returns
    -------
    list of str
        One remark a column.

    Examples
    --------
    >>> preparation = Preparation().fit(pd.DataFrame({"vehicle": ["car", "van", "car", "van"]}))
    >>> level_remarks(preparation, pd.DataFrame({"vehicle": ["car", "bus"]}))
    ["'vehicle': 1 of 2 rows have a level that was not in training (bus)"]
    """
    remarks = []
    for column in preparation.columns_:
        if isinstance(column, LevelColumns | EncodedColumn):
            codes, levels = read_levels(table[column.name])
            known = column.known  # made anew each time
            new = [k for k, level in enumerate(levels) if not is_known(level, known)]
            if new:
                rows = f"{np.isin(codes, new).sum()} of {len(table)} rows"
                named = listing([levels[k] for k in new], limit=3)
                remarks.append(
                    f"'{column.name}': {rows} have a level that was not in training ({named})"
                )
    return remarks


def _without_curves(
    features: list[FeatureCard], values: Floats, columns: SplineColumns
) -> tuple[list[FeatureCard], Floats]:
    """Return features and values of the columns that are features as they are, in their units."""
    own = np.flatnonzero(columns.groups_ == 0)
    centre, scale = columns.column_centre_[own], columns.column_scale_[own]
    rescaled = [
        msgspec.structs.replace(
            features[j],
            **{
                name: float(getattr(features[j], name) * s + c)
                for name in ("minimum", "maximum", "mean", "low", "high")
            },
            standard_deviation=float(features[j].standard_deviation * s),
        )
        for j, c, s in zip(own.tolist(), centre, scale, strict=True)
    ]
    return rescaled, values[:, own] * scale + centre


def _names(steps: list[Any]) -> dict[str, str]:
    """Return what parts of dates are called in remarks."""
    names = {}
    for step in steps:
        for column in step.columns_ if isinstance(step, Preparation) else ():
            if isinstance(column, DateColumns):
                for part in column.parts:
                    since = f" since {np.datetime64(column.origin, 'D')}" if part == "days" else ""
                    names[f"{column.name} {part}"] = f"{column.name} ({part}{since})"
    return names
