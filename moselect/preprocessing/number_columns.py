"""Preparation of numeric columns, with its base class; fitted state is plain values.

Plain values can be serialised as text, read back, and translated into other languages, with
bit-identical results.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar, Self

import msgspec
import numpy as np

from moselect._types import Booleans, Floats
from moselect.listing import listing
from moselect.preprocessing.terms import (
    Missing,
    Number,
    TableTerms,
    Term,
)
from moselect.tables.amounts import GAPS, column_of_part
from moselect.tables.features import Written

# Rarer missing values get no indicator column, rarer levels are merged.
FEWEST_ROWS = 5
WORDS = tuple(sorted(GAPS - {""}))  # for missing values; empty text is one anyway
EXPECTED_FORMATS: dict[Written, str] = {
    "number": "a finite number",
    "boolean": "True or False",
    "hours": "a time such as 2:30 or 1 h 20 min",
    "minutes": "a time such as 0:02:30 or 2:30",
}
TIME_UNITS = {"hours": "h:mm", "minutes": "m:ss"}
MARK = " missing"  # suffix of the name of a missing indicator


class Column(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
):
    """Base class: the fitted preparation of one column of a table.

    Subclasses define ``learn``, ``endings``, ``note`` and ``terms``, and give an example in
    their docstring.
    """

    option: ClassVar[str] = "categorical"  # parameter that reads the column otherwise

    name: str
    n_missing: int | None = None  # in training
    indicator: bool = False  # whether the last output marks missing values

    @property
    def inputs(self) -> tuple[Column, ...]:
        """Source columns in the table, each with its own preparation."""
        return (self,)

    @property
    def expected_format(self) -> str:
        """Expected content of a cell."""
        return "text"

    @property
    def endings(self) -> list[str]:
        """Suffixes of the output names, one for each output column."""
        return [""] + [MARK] * self.indicator

    @property
    def note(self) -> str:
        """Short description of the transformation; "" for none."""
        raise NotImplementedError

    @property
    def content(self) -> str:
        """Description of the cells and their transformation."""
        return self.note

    @property
    def setting(self) -> str:
        """Parameter that reads the column in another way."""
        return f"{self.option}={shlex.quote(column_of_part(self.name))}"

    def terms(self) -> list[Any]:
        """Return the output columns as formulas; ValueError if they have none."""
        raise NotImplementedError

    def evaluate(self, table: TableTerms) -> Floats:
        """Compute the output columns (n, k) of the rows of a table."""
        return np.column_stack([table.values(term) for term in self.terms()])

    def gaps(self, table: TableTerms) -> tuple[Booleans, Booleans]:
        """Mask cells (n,) without a value, and without the format of the column.

        The column is evaluated already.
        """
        return table.gaps(self.name)

    def is_value(self, output: int) -> bool:
        """Return whether an output column is the number, place or date itself."""
        return self.endings[output] == ""

    def cut_text(self, output: int, cut: float) -> str:
        """Format a split point of an output column as cells are written."""
        return f"{cut:.15g}"

    def above(self, output: int, cut: float) -> str:
        """Format the condition that an output column exceeds a split point."""
        ending = self.endings[output]
        if ending == MARK:
            return "missing"
        part = "" if self.is_value(output) else ending
        return f"{part} > {self.cut_text(output, cut)}".strip()

    def bands(self, output: int, split_points: Sequence[float]) -> list[str]:
        """Format the intervals between ascending split points, outer ones included."""
        texts = [self.cut_text(output, cut) for cut in split_points]
        between = [f"{low} to {high}" for low, high in pairwise(texts)]
        return [f"up to {texts[0]}", *between, f"above {texts[-1]}"]

    @property
    def gap_note(self) -> str:
        """Description of the imputation; "" if no training value was missing."""
        if not self.n_missing:
            return ""
        values = f"missing value{'s' * (self.n_missing > 1)}"
        marked = " and flagged" * self.indicator
        return f"{self.n_missing} {values} imputed by the median{marked}"


class NumberColumn(Column, tag="number", frozen=True, kw_only=True):
    """Numbers, booleans as 0 and 1, or times in seconds, with median imputation.

    With ``indicator`` a second column is 1 where the value is missing, else 0. The
    ``words`` found among the training numbers are missing values, too. In a file a
    ``unit`` may follow each number. ``"2.5"`` becomes 2.5, ``"?"`` the median, and
    ``"1:30"``, in hours, 5400.
    """

    written: Written = "number"
    fill: float
    words: tuple[str, ...] = ()
    unit: str = ""

    @classmethod
    def learn(
        cls,
        name: str,
        written: Written,
        values: Floats,
        words: tuple[str, ...] = (),
        unit: str = "",
    ) -> Self:
        """Learn from the values (n,), NaN where they are missing."""
        n_missing = int(np.isnan(values).sum())
        fill = float(np.nanmedian(values))
        return cls(
            name=name,
            written=written,
            fill=float(np.rint(fill)) if written == "boolean" else fill,
            n_missing=n_missing,
            indicator=is_common(n_missing, len(values)),
            words=words,
            unit=unit,
        )

    @property
    def expected_format(self) -> str:
        """Expected content of a cell."""
        return EXPECTED_FORMATS[self.written]

    @property
    def content(self) -> str:
        """Description of the cells and their transformation."""
        column = column_of_part(self.name)
        part = f"one of two numbers in a cell of {column}" if column != self.name else ""
        unit = f" in {self.unit}" if self.unit else ""
        written = {"number": f"numbers{unit}", "boolean": "true or false"}
        notes = [part or written.get(self.written, ""), self.note]
        return "; ".join(filter(None, notes))

    @property
    def note(self) -> str:
        """Short description of the transformation."""
        notes = [self.gap_note]
        if self.words:
            words = dict.fromkeys(word.removesuffix(".0") for word in self.words)
            notes.insert(0, f"read as numbers, {listing(map(repr, words), 5)} as missing")
        if self.written in TIME_UNITS:
            notes.insert(0, f"time in seconds, read as {TIME_UNITS[self.written]}")
        return "; ".join(filter(None, notes))

    def terms(self) -> list[Term]:
        """Return the output columns as formulas."""
        gaps = (*WORDS, *self.words)
        number = Number(self.name, self.fill, gaps, self.written, self.unit)
        if not self.indicator:
            return [number]
        return [number, Missing(number)]

    def cut_text(self, output: int, cut: float) -> str:
        """Format a split point as a number or time."""
        if self.written not in TIME_UNITS:
            return Column.cut_text(self, output, cut)
        minutes, seconds = divmod(cut, 60.0)
        return f"{minutes // 60:.0f}:{minutes % 60:02.0f}:{seconds:02.15g}"

    def above(self, output: int, cut: float) -> str:
        """Format the condition that an output column exceeds a split point."""
        if self.written == "boolean" and output == 0:
            return "= true"
        return Column.above(self, output, cut)

    def bands(self, output: int, split_points: Sequence[float]) -> list[str]:
        """Format the intervals between ascending split points, outer ones included."""
        if self.written == "boolean":
            return ["= false", "= true"]
        return Column.bands(self, output, split_points)


SMALLEST_SHARE = 0.01


def is_common(n_rows: int, n_all: int) -> bool:
    """Return whether a level or gap is frequent enough for an output column of its own."""
    return n_rows >= max(FEWEST_ROWS, SMALLEST_SHARE * n_all)
