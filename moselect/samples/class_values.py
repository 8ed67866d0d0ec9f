"""Values of classes, such as costs and priors, by position or by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Labels


def in_class_order(
    what: str, values: ArrayLike | None, classes: Labels, *, guessed: bool = False
) -> Any:
    """Return values of classes without names, in the order of the classes.

    Those of pandas with the classes as index (and columns) are taken by name, others by
    position.

    Raises
    ------
    ValueError
        If names differ from the classes, or there are none and the order of the
        classes is ``guessed``.

    Examples
    --------
    >>> costs = pd.Series({"low": 1, "high": 5})
    >>> in_class_order("class_costs", costs, np.array(["high", "low"])).tolist()
    [5, 1]
    """
    axes = values.axes if isinstance(values, pd.Series | pd.DataFrame) else [None]
    # Values by position are safe only where the user has stated the order of the classes.
    if guessed and values is not None and any(map(_is_unnamed, axes)):
        raise ValueError(
            f"{what} goes by the order of the classes, which y does not tell: give "
            f"labels={classes.tolist()} if that is it, lowest first, or name the classes of "
            f"{what} (a pandas Series or DataFrame)"
        )
    if not isinstance(values, pd.Series | pd.DataFrame):
        return values
    ordered = np.asarray(values)
    names = [str(label) for label in classes.tolist()]
    for axis, index in enumerate(axes):
        if _is_unnamed(index):
            continue
        labels = [str(label) for label in index]
        # All names must match: a missing class would otherwise get the cost of another
        # one.
        if sorted(labels) != sorted(names):
            raise ValueError(
                f"{what} is labelled {', '.join(labels)[:200]}, but the classes are "
                f"{', '.join(names)[:200]}"
            )
        ordered = ordered.take([labels.index(name) for name in names], axis=axis)
    return ordered


def _is_unnamed(index: pd.Index | None) -> bool:
    # The default index of pandas counts positions and names nothing.
    return index is None or (
        isinstance(index, pd.RangeIndex) and index.equals(pd.RangeIndex(len(index)))
    )
