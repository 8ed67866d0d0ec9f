"""Preparation of categorical columns: one-hot, target and ordinal encoding."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers
from moselect.labels.labels import level_text
from moselect.listing import listing
from moselect.preprocessing.number_columns import MARK, Column, is_common
from moselect.preprocessing.terms import Level, TableTerms, Term
from moselect.tables.cells import MOST_LEVELS
from moselect.tables.levels import as_written, folded, read_levels

BASELINE = -1  # index of the level that has no column
# Other spellings that are listed.
SHOWN_SPELLINGS = 6


class CategoricalColumn(Column, frozen=True, kw_only=True):
    """Base class of columns with levels; ``levels`` maps each to its value."""

    scarce: ClassVar[bool] = False  # whether most levels have one or two rows

    levels: dict[str, int | float]

    @property
    def known(self) -> Mapping[str, float]:
        """Value of each level, in all its spellings."""
        raise NotImplementedError

    @property
    def level_names(self) -> list[str]:
        """Levels in the training data."""
        return list(self.levels)


class NominalColumn(CategoricalColumn, frozen=True, kw_only=True):
    """Base class: levels without an order; ``spellings`` maps other spellings to levels.

    ``unknown`` and ``missing`` are the values of levels not seen in training and of missing
    cells.
    """

    unknown: int | float
    missing: int | float
    spellings: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def known(self) -> dict[str, float]:
        """Value of each level, in all its spellings."""
        return as_written(self.levels, self.missing, self.spellings)

    @property
    def merged(self) -> str:
        """Note on the number of spellings merged with others; "" if there is none."""
        if not self.spellings:
            return ""
        return f", {len(self.spellings)} spelling variants merged"

    @property
    def content(self) -> str:
        """Description of the cells and their transformation, with the first spellings."""
        if not self.spellings:
            return self.note
        named = [f"{text!r} as {level!r}" for text, level in self.spellings.items()]
        return f"{self.note}: {listing(named, SHOWN_SPELLINGS)}"

    @property
    def option(self) -> str:  # type: ignore[override]
        """Parameter that keeps spellings apart, or drops the column."""
        return "categorical" if self.spellings else "drop"


class LevelColumns(NominalColumn, tag="levels", frozen=True, kw_only=True):
    """One-hot encoding with the most frequent level as the baseline.

    Values are indices in ``columns``, -1 for the baseline; rare levels share one column, and
    missing cells count as a level. Where "north" is the most frequent
    level, ``"south"`` becomes 1 in the column of south, ``"north"`` 0 in all.
    """

    columns: tuple[str, ...]

    @classmethod
    def learn(cls, name: str, places: Integers, levels: list[str]) -> Self:
        """Learn from the index (n,) of each cell's level, -1 where it is missing."""
        missing = len(levels)
        n = len(places)
        counts = np.bincount(np.where(places < 0, missing, places), minlength=missing + 1)
        by_frequency = np.argsort(-counts, kind="stable").tolist()
        others = [k for k in by_frequency[1:] if counts[k]]
        shown = [k for k in others[: MOST_LEVELS - 1] if is_common(int(counts[k]), n)]
        if len(others) == len(shown) + 1:
            shown = others
        shown.sort(key=lambda k: (k == missing, [*levels, ""][k]))
        columns = [f"{name}={levels[k]}" if k < missing else name + MARK for k in shown]
        other = BASELINE
        if len(others) > len(shown):
            other = len(columns)
            columns.append(f"{name}=(other)")
        index = dict.fromkeys(others, other) | {k: j for j, k in enumerate(shown)}
        return cls(
            name=name,
            columns=tuple(columns),
            levels={text: index.get(k, BASELINE) for k, text in enumerate(levels)},
            unknown=other,
            missing=index.get(missing, BASELINE) if counts[missing] else other,
            n_missing=int(counts[missing]),
        )

    @property
    def endings(self) -> list[str]:
        """Suffixes of the output names."""
        return [name.removeprefix(self.name) for name in self.columns]

    @property
    def note(self) -> str:
        """Short description of the transformation."""
        rare = ", rare levels merged" if self.columns[-1].endswith("=(other)") else ""
        return f"one-hot encoded but for the most frequent level{rare}{self.merged}"

    def terms(self) -> list[Term]:
        """Return the output columns as formulas."""
        terms = list[Term]()
        for index in range(len(self.columns)):
            otherwise = self.unknown == index
            marks = {
                level: float(place == index)
                for level, place in self.known.items()
                if (place == index) != otherwise
            }
            missing = float(self.missing == index)
            terms.append(Level(self.name, marks, float(otherwise), missing))
        return terms

    def above(self, output: int, cut: float) -> str:
        """Format the condition that a cell has the level of an output column."""
        return self.endings[output].strip().replace("=", "= ", 1)


class EncodedColumn(
    NominalColumn, tag="encoded", frozen=True, kw_only=True, rename={"levels": "values"}
):
    """Target encoding: each level becomes the shrunken mean class (0 the lowest).

    A town whose rows are mostly of the lowest class and some of the next one becomes 0.2.
    """

    endings: ClassVar[list[str]] = [" (mean class)"]

    scarce: bool = False  # type: ignore[misc]

    @classmethod
    def learn(
        cls, name: str, places: Integers, levels: list[str], codes: Integers
    ) -> Self:
        """Learn from the index (n,) of each cell's level, -1 if missing, and classes."""
        *means, missing = shrunken_means(places, codes, len(levels)).tolist()
        # With so few rows the shrunken mean class of a level is close to the overall mean.
        scarce_rows = 2
        return cls(
            name=name,
            levels=dict(zip(levels, means, strict=True)),
            unknown=float(codes.mean()),
            missing=missing,
            n_missing=int((places < 0).sum()),
            scarce=bool(np.median(np.bincount(places[places >= 0])) <= scarce_rows),
        )

    @property
    def note(self) -> str:
        """Short description of the transformation."""
        scarce = ", mostly rare: merge levels, or drop the column" * self.scarce
        return f"target-encoded, {len(self.levels)} levels{scarce}{self.merged}"

    def encoded_cells(self, table: TableTerms) -> pd.Series:
        """Return the cells of the column, in the commonest spelling."""
        cells = table.frame[self.name]
        if not self.spellings:
            return cells
        return cells.map(
            lambda cell: self.spellings.get(level_text(cell), cell), "ignore"
        )

    def terms(self) -> list[Term]:
        """Return the output column as a formula."""
        return [Level(self.name, self.known, self.unknown, self.missing)]


def shrunken_means(places: Integers, codes: Integers, n_levels: int) -> Floats:
    """Return the mean class of each level, and last of missing cells, shrunken to that of all.

    By empirical Bayes, as `sklearn.preprocessing.TargetEncoder`; a level without samples has
    the mean of all. ``places`` (n,) are as in `EncodedColumn.learn`.
    """
    n_levels += 1
    places = places % n_levels  # -1 becomes the last
    counts = np.bincount(places, minlength=n_levels)
    between = codes.var() * counts
    with np.errstate(invalid="ignore"):
        means = np.bincount(places, codes, n_levels) / counts
        within = np.bincount(places, (codes - means[places]) ** 2, n_levels) / counts
        share = between / (between + within)
    shrunken = share * means + (1.0 - share) * codes.mean()
    return np.where(np.isnan(share), codes.mean(), shrunken)


ENCODING_FOLDS = 5


def encode_across_folds(
    columns: Sequence[pd.Series], codes: Integers, groups: Integers, seed: int | None
) -> Floats:
    """Target-encode columns out of fold, shape (n, k).

    A level that occurs in one group only has no samples in other folds. If every level
    of a column does, samples instead of groups are assigned to folds.
    """
    from moselect.samples.folds import Folds

    places = np.column_stack([read_levels(column)[0] for column in columns])
    n_groups = len(np.unique(groups))
    alone = np.array([len(np.unique(column)) == n_groups for column in places.T])
    encoded = np.empty(places.shape)
    for units, chosen in ((groups, ~alone), (np.arange(len(places)), alone)):
        if not chosen.any():
            continue
        few = min(ENCODING_FOLDS, len(places))
        for train, test in Folds.deal(units, codes, few, seed=seed or 0):
            for k in np.flatnonzero(chosen):
                n_levels = places[:, k].max() + 1
                means = shrunken_means(places[train, k], codes[train], n_levels)
                encoded[test, k] = means[places[test, k]]
    return encoded


class OrderedColumn(CategoricalColumn, tag="ordered", frozen=True, kw_only=True):
    """Place of each level in the order of its scale, with median imputation.

    ``levels`` maps each level, in all its spellings, to its place, the lowest 0. Levels
    not seen in training count as missing, as do ``words``. With ``indicator`` a second
    column is 1 where the value is missing. ``"disagree"`` becomes 1 where the lowest level
    is ``"strongly disagree"``.
    """

    fill: float
    words: tuple[str, ...] = ()

    @classmethod
    def learn(
        cls, name: str, places: Integers, levels: list[str], order: Sequence[str]
    ) -> Self:
        """Learn from the index (n,) of each cell's level, -1 if missing, and the order."""
        ranks = {level: float(rank) for rank, level in enumerate(order)}
        spellings = {folded(level): rank for level, rank in ranks.items()}
        spelt = {
            level: ranks.get(level, spellings.get(folded(level))) for level in levels
        }
        known = {level: rank for level, rank in spelt.items() if rank is not None}
        of_levels = [known.get(level, np.nan) for level in levels]
        values = np.array([*of_levels, np.nan])[places]
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
    def known(self) -> dict[str, float]:
        """Place of each level, in all its spellings."""
        return as_written(dict.fromkeys(self.words, self.fill) | self.levels, self.fill)

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
        if not self.indicator:
            return [place]
        return [place, self._gaps]

    @property
    def _gaps(self) -> Level:
        """1 where a cell has no level of the scale, as a formula."""
        scale = dict.fromkeys(self.levels, 0.0)
        written = as_written(dict.fromkeys(self.words, 1.0) | scale, 1.0)
        return Level(self.name, written, 1.0, 1.0)

    def gaps(self, table: TableTerms) -> tuple[Booleans, Booleans]:
        """Mask cells (n,) without a level of the scale; no cell is unreadable."""
        missing = table.values(self._gaps) > 0.0
        return missing, np.zeros_like(missing)

    def cut_text(self, output: int, cut: float) -> str:
        """Format a split point of the places as the level below it."""
        below = [name for name in self.level_names if self.levels[name] <= cut]
        return below[-1] if below and output == 0 else Column.cut_text(self, output, cut)
