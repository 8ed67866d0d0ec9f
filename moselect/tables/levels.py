"""Levels of categorical columns, independent of their spelling."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
import pandas as pd

from moselect._types import Integers
from moselect.labels.labels import level_text
from moselect.tables.amounts import FILE_GAPS, GAPS
from moselect.tables.cells import distinct_cells

WORD = re.compile(r"\b\w\w+\b")
Value = TypeVar("Value", int, float)


def read_levels(column: pd.Series) -> tuple[Integers, list[str]]:
    """Return the index of each cell's level, -1 if it is missing, and the levels as text.

    Integers are the same level with and without a decimal point; surrounding blanks are
    ignored.
    """
    codes, values = distinct_cells(column)
    levels: dict[str, int] = {}
    places = [
        levels.setdefault(text, len(levels)) if text else -1
        for text in map(level_text, values)
    ]
    return np.array([*places, -1], int)[codes], list(levels)


def folded(level: str) -> str:
    """Return a level without differences of case and blanks."""
    return " ".join(level.casefold().split())


def merge_spellings(
    places: Integers, levels: list[str]
) -> tuple[Integers, list[str], dict[str, str]]:
    """Merge levels that differ in case or blanks, and one-letter abbreviations with words.

    Returns the index of each cell's level, the levels in their commonest spelling, and the
    level of each other spelling. A letter abbreviates the one word that it begins if all
    words of the column begin with different letters: y and yes.

    Examples
    --------
    >>> cells = np.array([0, 0, 1, 2, 3, -1])
    >>> merge_spellings(cells, ["yes", "No", "Y", "no"])
    (array([ 0,  0,  1,  0,  1, -1]), ['yes', 'No'], {'Y': 'yes', 'no': 'No'})
    """
    texts = list(map(folded, levels))
    present = set(texts) - GAPS
    distinct = {text for text in present if len(text) > 1}
    words = {text[0]: text for text in distinct}
    abbreviated = len(words) == len(distinct) and present - distinct <= words.keys()
    if abbreviated:
        texts = [words[text[0]] if text in present else text for text in texts]
    groups = pd.factorize(pd.Series(texts, dtype=object))[0]
    counts = np.bincount(places[places >= 0], minlength=len(levels))
    commonest = pd.Series(counts).groupby(groups).idxmax()
    merged = [levels[index] for index in commonest]
    pairs = zip(levels, [merged[group] for group in groups], strict=True)
    spellings = {level: name for level, name in pairs if level != name}
    return np.append(groups, -1)[places], merged, spellings  # -1 of missing cells


def group_places(values: pd.Series, groups: Sequence[str]) -> Integers:
    """Find the group of each value (n,), in other spellings, too; -1 if it is in none.

    Groups are levels, ``"missing"``, or others that are merged.

    Examples
    --------
    >>> group_places(pd.Series(["A", "c", None, 1.0]), ["a", "1", "missing"])
    array([ 0, -1,  2,  1])
    """
    known = {folded(name): place for place, name in enumerate(groups)}
    # A letter abbreviates the one word that it begins, as in `merge_spellings`.
    initials = {name[0]: place for name, place in known.items() if name[0].isalpha()}
    if len(initials) == len(known):
        known = initials | known
    merged = (k for k, name in enumerate(groups) if name.startswith("others ("))
    rest = next(merged, -1)
    places, levels = read_levels(values)
    found = [known.get(folded(level), rest) for level in [*levels, "missing"]]
    return np.array(found)[places]


def written_otherwise(level: str) -> list[str]:
    """Return other spellings of a level: decimal points, letter case, words for NaN.

    Examples
    --------
    >>> written_otherwise("12"), written_otherwise("True")
    (['12.0'], ['true', 'True', 'TRUE', 'True'])
    """
    if level.removeprefix("-").isdecimal():
        return [f"{level}.0"]
    return [level.lower(), level.capitalize(), level.upper(), level.title()]


def as_written(
    levels: Mapping[str, Value],
    missing: Value,
    spellings: Mapping[str, str] | None = None,
) -> dict[str, Value]:
    """Extend a mapping of levels by their other spellings, the known ones and usual ones.

    Words for missing values in files count as missing unless they are levels.
    """
    levels = dict(levels) | {
        text: levels[level] for text, level in (spellings or {}).items()
    }
    written = dict[str, Value]()
    for level in reversed([*levels]):  # the first of two spellings counts
        written |= dict.fromkeys(written_otherwise(level), levels[level])
    # "None" is missing even if "none" is a level.
    written |= dict.fromkeys(FILE_GAPS, levels.get("", missing))
    return written | levels


# fewest words of an average cell of text
WORDS_OF_TEXT = 1.5


def is_text(column: pd.Series) -> bool:
    """Return whether cells typically have several words."""
    words = cell_texts(column).str.count(WORD.pattern)
    return float(words[column.notna().to_numpy()].mean()) >= WORDS_OF_TEXT


def cell_texts(column: pd.Series) -> pd.Series:
    """Return the cells as text, "" where they are missing."""
    return column.astype(object).where(column.notna(), "").astype(str)
