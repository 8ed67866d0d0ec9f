"""What is done to one column, learnt from the samples at hand."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import KFold
from sklearn.preprocessing import TargetEncoder

from moselect._types import Floats
from moselect.columns.preparation_input import (
    GAPS,
    ISO,
    TRIED_FIRST,
    find_date_format,
    read_dates,
    read_durations,
    read_levels,
    read_numbers,
    read_truths,
)
from moselect.columns.prepared_columns import (
    BASELINE,
    DateColumns,
    DatePart,
    EncodedColumn,
    LevelColumns,
    NumberColumn,
    PreparedColumn,
    date_part,
)

MOST_LEVELS = 15  # columns for a column of categories; with more levels it is encoded
FEWEST_ROWS, SMALLEST_SHARE = 5, 0.01  # rarer levels share a column; rarer gaps are not marked
KEY_SHARE = 0.9  # of text with so many different values, hardly any comes again
ENCODING_FOLDS = 5
KEY_NAMES = {"id", "ids", "key", "uuid", "guid", "index", "idx", "nr", "no", "pk", "rownames"}
KEYED = "customer client passenger user person patient order record case policy claim sample"
KEYED += " subject student loan member account employee runner bib product item row transaction"
RUN_TOGETHER = re.compile(rf"({'|'.join(KEYED.split())})(id|key|nr|no)")

Kind = Literal["number", "boolean", "duration", "date", "levels"]


class Content(NamedTuple):
    """What a column holds, and for dates their format."""

    kind: Kind
    date_format: str | None = None


def learn_column(
    column: pd.Series, codes: NDArray[np.int64] | None, content: Content, *, keep: bool
) -> PreparedColumn | str:
    """Learn how to prepare a column, or why to leave it out.

    Parameters
    ----------
    column : Series of shape (n,)
        The column as it is.
    codes : ndarray of shape (n,), optional
        Class codes from 0; without them many levels are not encoded by their classes.
    content : Content
        What it holds, as `find_content` says of it or of a longer column.
    keep : bool
        Whether it stays even if it is constant or looks like a key.

    Raises
    ------
    ValueError
        If numbers are infinite.
    """
    name = str(column.name)
    if column.isna().all():
        return "empty"
    if content.kind == "date" and content.date_format is not None:
        dates, _ = read_dates(column, content.date_format)
        return _learn_dates(name, dates, content.date_format, keep)
    if content.kind != "levels":
        return _learn_numbers(column, content.kind, keep)
    at, levels = read_levels(column)
    if all(level.lower() in GAPS for level in levels):
        return "empty"
    n_present = int((at >= 0).sum())
    if len(levels) == 1 and n_present == len(at):
        return "constant"
    if not keep and len(levels) == n_present > 1:
        return "a key: all values different"
    if not keep and len(levels) > max(KEY_SHARE * n_present, MOST_LEVELS):
        return "a key: almost all values different"
    if len(levels) > MOST_LEVELS and codes is not None:
        return _learn_encoding(name, at, levels, codes)
    return _learn_levels(name, at, levels)


def cross_fitted(column: pd.Series, codes: NDArray[np.int64], random_state: int | None) -> Floats:
    """Encode each sample's level by the classes of samples in other folds, shape (n,)."""
    at, _ = read_levels(column)
    encoded = np.empty(len(at))
    folds = KFold(min(ENCODING_FOLDS, len(at)), shuffle=True, random_state=random_state)
    for others, rows in folds.split(at):
        encoder = TargetEncoder(target_type="continuous").fit(at[others, None], codes[others])
        encoded[rows] = encoder.transform(at[rows, None])[:, 0]
    return encoded


def find_content(column: pd.Series) -> Content:
    """Return what a column holds.

    Raises
    ------
    ValueError
        If numbers are infinite.
    """
    kind = column.dtype
    if pd.api.types.is_bool_dtype(kind) and not isinstance(kind, pd.CategoricalDtype):
        return Content("boolean")
    if pd.api.types.is_numeric_dtype(kind):
        _check_finite(str(column.name), read_numbers(column)[1])
        return Content("number")
    if pd.api.types.is_timedelta64_dtype(kind):
        return Content("duration")
    if pd.api.types.is_datetime64_any_dtype(kind) or isinstance(kind, pd.PeriodDtype):
        return Content("date", ISO)
    if isinstance(kind, pd.CategoricalDtype):
        return Content("levels")
    readers = {"number": read_numbers, "boolean": read_truths, "duration": read_durations}
    first = column.dropna().head(TRIED_FIRST)
    for found in ("number", "boolean", "duration"):
        if readers[found](first)[1].any():
            continue
        values, bad = readers[found](column)
        if not bad.any() and not np.isnan(values).all():
            return Content(found)
    date_format = find_date_format(column)
    return Content("levels") if date_format is None else Content("date", date_format)


def _learn_numbers(column: pd.Series, written: Kind, keep: bool) -> PreparedColumn | str:
    name = str(column.name)
    readers = {"number": read_numbers, "boolean": read_truths, "duration": read_durations}
    values, bad = readers[written](column)
    _check_finite(name, bad)
    present = values[~np.isnan(values)]
    if not len(present):
        return "empty"
    distinct = np.unique(present)
    n_missing = len(values) - len(present)
    if len(distinct) == 1 and n_missing and not keep:
        return _learn_levels(name, *read_levels(column))  # a mark, and nothing where it is not
    if len(distinct) <= 1 and not keep:
        return "constant"
    if (
        not keep
        and len(distinct) == len(values)
        and (distinct == np.rint(distinct)).all()
        and named_like_key(name)
    ):
        return "a key: named like one, all values different"
    fill = float(np.median(present))
    return NumberColumn(
        name=name,
        written=written,  # type: ignore[arg-type]  # dates and levels do not come here
        fill=float(np.rint(fill)) if written == "boolean" else fill,
        n_missing=n_missing,
        indicator=_is_common(n_missing, len(values)),
    )


def _learn_dates(name: str, dates: pd.Series, date_format: str, keep: bool) -> PreparedColumn | str:
    present = dates.dropna()
    if present.empty:
        return "empty"
    n_missing = len(dates) - len(present)
    origin = present.min().isoformat()
    varied = _independent_parts(pd.Series(present.unique()), origin)
    indicator = _is_common(n_missing, len(dates))
    if not varied and not indicator and not keep:
        return "constant"
    ordered = present.sort_values()
    return DateColumns(
        name=name,
        date_format=date_format,
        origin=origin,
        parts=varied or ("days",),
        fill=ordered.iloc[(len(ordered) - 1) // 2].isoformat(),
        n_missing=n_missing,
        indicator=indicator,
    )


def _independent_parts(dates: pd.Series, origin: str) -> tuple[DatePart, ...]:
    """Return the parts of different dates that say what those before them do not."""
    parts: list[DatePart] = []
    columns: list[Floats] = []
    for part in ("days", "month", "weekday", "hour"):
        values = date_part(dates, part, origin)
        trial = np.column_stack([*columns, values - values.mean()])
        if np.linalg.matrix_rank(trial) == trial.shape[1]:
            parts.append(part)
            columns = list(trial.T)
    return tuple(parts)


def _learn_levels(name: str, at: NDArray[np.int64], levels: list[str]) -> LevelColumns:
    """Learn columns for the frequent levels; missing values are a level, too, if there are any."""
    missing = len(levels)
    counts = np.bincount(np.where(at < 0, missing, at), minlength=missing + 1)
    shown = [level for level in range(missing + 1) if counts[level]]
    by_frequency = sorted(shown, key=lambda level: (-counts[level], level))
    rare = {level for level in shown if not _is_common(int(counts[level]), len(at))}
    rare |= set(by_frequency[MOST_LEVELS:])
    rare.discard(by_frequency[0])
    if len(rare) == 1:
        rare = set()
    columns: list[str] = []
    index = dict.fromkeys(range(missing + 1), BASELINE)
    own = [level for level in by_frequency[1:] if level not in rare]
    for level in sorted(own, key=lambda level: (level == missing, [*levels, ""][level])):
        index[level] = len(columns)
        columns.append(f"{name} missing" if level == missing else f"{name}={levels[level]}")
    other = BASELINE
    if rare:
        other = len(columns)
        columns.append(f"{name}=(other)")
        index |= dict.fromkeys(rare, other)
    return LevelColumns(
        name=name,
        columns=tuple(columns),
        levels={text: index[level] for level, text in enumerate(levels)},
        unknown=other,
        missing=index[missing] if counts[missing] else other,
    )


def _learn_encoding(
    name: str, at: NDArray[np.int64], levels: list[str], codes: NDArray[np.int64]
) -> EncodedColumn:
    encoder = TargetEncoder(target_type="continuous").fit(at[:, None], codes)
    means = dict(zip(encoder.categories_[0].tolist(), encoder.encodings_[0].tolist(), strict=True))
    unknown = float(encoder.target_mean_)
    return EncodedColumn(
        name=name,
        values={text: float(means[level]) for level, text in enumerate(levels)},
        unknown=unknown,
        missing=float(means.get(-1, unknown)),
    )


def _check_finite(name: str, bad: NDArray[np.bool_]) -> None:
    if bad.any():
        raise ValueError(
            f"column {name!r} has {bad.sum()} infinite values: correct them, drop these rows, or "
            "drop the column"
        )


def _is_common(n_rows: int, n_all: int) -> bool:
    return n_rows >= max(FEWEST_ROWS, SMALLEST_SHARE * n_all)


def named_like_key(name: str) -> bool:
    """Return whether a column is named like a key.

    Examples
    --------
    >>> [named_like_key(name) for name in ("id", "PassengerId", "policy_id", "acid", "paid")]
    [True, True, True, False, False]
    """
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    words = [word.lower() for word in words]
    return bool(
        words
        and (
            words[-1] in KEY_NAMES
            or words[0] in ("id", "unnamed")
            or RUN_TOGETHER.fullmatch("".join(words))
        )
    )
