"""A preparation in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from moselect.columns.prepared_columns import (
    DateColumns,
    EncodedColumn,
    LevelColumns,
    NumberColumn,
    PreparedColumn,
)
from moselect.listing import listing

MOST_NAMES = 8


def summarise(columns: Sequence[PreparedColumn], left_out: Mapping[str, str]) -> str:
    """Return one paragraph on what is done to which column.

    Parameters
    ----------
    columns : sequence
        The columns in use.
    left_out : mapping
        The reason for each column that is not.
    """
    numbers = [column for column in columns if isinstance(column, NumberColumn)]
    levels = [column for column in columns if isinstance(column, LevelColumns)]
    dates = [column for column in columns if isinstance(column, DateColumns)]
    gapped: list[NumberColumn | DateColumns] = [*numbers, *dates]
    encoded = [column for column in columns if isinstance(column, EncodedColumn)]
    pooled = [column.name for column in levels if column.columns[-1].endswith("=(other)")]
    filled = [_filled(column) for column in gapped if column.n_missing]
    plain = [column for column in numbers if column.written == "number" and not column.n_missing]
    sentences = [
        _count(len(columns), len(left_out)),
        f"Numbers that stay as they are: {len(plain)}." if plain else "",
        _named("Left out", [f"{name} ({reason})" for name, reason in left_out.items()]),
        _named(
            "A column for each level except the most frequent", [column.name for column in levels]
        ),
        _named("Rare levels together", pooled),
        _named(
            "Many levels, each replaced by its mean class",
            [f"{column.name} ({len(column.values)} levels)" for column in encoded],
        ),
        _named("Booleans as 0 and 1", _written(numbers, "boolean")),
        _named("Durations in seconds", _written(numbers, "duration")),
        _named("Dates", [_date(column) for column in dates]),
        _named("Missing values filled with the median", filled),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _count(n_used: int, n_left_out: int) -> str:
    if n_left_out:
        return f"{n_used} of {n_used + n_left_out} columns are used."
    return {1: "The one column is used.", 2: "Both columns are used."}.get(
        n_used, f"All {n_used} columns are used."
    )


def _named(what: str, names: Sequence[str]) -> str:
    return f"{what}: {listing(names, limit=MOST_NAMES)}." if names else ""


def _written(numbers: Sequence[NumberColumn], written: str) -> list[str]:
    return [column.name for column in numbers if column.written == written]


def _date(column: DateColumns) -> str:
    parts = [
        f"days since {column.origin[:10]}" if part == "days" else part for part in column.parts
    ]
    written = "" if column.date_format == "ISO8601" else f", read as {column.date_format}"
    return f"{column.name} (as {', '.join(parts)}{written})"


def _filled(column: NumberColumn | DateColumns) -> str:
    marked = ", marked in a column" if column.indicator else ""
    return f"{column.name} ({column.n_missing}{marked})"
