"""Learn the preparation of each column of a table, and which columns to exclude."""

import shlex
from itertools import pairwise

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Integers
from moselect.preprocessing.date_columns import DateColumns, DaysColumn
from moselect.preprocessing.extra_columns import (
    CodeColumn,
    PairColumn,
    WordsColumn,
    learn_extra,
)
from moselect.preprocessing.integer_columns import IntegerColumn
from moselect.preprocessing.level_columns import (
    EncodedColumn,
    LevelColumns,
    NominalColumn,
    OrderedColumn,
)
from moselect.preprocessing.number_columns import NumberColumn
from moselect.preprocessing.terms import Number, TableTerms
from moselect.tables.amounts import GAPS
from moselect.tables.cells import MOST_LEVELS
from moselect.tables.features import DROPPED, TEXT, ColumnContent, Schema
from moselect.tables.levels import merge_spellings

PreparedColumn = (
    NumberColumn
    | LevelColumns
    | EncodedColumn
    | OrderedColumn
    | DateColumns
    | DaysColumn
    | IntegerColumn
    | WordsColumn
    | PairColumn
    | CodeColumn
)


class ExcludedColumn(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """An excluded column and the reason; a key identifies the rows: no two have the same."""

    name: str
    reason: str
    is_key: bool = False

    @property
    def setting(self) -> str:
        """Parameter that makes it a feature; "" if it is empty."""
        if self.reason == DROPPED:
            return "not dropped"
        name = shlex.quote(self.name)
        return "" if self.reason == "empty" else f"keep={name}"


def learn_columns(
    table: TableTerms, codes: Integers | None, schema: Schema, extra: bool = False
) -> tuple[tuple[PreparedColumn, ...], tuple[ExcludedColumn, ...]]:
    """Learn how to prepare each column of a table, and which to exclude.

    Without class codes (n,) there is no target encoding, and there are no extra columns.
    """
    columns: list[PreparedColumn] = []
    excluded: list[ExcludedColumn] = []
    for name in map(str, table.frame):
        learnt = schema[name].excluded or _learn_column(name, table, codes, schema[name])
        if isinstance(learnt, str):
            excluded.append(ExcludedColumn(name, learnt, schema[name].is_key))
        else:
            columns.append(learnt)
    # The days between consecutive dates: all other differences are their sums.
    dates = [column for column in columns if isinstance(column, DateColumns)]
    dates.sort(key=lambda column: pd.Timestamp(column.fill))
    days = (DaysColumn.learn(start, end, table) for start, end in pairwise(dates))
    columns += filter(None, days)
    if codes is not None:
        integers = [
            IntegerColumn.learn(number, table, codes)
            for number in columns
            if isinstance(number, NumberColumn)
            and number.written == "number"
            and not schema[number.name].keep
        ]
        columns += filter(None, integers)
    if extra and codes is not None:
        texts = [column.name for column in excluded if column.reason == TEXT]
        texts += [column.name for column in columns if isinstance(column, EncodedColumn)]
        levels = {
            column.name: column.spellings
            for column in columns
            if isinstance(column, NominalColumn)
        }
        more = learn_extra(table, codes, levels, texts)
        in_words = {column.name for column in more if isinstance(column, WordsColumn)}
        excluded = [column for column in excluded if column.name not in in_words]
        columns += more
    return tuple(columns), tuple(excluded)


def _learn_column(
    name: str, table: TableTerms, codes: Integers | None, content: ColumnContent
) -> PreparedColumn | str:
    """Learn how to prepare a column, or return the reason to exclude it."""
    if content.content_type == "levels":
        return _learn_levels(name, table, codes, content)
    if content.content_type == "date":
        return _learn_dates(name, table, codes, content)
    written = content.content_type
    values = table.numbers(Number(name, None, content.words, written))
    distinct = np.unique(values[~np.isnan(values)])
    if not len(distinct):
        return "empty"
    if len(distinct) == 1 and not content.keep:
        if not np.isnan(values).any():
            return "constant"
        # one value or missing: the text is a level, the gap another
        return LevelColumns.learn(name, *table.levels(name))
    return NumberColumn.learn(name, written, values, content.words, content.unit)


def _learn_dates(
    name: str, table: TableTerms, codes: Integers | None, content: ColumnContent
) -> DateColumns | str:
    dates = table.dates(name, content.date_format)
    if dates.isna().all():
        return "empty"
    keep = content.keep
    trend = keep or (codes is not None and has_trend(dates, codes))
    learnt = DateColumns.learn(name, content.date_format, dates, trend=trend)
    if learnt.parts or learnt.indicator or keep:
        return msgspec.structs.replace(learnt, parts=learnt.parts or ("days",))
    return "constant" if dates.nunique() == 1 else "dates of one month and weekday"


# Quantile of P = .001: days by chance alone would only add variance.
Z_TREND = 3.29


def has_trend(dates: pd.Series, codes: Integers) -> bool:
    """Test whether the classes (n,) rise or fall with the dates (n,), NaT where missing."""
    ranks = pd.Series(dates.rank().to_numpy())
    spearman = ranks.corr(pd.Series(codes).rank())
    # Without a trend, the correlation has the variance 1 / (n - 1); NaN if one is constant.
    return bool(abs(spearman) * np.sqrt(ranks.count() - 1.0) > Z_TREND)


def _learn_levels(
    name: str, table: TableTerms, codes: Integers | None, content: ColumnContent
) -> LevelColumns | EncodedColumn | OrderedColumn | str:
    written = table.levels(name)
    places, levels = written
    other_spellings = dict[str, str]()
    if not content.as_written:
        places, levels, other_spellings = merge_spellings(places, levels)
    if all(level.lower() in GAPS for level in levels):
        return "empty"
    is_constant = len(levels) == 1 and (places >= 0).all()
    if is_constant and not (content.keep and codes is not None):
        return "constant"
    if content.order:
        return OrderedColumn.learn(name, *written, content.order)
    if codes is not None and (is_constant or len(levels) > MOST_LEVELS):
        encoded = EncodedColumn.learn(name, places, levels, codes)
        return msgspec.structs.replace(encoded, spellings=other_spellings)
    columns = LevelColumns.learn(name, places, levels)
    return msgspec.structs.replace(columns, spellings=other_spellings)
