"""Learn the preparation of each column of a table, and which columns to exclude."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.datasets.amounts import GAPS
from moselect.preprocessing.cells import (
    MOST_LEVELS,
    ColumnContent,
    read_dates,
    read_numbers,
)
from moselect.preprocessing.date_columns import DateColumns, DaysColumn
from moselect.preprocessing.extra_columns import (
    CodeColumn,
    PairColumn,
    WordsColumn,
    is_text,
    learn_extra,
)
from moselect.preprocessing.level_columns import (
    EncodedColumn,
    LevelColumns,
    NominalColumn,
)
from moselect.preprocessing.levels import merge_spellings, read_levels
from moselect.preprocessing.number_columns import NumberColumn
from moselect.preprocessing.ordered_columns import OrderedColumn

OF_THINGS = {"id", "ids", "uuid", "guid"}  # such identifiers may repeat in several rows
KEY_NAMES = OF_THINGS.union(["key", "index", "idx", "nr", "no", "pk", "rownames"])
PEOPLE = (
    "customer|client|passenger|user|person|patient|subject|student|member|employee|runner"
)
RUN_TOGETHER = re.compile(
    f"({PEOPLE}|order|record|case|policy|claim|sample"
    "|loan|account|bib|product|item|row|transaction)(id|key|nr|no)"
)
THINGS = re.compile(f"{RUN_TOGETHER.pattern}|{PEOPLE}")

TEXT = "text: only an ensemble takes its words"

PreparedColumn = (
    NumberColumn
    | LevelColumns
    | EncodedColumn
    | OrderedColumn
    | DateColumns
    | DaysColumn
    | WordsColumn
    | PairColumn
    | CodeColumn
)


class ExcludedColumn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An excluded column and the reason."""

    name: str
    reason: str

    @property
    def setting(self) -> str:
        """Parameter that makes it a feature; "" if it is empty."""
        if self.reason == "dropped":
            return "not dropped"
        name = shlex.quote(self.name)
        return "" if self.reason == "empty" else f"keep={name}"


def learn_columns(
    frame: pd.DataFrame,
    codes: Integers | None,
    contents: Mapping[str, ColumnContent],
    keep: Sequence[str],
    extra: bool = False,
) -> tuple[tuple[PreparedColumn, ...], tuple[ExcludedColumn, ...]]:
    """Learn how to prepare each column of a table, and which to exclude.

    Columns without ``contents`` are dropped; without class codes (n,) there is no target
    encoding, and there are no extra columns.
    """
    columns: list[PreparedColumn] = []
    excluded: list[ExcludedColumn] = []
    for name, column in frame.items():
        learnt: PreparedColumn | str = "dropped"
        if name in contents:
            learnt = _learn_column(column, codes, contents[str(name)], name in keep)
        if isinstance(learnt, str):
            excluded.append(ExcludedColumn(str(name), learnt))
        else:
            columns.append(learnt)
    columns += _learn_days(columns, frame)
    if extra and codes is not None:
        texts = [column.name for column in excluded if column.reason == TEXT]
        texts += [column.name for column in columns if isinstance(column, EncodedColumn)]
        levels = {
            column.name: column.spellings
            for column in columns
            if isinstance(column, NominalColumn)
        }
        more = learn_extra(frame, codes, levels, texts)
        in_words = {column.name for column in more if isinstance(column, WordsColumn)}
        excluded = [column for column in excluded if column.name not in in_words]
        columns += more
    return tuple(columns), tuple(excluded)


def _learn_days(
    columns: Sequence[PreparedColumn], frame: pd.DataFrame
) -> list[DaysColumn]:
    """Learn the days between consecutive dates: all other differences are their sums."""
    dates = [column for column in columns if isinstance(column, DateColumns)]
    dates.sort(key=lambda column: pd.Timestamp(column.fill))
    learnt = (DaysColumn.learn(start, end, frame) for start, end in pairwise(dates))
    return [column for column in learnt if column is not None]


def _learn_column(
    column: pd.Series, codes: Integers | None, content: ColumnContent, keep: bool
) -> PreparedColumn | str:
    """Learn how to prepare a column, or return the reason to exclude it."""
    if column.isna().all():
        return "empty"
    if content.content_type == "levels":
        return _learn_levels(column, codes, keep, content)
    if content.content_type == "date":
        return _learn_dates(column, content.date_format, keep)
    name = str(column.name)
    values, _ = read_numbers(column, content.words, content.content_type)
    distinct = np.unique(values[~np.isnan(values)])
    if not len(distinct):
        return "empty"
    if len(distinct) == 1 and not keep:
        if not np.isnan(values).any():
            return "constant"
        # one value or missing: the text is a level, the gap another
        return LevelColumns.learn(name, *read_levels(column))
    if not keep:
        if (
            len(distinct) == len(values)
            and are_integers(distinct)
            and named_like_key(name)
        ):
            return "identifier by its name, all values differ"
        if is_id(column):
            return _learn_levels(column, codes, keep, content)
    return NumberColumn.learn(
        name, content.content_type, values, content.words, content.unit
    )


def _learn_dates(column: pd.Series, date_format: str, keep: bool) -> DateColumns | str:
    dates, _ = read_dates(column, date_format)
    if dates.isna().all():
        return "empty"
    learnt = DateColumns.learn(str(column.name), date_format, dates, trend=keep)
    if learnt.parts or learnt.indicator or keep:
        return msgspec.structs.replace(learnt, parts=learnt.parts or ("days",))
    return "constant" if dates.nunique() == 1 else "dates of one month and weekday"


def _learn_levels(
    column: pd.Series, codes: Integers | None, keep: bool, content: ColumnContent
) -> LevelColumns | EncodedColumn | OrderedColumn | str:
    name = str(column.name)
    places, levels = read_levels(column)
    other_spellings = dict[str, str]()
    if not content.as_written:
        places, levels, other_spellings = merge_spellings(places, levels)
    if all(level.lower() in GAPS for level in levels):
        return "empty"
    n_present = int((places >= 0).sum())
    if len(levels) == 1 and n_present == len(places):
        return "constant"
    all_differ = len(levels) == n_present > 1
    # share of distinct values above which text rarely recurs
    key_share = 0.9
    nearly_all = len(levels) > max(key_share * n_present, MOST_LEVELS)
    if not keep and (all_differ or nearly_all):
        almost = "" if all_differ else "almost "
        return TEXT if is_text(column) else f"identifier, {almost}all values differ"
    if content.order:
        return OrderedColumn.learn(name, *read_levels(column), content.order)
    if len(levels) > MOST_LEVELS and codes is not None:
        encoded = EncodedColumn.learn(name, places, levels, codes)
        return msgspec.structs.replace(encoded, spellings=other_spellings)
    columns = LevelColumns.learn(name, places, levels)
    return msgspec.structs.replace(columns, spellings=other_spellings)


def are_integers(values: Floats) -> bool:
    """Return whether all numbers are integers."""
    return bool((values == np.rint(values)).all())


def is_id(column: pd.Series) -> bool:
    """Return whether a column of integers is an identifier, which may repeat."""
    words = _words(str(column.name))
    named = bool(words) and (words[-1] in OF_THINGS or words[0] == "id")
    if not (named and pd.api.types.is_numeric_dtype(column.dtype)):
        return False
    values = np.unique(column.dropna().to_numpy(dtype=np.float64))
    return len(values) > MOST_LEVELS and are_integers(values)


def is_key(column: pd.Series) -> bool:
    """Return whether a column of integers, all different, is named like a key."""
    return (
        named_like_key(str(column.name))
        and pd.api.types.is_numeric_dtype(column.dtype)
        and column.is_unique
        and are_integers(column.to_numpy(dtype=np.float64))
    )


def named_like_key(name: str) -> bool:
    """Return whether a column is named like a key.

    Examples
    --------
    >>> [named_like_key(name) for name in ("id", "PassengerId", "policy_id", "acid", "paid")]
    [True, True, True, False, False]
    """
    words = _words(name)
    if not words:
        return False
    named = words[-1] in KEY_NAMES or words[0] in ("id", "unnamed")
    return named or RUN_TOGETHER.fullmatch("".join(words)) is not None


def names_a_thing(name: str) -> bool:
    """Return whether a column is named like an identifier of people or things.

    Examples
    --------
    >>> [names_a_thing(name) for name in ("patient_id", "Customer", "UserID", "age", "key")]
    [True, True, True, False, False]
    """
    words = _words(name)
    if not words:
        return False
    is_identifier = words[-1] in OF_THINGS or words[0] == "id"
    return is_identifier or THINGS.fullmatch("".join(words)) is not None


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
