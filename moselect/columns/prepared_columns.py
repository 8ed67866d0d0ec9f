"""How one column of a table becomes columns of numbers: fitted, as plain values.

Whatever scikit-learn's transformers learn is kept here as plain values, so that a preparation can
be written down as text, read back, and translated into other languages, identical to the bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeVar

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.columns.preparation_input import (
    NUMBER,
    Mask,
    level_text,
    read_dates,
    read_durations,
    read_levels,
    read_numbers,
    read_truths,
)

BASELINE = -1  # index of the level that has no column
Index = Annotated[int, msgspec.Meta(ge=BASELINE)]
Value = TypeVar("Value", int, float)
Count = Annotated[int, msgspec.Meta(ge=0)]
DatePart = Literal["days", "month", "weekday", "hour"]
_READERS = {"number": read_numbers, "boolean": read_truths, "duration": read_durations}
_MEANT = {
    "number": "a finite number",
    "boolean": "True or False",
    "duration": "a duration such as 3:25:59",
}


class _Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """What all kinds have: the name of the column in the table."""

    name: str


class NumberColumn(_Column, tag="number", frozen=True, kw_only=True):
    """Numbers, booleans (0 and 1) or durations (seconds), missing ones filled.

    Attributes
    ----------
    written : {"number", "boolean", "duration"}
        How the values are written.
    fill : float
        What stands for a missing value: the median in training.
    n_missing : int
        Missing values in training.
    indicator : bool
        Whether a second column is 1 where the value is missing, else 0.

    Examples
    --------
    >>> column = NumberColumn("age", fill=40.0, indicator=True)
    >>> column.output_names
    ['age', 'age missing']
    >>> column.read(pd.Series([31.0, None]))[0]
    array([[31.,  0.],
           [40.,  1.]])
    """

    written: Literal["number", "boolean", "duration"] = "number"
    fill: float
    n_missing: Count = 0
    indicator: bool = False

    def __post_init__(self) -> None:
        _check_finite(self.name, self.fill)

    @property
    def output_names(self) -> list[str]:
        """Names of the columns of numbers."""
        return [self.name, f"{self.name} missing"] if self.indicator else [self.name]

    def read(self, column: pd.Series) -> tuple[Floats, Mask]:
        """Return the columns of numbers, shape (n, k), and which cells cannot be read, (n,)."""
        values, bad = _READERS[self.written](column)
        missing = np.isnan(values)
        columns = [np.where(missing, self.fill, values)]
        if self.indicator:
            columns.append(missing.astype(np.float64))
        return np.column_stack(columns), bad

    @property
    def meant(self) -> str:
        """What a cell must hold."""
        return _MEANT[self.written]


def _with_values(levels: Mapping[str, Value]) -> dict[str, Value]:
    """Return the levels, those of digits and truth also by their value if no other level has it.

    Of a level 01 only 1 is left in a table where the whole column is digits; of TRUE only True.
    """
    values = {text: _as_read(text) for text in levels}
    several = {value for value, n in Counter(values.values()).items() if n > 1}
    return dict(levels) | {
        value: levels[text]
        for text, value in values.items()
        if value not in levels and value not in several
    }


def _as_read(text: str) -> str:
    """Return what is left of a level in a column of nothing but numbers or of truth."""
    if NUMBER.fullmatch(text):
        return str(int(text)) if text.isdecimal() else level_text(float(text))
    return text.capitalize() if text.lower() in ("true", "false") else text


def is_known(level: str, known: Mapping[str, object]) -> bool:
    """Return whether a level is known as it is written, or by its value."""
    return level in known or _as_read(level) in known


def _found(levels: Sequence[str], known: Mapping[str, Value], unknown: Value) -> list[Value]:
    """Return what is known of levels as they are written, or else by their value."""
    return [known.get(level, known.get(_as_read(level), unknown)) for level in levels]


class LevelColumns(_Column, tag="levels", frozen=True, kw_only=True):
    """One column a level, 1 where a cell has it and else 0, but none for the baseline.

    Attributes
    ----------
    columns : tuple of str
        Names of the columns of numbers.
    levels : dict
        Index in ``columns`` for each level in training; -1 for the baseline. Rare levels share one.
    unknown, missing : int
        Indices for other levels and for missing values.

    Examples
    --------
    >>> column = LevelColumns(
    ...     "vehicle",
    ...     columns=("vehicle=van",),
    ...     levels={"car": -1, "van": 0},
    ...     unknown=-1,
    ...     missing=-1,
    ... )
    >>> column.read(pd.Series(["van", "car", "bus"]))[0]
    array([[1.],
           [0.],
           [0.]])
    """

    columns: tuple[str, ...]
    levels: dict[str, Index]
    unknown: Index
    missing: Index

    def __post_init__(self) -> None:
        indices = [*self.levels.values(), self.unknown, self.missing]
        if max(indices) >= len(self.columns):
            raise ValueError(f"levels of {self.name!r} name columns that do not exist")

    @property
    def output_names(self) -> list[str]:
        """Names of the columns of numbers."""
        return list(self.columns)

    @property
    def known(self) -> dict[str, int]:
        """The levels, those of digits and truth by their value, too."""
        return _with_values(self.levels)

    @property
    def tells_missing_apart(self) -> bool:
        """Whether the columns say which values are missing."""
        return self.missing not in self.levels.values()

    def read(self, column: pd.Series) -> tuple[Floats, Mask]:
        """Return the columns of numbers, shape (n, k); all cells can be read."""
        codes, levels = read_levels(column)
        of_level = _found(levels, self.known, self.unknown)
        at = np.array([*of_level, self.missing], dtype=np.int64)[codes]
        columns = (at[:, None] == np.arange(len(self.columns))).astype(np.float64)
        return columns, np.zeros(len(column), dtype=bool)

    @property
    def meant(self) -> str:
        """What a cell must hold."""
        return "any text"


class EncodedColumn(_Column, tag="encoded", frozen=True, kw_only=True):
    """Each level replaced by the mean class (0 the lowest) of its samples in training, shrunk.

    Attributes
    ----------
    values : dict
        Mean for each level.
    unknown, missing : float
        Means for other levels and for missing values.

    Examples
    --------
    >>> column = EncodedColumn("town", values={"Ghent": 0.4}, unknown=1.0, missing=1.0)
    >>> column.read(pd.Series(["Ghent", "Pisa"]))[0]
    array([[0.4],
           [1. ]])
    """

    values: dict[str, float]
    unknown: float
    missing: float

    def __post_init__(self) -> None:
        _check_finite(self.name, *self.values.values(), self.unknown, self.missing)

    @property
    def output_names(self) -> list[str]:
        """Names of the columns of numbers."""
        return [f"{self.name} (mean class)"]

    @property
    def known(self) -> dict[str, float]:
        """The values, those of levels of digits and truth by their value, too."""
        return _with_values(self.values)

    def read(self, column: pd.Series) -> tuple[Floats, Mask]:
        """Return the column of numbers, shape (n, 1); all cells can be read."""
        codes, levels = read_levels(column)
        of_level = _found(levels, self.known, self.unknown)
        encoded = np.array([*of_level, self.missing], dtype=np.float64)[codes]
        return encoded[:, None], np.zeros(len(column), dtype=bool)

    @property
    def meant(self) -> str:
        """What a cell must hold."""
        return "any text"


class DateColumns(_Column, tag="date", frozen=True, kw_only=True):
    """Time that has passed, and parts of the date.

    Attributes
    ----------
    date_format : str
        How dates of text are written: ``"ISO8601"``, or as `datetime.strptime` has it.
    origin : str
        The first date in training, from which days are counted; ISO 8601.
    parts : tuple
        ``"days"`` since the origin, with fractions; ``"month"`` from 1; ``"weekday"`` from 1 on
        Monday; ``"hour"`` with fractions.
    fill : str
        Date that stands for a missing one: the median in training; ISO 8601.
    n_missing : int
        Missing dates in training.
    indicator : bool
        Whether a last column is 1 where the date is missing, else 0.

    Examples
    --------
    >>> column = DateColumns(
    ...     "reported",
    ...     date_format="ISO8601",
    ...     origin="2024-01-01",
    ...     parts=("days",),
    ...     fill="2024-01-01",
    ... )
    >>> column.read(pd.Series(["2024-01-11"]))[0]
    array([[10.]])
    """

    date_format: str
    origin: str
    parts: tuple[DatePart, ...]
    fill: str
    n_missing: Count = 0
    indicator: bool = False

    def __post_init__(self) -> None:
        for text in (self.origin, self.fill):
            try:
                np.datetime64(text, "us")
            except ValueError:
                raise ValueError(f"{text!r} of column {self.name!r} is no date") from None

    @property
    def output_names(self) -> list[str]:
        """Names of the columns of numbers."""
        names = [f"{self.name} {part}" for part in self.parts]
        return [*names, f"{self.name} missing"] if self.indicator else names

    def read(self, column: pd.Series) -> tuple[Floats, Mask]:
        """Return the columns of numbers, shape (n, k), and which cells cannot be read, (n,)."""
        dates, bad = read_dates(column, self.date_format)
        missing = dates.isna().to_numpy()
        filled = dates.where(~missing, pd.Timestamp(self.fill))
        columns = [date_part(filled, part, self.origin) for part in self.parts]
        if self.indicator:
            columns.append(missing.astype(np.float64))
        return np.column_stack(columns), bad

    @property
    def meant(self) -> str:
        """What a cell must hold."""
        example = pd.Timestamp(self.origin)
        shown = str(example.date()) if self.date_format == "ISO8601" else None
        return f"a date such as {shown or example.strftime(self.date_format)}"


PreparedColumn = NumberColumn | LevelColumns | EncodedColumn | DateColumns


def _check_finite(name: str, *numbers: float) -> None:
    if not np.isfinite(numbers).all():
        raise ValueError(f"column {name!r} has a number that is not finite")


def date_part(dates: pd.Series, part: DatePart, origin: str) -> Floats:
    """Return one part of complete dates as numbers, shape (n,)."""
    if part == "days":
        numbers = (dates - pd.Timestamp(origin)) / pd.Timedelta(days=1)
    elif part == "month":
        numbers = dates.dt.month
    elif part == "weekday":
        numbers = dates.dt.day_of_week + 1
    else:
        numbers = (dates - dates.dt.normalize()) / pd.Timedelta(hours=1)
    return np.asarray(numbers, dtype=np.float64)
