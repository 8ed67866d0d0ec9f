"""How a column of numbers becomes columns of numbers: learnt, and kept as plain values.

Plain values can be written down as text, read back, and translated into other languages,
identical to the bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats
from moselect.columns.cells import HOURS, MINUTES, Cells, Written, read_numbers
from moselect.datasets.amounts import GAPS
from moselect.listing import listing
from moselect.models.terms import Missing, Number, Term, Time, Truth

FEWEST_ROWS, SMALLEST_SHARE = 5, 0.01  # rarer gaps are not marked, rarer levels merged
WORDS = tuple(sorted(GAPS - {""}))  # of missing values; empty text is one anyway
MEANT: dict[Written, str] = {
    "number": "a finite number",
    "boolean": "True or False",
    "hours": "a time such as 2:30 or 1 h 20 min",
    "minutes": "a time such as 0:02:30 or 2:30",
}
FIRST_OF_TWO: dict[Written, float] = {"hours": HOURS, "minutes": MINUTES}
MARK = " missing"  # behind the name of the column that is 1 where a value is missing
ELSEWHERE = "so the model cannot be written down: moselect predict applies it"


class Column(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
):
    """What is done to a column; each kind says by example what it makes of a cell.

    A kind has ``learn``, ``endings``, ``note``, ``read`` and ``terms``. All that is not
    said here is as it is for categories.
    """

    name: str
    n_missing: int | None = None  # in training

    @property
    def inputs(self) -> tuple[Column, ...]:
        """The columns of the table of which it is made, each as it is read alone."""
        return (self,)

    @property
    def meant(self) -> str | None:
        """What a cell must hold; None: any text."""
        return None

    @property
    def endings(self) -> list[str]:
        """What stands behind its name in those of the columns of numbers."""
        return [""]

    @property
    def output_names(self) -> list[str]:
        """Names of the columns of numbers."""
        return [self.name + ending for ending in self.endings]

    @property
    def known(self) -> Mapping[str, float] | None:
        """The value of each level, as it may be written; None if cells are no levels."""
        return None

    @property
    def level_names(self) -> list[str]:
        """The levels of training, if cells are levels."""
        return []

    @property
    def note(self) -> str:
        """What is done to it, in a few words; "" if nothing is."""
        raise NotImplementedError

    def read(self, frame: pd.DataFrame) -> Cells:
        """Read the cells of a table."""
        raise NotImplementedError

    def terms(self) -> list[Any]:
        """Return the columns of numbers as formulas; ValueError if they have none."""
        raise NotImplementedError

    def encoded_cells(self, frame: pd.DataFrame) -> pd.Series | None:
        """Return the levels that are replaced by their mean class; None if none are."""
        return None

    def is_value(self, output: int) -> bool:
        """Return whether a column of numbers is the number or date itself."""
        return False

    def cut_text(self, output: int, cut: float) -> str:
        """Return a cut of a column of numbers as its cells are written."""
        return f"{cut:.15g}"

    def above(self, output: int, cut: float) -> str:
        """Return in words that a column of numbers is above a cut."""
        ending = self.endings[output]
        if ending == MARK:
            return "missing"
        part = "" if self.is_value(output) else ending
        return f"{part} > {self.cut_text(output, cut)}".strip()

    def bands(self, output: int, cuts: Sequence[float]) -> list[str]:
        """Return in words the values below, between and above ascending cuts."""
        texts = [self.cut_text(output, cut) for cut in cuts]
        between = [f"{low} to {high}" for low, high in pairwise(texts)]
        return [f"up to {texts[0]}", *between, f"above {texts[-1]}"]

    @property
    def gap_note(self) -> str:
        """What is done to missing values, "" if there were none."""
        if not self.n_missing:
            return ""
        marked = " and marked" if self.endings[-1] == MARK else ""
        return f"{self.n_missing} gaps filled with the median{marked}"


class NumberColumn(Column, tag="number", frozen=True, kw_only=True):
    """Numbers, booleans as 0 and 1, or times in seconds; the median for missing ones.

    With ``indicator`` a second column is 1 where the value is missing, else 0. The
    ``words`` that stood among the numbers in training are missing values, too. Cells may
    have a ``unit`` behind them in a file. ``"2.5"`` becomes 2.5, ``"?"`` the median, and
    ``"1:30"``, in hours, 5400.
    """

    written: Written = "number"
    fill: float
    indicator: bool = False
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
    def endings(self) -> list[str]:
        """What stands behind its name."""
        return ["", MARK] if self.indicator else [""]

    @property
    def meant(self) -> str:
        """What a cell must hold."""
        return MEANT[self.written]

    @property
    def note(self) -> str:
        """What is done to it, in a few words."""
        notes = [self.gap_note]
        if self.words:
            notes.insert(0, f"read as numbers, {listing(self.words, 5)} as gaps")
        if self.written in FIRST_OF_TWO:
            notes.insert(0, f"time in seconds, 2:30 in {self.written}")
        return "; ".join(filter(None, notes))

    def read(self, frame: pd.DataFrame) -> Cells:
        """Read the cells of a table."""
        values, bad = read_numbers(frame[self.name], self.words, self.written)
        missing = np.isnan(values)
        return cells_of(
            [np.where(missing, self.fill, values)], missing, bad, self.indicator
        )

    def terms(self) -> list[Term]:
        """Return the columns of numbers as formulas."""
        gaps = (*WORDS, *self.words)
        number: Number | Truth | Time = Number(self.name, self.fill, gaps)
        if self.written == "boolean":
            number = Truth(self.name, self.fill, gaps)
        elif self.written != "number":
            number = Time(self.name, FIRST_OF_TWO[self.written], self.fill, gaps)
        return [number, Missing(number)] if self.indicator else [number]

    def is_value(self, output: int) -> bool:
        """Return whether it is the number, and no mark of a gap."""
        return output == 0

    def cut_text(self, output: int, cut: float) -> str:
        """Return a cut as a number or time."""
        if self.written not in FIRST_OF_TWO:
            return Column.cut_text(self, output, cut)
        minutes, seconds = divmod(cut, 60.0)
        return f"{minutes // 60:.0f}:{minutes % 60:02.0f}:{seconds:02.15g}"

    def above(self, output: int, cut: float) -> str:
        """Return in words that it is above a cut."""
        if self.written == "boolean" and output == 0:
            return "= true"
        return Column.above(self, output, cut)

    def bands(self, output: int, cuts: Sequence[float]) -> list[str]:
        """Return in words the values below, between and above ascending cuts."""
        if self.written == "boolean":
            return ["= false", "= true"]
        return Column.bands(self, output, cuts)


def is_common(n_rows: int, n_all: int) -> bool:
    """Return whether so many rows are enough for a column of their own."""
    return n_rows >= max(FEWEST_ROWS, SMALLEST_SHARE * n_all)


def cells_of(
    columns: list[Floats], missing: Booleans, bad: Booleans, indicator: bool
) -> Cells:
    """Put a mark of missing values behind the columns."""
    marks = [missing.astype(np.float64)] * indicator
    return Cells(np.column_stack([*columns, *marks]), missing & ~bad, bad)
