"""Features as one array of finite numbers, their contents and their directions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import narwhals
import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from moselect._types import Directions, Floats, Integers, Table
from moselect.listing import listing, suggestion
from moselect.validation import as_numbers, check_unmasked

DROPPED = "dropped"  # the reason to exclude a column that the user drops
TEXT = "text: only an ensemble takes its words"  # reason to exclude a column
Written = Literal["number", "boolean", "hours", "minutes"]  # how numbers are written


class ColumnContent(NamedTuple):
    """Content of a column, with its date format, words for missing values, and unit.

    It is found in the whole table without the target, so that all folds share it. ``levels``
    with a known order are listed, lowest first; those ``as_written`` are distinct in every
    spelling. ``excluded`` is the reason to exclude the column, "" for none; it ``is_key``
    if it identifies the rows. With ``keep`` the column is in use even if it is constant.
    """

    content_type: Written | Literal["date", "levels"] = "number"
    date_format: str = ""
    words: tuple[str, ...] = ()
    unit: str = ""
    order: tuple[str, ...] = ()
    as_written: bool = False
    keep: bool = False
    excluded: str = ""
    is_key: bool = False


Schema = Mapping[str, ColumnContent]  # by the name of a column


def steps_of(transformer: object) -> list[Any]:
    """Return the steps of a transformer or a pipeline; none of None."""
    if hasattr(transformer, "steps"):  # a Pipeline
        return [step for _, step in transformer.steps]
    return [] if transformer is None else [transformer]


def as_pandas(X: Any) -> Any:
    """Convert a table of any library to pandas; return other dense objects unchanged.

    ValueError for masked entries, TypeError for sparse or lazy ones.
    """
    if isinstance(X, pd.DataFrame):
        if any(isinstance(dtype, pd.ArrowDtype) for dtype in X.dtypes):
            arrow = narwhals.from_native(X.reset_index(drop=True)).to_arrow()
            return arrow.to_pandas(ignore_metadata=True).set_axis(X.index)
        return X
    check_unmasked("X", X)
    for form, method in (("sparse", "toarray"), ("lazy", "collect")):
        if hasattr(X, method):
            raise TypeError(f"X is {form}: give X.{method}()")
    if feature_names(X) is not None:  # polars
        X = narwhals.from_native(X, eager_only=True).to_pandas()
    return X


def feature_names(X: Table) -> tuple[str, ...] | None:
    """Return the column names of a DataFrame; None for arrays without names."""
    return tuple(map(str, X.columns)) if hasattr(X, "columns") else None


def fitted_names(estimator: object) -> list[str] | None:
    """Return the names of the features that an estimator was fitted to; None without names."""
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else list(map(str, names))


def names_or_numbers(names: Sequence[object] | None, n: int) -> list[str]:
    """Return the names of n features as text; x0, x1 and so on where they have none."""
    return [f"x{j}" for j in range(n)] if names is None else list(map(str, names))


def column_places(table: pd.DataFrame, needed: Sequence[str] = ()) -> dict[str, int]:
    """Return the place of each column by its name.

    ValueError if two have the same name, or one that a model needs is missing.
    """
    places = {str(name): place for place, name in enumerate(table.columns)}
    if len(places) < table.shape[1]:
        # Names are compared as text: a file cannot tell 1 from "1".
        names = table.columns.astype(str)
        repeated = names[names.duplicated()][0]
        raise ValueError(f"two columns have the name {repeated!r}: rename or drop one")
    others = places.keys() - {*needed}
    missing = [
        f"column {name!r} is missing{suggestion(name, others)}"
        for name in needed
        if name not in places
    ]
    if missing:
        raise ValueError(
            f"{listing(missing, limit=5)}: the model needs {listing(needed, limit=20)}"
        )
    return places


def feature_matrix(
    X: Table,
    names: Sequence[str] | None = None,
    n_features: int | None = None,
) -> Floats:
    """Return X as finite floats of shape (n, p), columns in the order of ``names``.

    No copy is made of what is an array of floats already.

    Raises
    ------
    ValueError
        If a column is missing, is text, or holds NaN or infinite values, or there are not
        ``n_features``.

    Examples
    --------
    >>> feature_matrix(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), names=["b", "a"])
    array([[3., 1.],
           [4., 2.]])
    """
    X = as_pandas(X)
    if isinstance(X, pd.DataFrame):
        # Without names the table may have any columns, but each name once.
        places = column_places(X, names or ())
        columns = list(places if names is None else names)
        if names is not None:
            X = X.iloc[:, [places[name] for name in columns]]
        for name, dtype in zip(columns, X.dtypes, strict=True):
            if not is_numeric_dtype(dtype):
                raise ValueError(f"column {name!r} is not numeric: encode or drop it")
        values = X.to_numpy(float, na_value=np.nan)
    else:
        values = as_numbers("X", X)
        if values.ndim != 2:
            raise ValueError(
                f"X has shape {values.shape}. Reshape your data: one row a sample (n, p)"
            )
        columns = names_or_numbers(None, values.shape[1])
        if names is not None:
            n_features = len(names)
    # The sum of all values would miss infinities of both signs.
    if not np.isfinite(values).all():
        bad = (~np.isfinite(values)).sum(axis=0)
        j = np.flatnonzero(bad)[0]
        raise ValueError(
            f"column {columns[j]!r} has {bad[j]} missing or infinite values: fill or drop them"
        )
    if n_features is not None and values.shape[1] != n_features:
        raise ValueError(
            f"X has {values.shape[1]} features, but Model is expecting {n_features} features as "
            "input"
        )
    return values


def with_values(table: pd.DataFrame, columns: Mapping[Any, Any]) -> pd.DataFrame:
    """Return a table with other columns added or replaced: `assign` refuses the name "self"."""
    table = table.copy(deep=False)
    for name, values in columns.items():
        table[name] = values
    return table


def are_finite_numbers(features: pd.DataFrame) -> bool:
    """Return whether all features are finite numbers; booleans are none."""
    # By column: a second table may not fit into memory.
    return all(
        is_numeric_dtype(column.dtype)
        and not is_bool_dtype(column.dtype)
        and np.isfinite(column.to_numpy(float, na_value=np.nan)).all()
        for _, column in features.items()
    )


MEANING = "give 1 (rising) or -1 (falling)"

NO_DIRECTION = "it can have no direction, unless it is an ordered Categorical"


def check_directions(monotone: Directions, names: Iterable[str]) -> dict[str, int]:
    """Return directions by column, if any; ValueError for other values or unknown columns.

    Examples
    --------
    >>> check_directions({"age": 1}, ["age", "income"])
    {'age': 1}
    >>> check_directions({"aeg": 1}, ["age", "income"])
    Traceback (most recent call last):
    ...
    ValueError: monotone: there is no column 'aeg'; did you mean 'age'?
    """
    if monotone is None:
        return {}
    if not isinstance(monotone, Mapping):
        raise TypeError(f"monotone is {monotone!r}: {MEANING}, such as {{'age': 1}}")
    known = list(names)
    for name, direction in monotone.items():
        if name not in known:
            hint = suggestion(str(name), known)
            raise ValueError(f"monotone: there is no column {name!r}{hint}")
        if direction not in (1, -1):
            raise ValueError(f"monotone of {name!r} is {direction!r}: {MEANING}")
    return {str(name): int(direction) for name, direction in monotone.items()}


def signs_of(monotone: Directions, names: Sequence[str] | None, n: int) -> Integers:
    """Return the direction of each of n features: 1, -1, or 0 for any.

    ``monotone`` maps names to 1 or -1, is a direction for each feature (1, -1, or 0 for
    any), as ``monotonic_cst`` of scikit-learn, or None for no directions. Features without
    ``names`` are called x0, x1 and so on; names that no feature has do not count.

    Examples
    --------
    >>> signs_of({"income": -1}, ["age", "income"], 2), signs_of([1, 0], None, 2)
    (array([ 0, -1]), array([1, 0]))
    """
    if monotone is None:
        return np.zeros(n, int)
    if isinstance(monotone, Mapping):
        known = names_or_numbers(names, n)
        return np.array([monotone.get(name, 0) for name in known], int)
    signs = np.asarray(monotone)
    if signs.shape != (n,) or not np.isin(signs, (-1, 0, 1)).all():
        raise ValueError(
            f"monotone is {monotone!r}: give 1, -1 or 0 for each of {n} features, or by name"
        )
    return signs.astype(int)


def direction_words(monotone: Mapping[str, int]) -> str:
    """Describe directions in a sentence without its full stop; "" for none.

    Examples
    --------
    >>> direction_words({"RM": 1, "LSTAT": -1})
    'The class never falls with RM and never rises with LSTAT'
    """
    parts = []
    for direction, verb in ((1, "falls"), (-1, "rises")):
        columns = [name for name, sign in monotone.items() if sign == direction]
        if columns:
            parts.append(f"never {verb} with {listing(columns, 20)}")
    if not parts:
        return ""
    return f"The class {' and '.join(parts)}"
