"""Rows of a file with labels of classes, and scores or predictions of any model."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from moselect._types import Document, Integers
from moselect.cli.model_requests import LabelledRequest
from moselect.cli.terminal import Terminal
from moselect.datasets.ordered_target import OrderedTarget, order_target
from moselect.datasets.target import (
    check_finite,
    choose_target,
    role_values,
    target_values,
    without_labels,
)
from moselect.io.tables import unescaped
from moselect.listing import in_one_line
from moselect.tables.tables import Source
from moselect.validation import as_numbers, check_all_finite


def read_labels(source: Source, name: str, order: Sequence[str] | None) -> pd.Series:
    """Return a column of labels; words such as None are labels if ``order`` has them."""
    values = target_values(source, choose_target(source, name), order)
    check_finite(values.dropna())
    if is_numeric_dtype(values.dtype):
        return values
    return values.map(unescaped, na_action="ignore")


def order_labels(
    labels: Sequence[pd.Series], request: LabelledRequest, terminal: Terminal
) -> tuple[Integers, OrderedTarget]:
    """Order the labels of true and predicted classes; return the rows that have them, too."""
    name = ", ".join(str(column.name) for column in labels)
    joined = pd.concat(labels, ignore_index=True).rename(name)
    for column in labels:
        if column.isna().any():
            terminal.warn(
                f"{column.isna().sum()} of {len(column)} rows have no class in "
                f"'{in_one_line(column.name)}' and are excluded"
            )
    # A class may be predicted that no row has.
    values, notes = without_labels(joined, request.leave_out or ())
    is_complete = values.notna().to_numpy().reshape(len(labels), -1).all(axis=0)
    rows = np.flatnonzero(is_complete)
    if not len(rows):
        raise ValueError(f"no row has labels in '{in_one_line(name)}'")
    values = values[np.tile(is_complete, len(labels))]
    try:
        ordered = order_target(values, request.order)
    except ValueError:
        for column in labels[::-1]:
            if request.order is not None or not is_numeric_dtype(column.dtype):
                continue
            kept = column.iloc[rows]
            fractions = kept[kept % 1.0 > 0.0]
            if len(fractions):
                shown = in_one_line(column.name)
                raise ValueError(
                    f"'{shown}' is continuous, such as {fractions.iloc[0]:.6g}: name a "
                    f"column of classes, or scores by --score {shown}"
                ) from None
        raise
    terminal.inform(*notes, *ordered.notes)
    return rows, ordered


def read_roles(source: Source, request: LabelledRequest, rows: Integers) -> Document:
    """Return weights, groups and times of some rows, as far as their columns are named."""
    roles = {"weight": "sample_weight", "group": "groups", "time": "times"}
    return {
        roles[name]: role_values(source, roles[name], column, request.true).iloc[rows]
        for name, column in request.given(*roles).items()
    }


def read_scores(source: Source, name: str, rows: Integers) -> pd.Series:
    """Return the scores of some rows; ValueError unless all are finite numbers."""
    scores = source.table[choose_target(source, name)].iloc[rows]
    check_all_finite(name, as_numbers(name, scores))
    return scores
