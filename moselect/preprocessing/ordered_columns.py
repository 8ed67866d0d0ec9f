"""Preparation of categories with an order; fitted state is plain values."""

from collections.abc import Sequence
from typing import Self

import numpy as np
import pandas as pd

from moselect._types import Integers
from moselect.listing import listing
from moselect.preprocessing.cells import Cells
from moselect.preprocessing.levels import as_written
from moselect.preprocessing.number_columns import MARK, Column, is_common
from moselect.preprocessing.terms import Level, TableTerms, Term


class OrderedColumn(Column, tag="ordered", frozen=True, kw_only=True):
    """Place of each level in the order of its scale, with median imputation.

    ``levels`` maps each level, in all its spellings, to its place, the lowest 0. Levels
    not seen in training count as missing, as do ``words``. With ``indicator`` a second
    column is 1 where the value is missing. ``"disagree"`` becomes 1 where the lowest level
    is ``"strongly disagree"``.
    """

    levels: dict[str, float]
    fill: float
    words: tuple[str, ...] = ()
    indicator: bool = False

    @classmethod
    def learn(
        cls, name: str, places: Integers, levels: list[str], order: Sequence[str]
    ) -> Self:
        """Learn from the index (n,) of each cell's level, -1 if missing, and the order."""
        ranks = {level: float(rank) for rank, level in enumerate(order)}
        folded = {_folded(level): rank for level, rank in ranks.items()}
        spelt = {level: ranks.get(level, folded.get(_folded(level))) for level in levels}
        known = {level: rank for level, rank in spelt.items() if rank is not None}
        values = np.array([*(known.get(level, np.nan) for level in levels), np.nan])[
            places
        ]
        n_missing = int(np.isnan(values).sum())
        return cls(
            name=name,
            levels=known,
            # A place in the order, also between two middle ones.
            fill=float(np.floor(np.nanmedian(values))),
            n_missing=n_missing,
            # Words for missing values have no rank.
            words=tuple(level for level in levels if level not in known),
            indicator=is_common(n_missing, len(values)),
        )

    @property
    def endings(self) -> list[str]:
        """Suffixes of the output names."""
        return ["", MARK] if self.indicator else [""]

    @property
    def known(self) -> dict[str, float]:
        """Place of each level, in all its spellings."""
        words = dict.fromkeys(self.words, self.fill)
        return as_written(words | self.levels, self.fill)

    @property
    def level_names(self) -> list[str]:
        """Levels in the training data, lowest first, each in its first spelling."""
        distinct = {place: name for name, place in reversed(self.levels.items())}
        return [distinct[place] for place in sorted(distinct)]

    @property
    def note(self) -> str:
        """Short description of the transformation."""
        order = f"ordered: {listing(self.level_names, 5)}"
        return "; ".join(filter(None, [order, self.gap_note]))

    def terms(self) -> list[Term]:
        """Return the output columns as formulas."""
        place = Level(self.name, self.known, self.fill, self.fill)
        return [place, self._gaps] if self.indicator else [place]

    @property
    def _gaps(self) -> Level:
        """1 where a cell has no level of the scale, as a formula."""
        scale = dict.fromkeys(self.levels, 0.0)
        written = as_written(dict.fromkeys(self.words, 1.0) | scale, 1.0)
        return Level(self.name, written, 1.0, 1.0)

    def read(self, frame: pd.DataFrame) -> Cells:
        """Evaluate the output columns on the rows of a table; no cell is unreadable."""
        missing = TableTerms(frame).values(self._gaps) > 0.0
        return super().read(frame)._replace(missing=missing)

    def is_value(self, output: int) -> bool:
        """Return whether an output column is the place, not the missing indicator."""
        return output == 0

    def cut_text(self, output: int, cut: float) -> str:
        """Format a split point of the places as the level below it."""
        below = [name for name in self.level_names if self.levels[name] <= cut]
        return below[-1] if below and output == 0 else Column.cut_text(self, output, cut)


def _folded(level: str) -> str:
    return " ".join(level.casefold().split())
