"""Labels of true and predicted classes, on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from moselect.cli.terminal import Terminal
from moselect.listing import in_one_line

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect._types import Integers
    from moselect.datasets.ordered_target import OrderedTarget
    from moselect.tables.tables import Source


def labels_of(source: Source, name: str, order: Sequence[str] | None) -> pd.Series:
    """Return a column of labels; words such as None are labels if ``order`` has them."""
    from pandas.api.types import is_numeric_dtype

    from moselect.datasets.target import check_complete, choose_target, target_values
    from moselect.io.tables import unescaped

    values = target_values(source, choose_target(source, name), order)
    check_complete(values.dropna())
    if is_numeric_dtype(values.dtype):
        return values
    return values.map(unescaped, na_action="ignore")


def order_labels(
    labels: Sequence[pd.Series],
    order: Sequence[str] | None,
    leave_out: Sequence[str] | None,
    terminal: Terminal,
) -> tuple[Integers, OrderedTarget]:
    """Order the labels of true and predicted classes; return the rows that have them, too."""
    import numpy as np
    import pandas as pd
    from pandas.api.types import is_numeric_dtype

    from moselect.datasets.ordered_target import order_target
    from moselect.datasets.target import without_labels

    name = ", ".join(str(column.name) for column in labels)
    joined = pd.concat(labels, ignore_index=True).rename(name)
    for column in labels:
        if column.isna().any():
            terminal.warn(
                f"{column.isna().sum()} of {len(column)} rows have no class in "
                f"'{in_one_line(column.name)}' and are excluded"
            )
    # A class may be predicted that no row has.
    values, notes = without_labels(joined, leave_out)
    is_complete = values.notna().to_numpy().reshape(len(labels), -1).all(axis=0)
    rows = np.flatnonzero(is_complete)
    if not len(rows):
        raise ValueError(f"no row has labels in '{in_one_line(name)}'")
    values = values[np.tile(is_complete, len(labels))]
    try:
        ordered = order_target(values, order)
    except ValueError:
        for column in labels[::-1]:
            kept = column.iloc[rows]
            if is_numeric_dtype(kept.dtype) and (kept % 1.0).any() and order is None:
                shown = in_one_line(column.name)
                remedy = f"round them to classes, or evaluate scores with --score {shown}"
                if column is labels[0]:
                    remedy = "it is continuous, and --true names a column of classes"
                raise ValueError(
                    f"'{shown}' has numbers between the classes, such as "
                    f"{kept[kept % 1.0 > 0.0].iloc[0]:.6g}: {remedy}"
                ) from None
        raise
    for note in (*notes, *ordered.notes):
        terminal.inform(note)
    return rows, ordered
