"""Ordered categories of pandas, and enumerations of polars."""

import warnings
from typing import Any

import narwhals
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Labels
from moselect.listing import listing


def is_ordered_categorical(y: ArrayLike) -> bool:
    """Return whether ``y`` is an ordered Categorical, which knows all classes."""
    dtype = getattr(with_categories(y), "dtype", None)
    return isinstance(dtype, pd.CategoricalDtype) and bool(dtype.ordered)


def with_categories(y: Any) -> Any:
    """Return a column of polars as one of pandas, where an Enum is an ordered Categorical."""
    native = narwhals.from_native(y, series_only=True, pass_through=True)
    return native.to_pandas() if isinstance(native, narwhals.Series) else y


def warn_of_unused(y: Any, classes: Labels) -> None:
    """Warn of ordered categories without samples, which are no classes of a model."""
    categories = pd.Series(with_categories(y)).cat.categories
    unused = categories.difference(list(classes))
    if len(unused):
        warnings.warn(
            f"no sample has the category {listing(unused)} of y: it is no class (labels=[...] "
            "that name it keep it)",
            UserWarning,
            stacklevel=4,
        )
