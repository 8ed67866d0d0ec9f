"""Numbers written as text: with marks, units and digit groups, or two in a cell."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import compress

import numpy as np
import pandas as pd

from moselect.tables.features import with_values

FEWEST_NUMBERS = 15  # distinct numbers; with fewer, cells such as "3+" are levels
CURRENCIES = "€$£¥₹"
# before a number: R$, US$, and words of currencies
CURRENCY = rf"[A-Z]{{0,3}}[{CURRENCIES}]|CHF|EUR|USD|GBP|[SF]?Fr\.|kr\.|Rs\."
# Units that are no words: 95% is a number however few there are.
SYMBOLS = f"%‰°{CURRENCIES}"
NEARLY_ALL = 0.9  # share of numbers among distinct cells
GLANCE = 200  # leading distinct cells, half must be numbers for the rest to be parsed

# Words and signs that stand for a missing value in a column of something else.
_GAPS = """
|?|*|.|-|--|---|\N{EN DASH}|\N{EM DASH}|\N{MINUS SIGN}|na|n/a|n.a.|nan|<na>|none|null|nil
|#n/a|#na|#null!|#div/0!|#value!|#ref!|#name?|#num!
""".replace("\n", "")
GAPS = set(_GAPS.split("|"))
# Words read as missing in a file, which other tables may hold as text.
FILE_GAPS = [
    "#N/A",
    "#NA",
    "<NA>",
    "N/A",
    "NA",
    "NULL",
    "NaN",
    "None",
    "n/a",
    "nan",
    "null",
]
# Negative: -5, $-5 and -$5, 5- and 5- kg, and in brackets (accounting notation).
NEGATIVE = re.compile(
    rf"((?:{CURRENCY})?\s?)-(.+)|(.*\d)-((?:\s\D*|[{SYMBOLS}])?)|\((.+)\)"
)
# By decimal mark: optional currency, digits (perhaps grouped), decimals, optional unit. A
# dash may stand in place of decimals: 5.-, and commas may group lakhs: 1,23,456.
AMOUNTS = {
    mark: re.compile(
        rf"([+-]?)({CURRENCY})?\s?"  # sign and currency
        rf"((?=[{mark}]?\d)(?:{lakhs}[1-9]\d{{0,2}}(?:[{group}'\u2019\s]\d{{3}})+|\d*)"
        rf"(?:[{mark}]\d+)?(?:[eE][+-]?\d+)?)(?:[.,][-\u2013])?"
        rf"\s?((?:[^\W\d_]|[{SYMBOLS}])[^\s;:+-]{{0,7}})?"  # unit
    )
    for mark, group, lakhs in ((".", ",", r"[1-9]\d?(?:,\d\d)+,\d{3}|"), (",", ".", ""))
}
# Characters of a number that group its digits, by decimal mark.
OTHERS = {mark: re.compile(rf"[^\d+\-eE{mark}]") for mark in AMOUNTS}
# Multiples in place of a unit, in small letters; m and b alone may be metres and bytes.
MULTIPLES = {
    **dict.fromkeys(("k", "tsd", "thousand"), 1e3),
    **dict.fromkeys(("m", "mn", "mio", "million"), 1e6),
    **dict.fromkeys(("b", "bn", "billion"), 1e9),
}
UNCLEAR = {"m", "b"}
MULTIPLIED = "k, M"  # the unit of columns in which 404k stands beside 19M
PLAIN = re.compile(r"[\d\s.,'+\-\N{MINUS SIGN}eE]+")  # without a unit


def read_all_amounts(
    table: pd.DataFrame,
    marks: str = ".,",
    few: bool = False,
    as_written: Collection[str] = (),
) -> None:
    """Parse columns of numbers written as text, in place, but those ``as_written``.

    Their units are stored in ``table.attrs``.
    """
    units = table.attrs.setdefault("units", {})
    for name in table.columns.difference(list(as_written), sort=False):
        amounts = read_amounts(table[name], marks, few=few)
        if amounts is not None:
            table[name], _, units[name] = amounts


# distinct numbers that all have the same unit, such as 5 kg
MIN_NUMBERS_OF_A_UNIT = 3


def read_amounts(
    column: pd.Series,
    marks: str = ".,",
    known: bool = False,
    unit: str | None = None,
    few: bool = False,
) -> tuple[pd.Series, str, str] | None:
    """Parse a column of text as floats; return it with its decimal mark and unit.

    None unless all cells are missing or numbers without a unit, or nearly all of many cells
    are numbers with at most one unit; or, with ``few``, all cells have the same one. In a
    column ``known`` to hold numbers every number is parsed. Missing and other cells stay as
    written. The decimal mark is the first of ``marks`` that parses the most cells; the
    ``unit`` defaults to the commonest one, "" without any.
    """
    if pd.api.types.infer_dtype(column) != "string":
        return None
    codes, values = pd.factorize(column.str.strip())
    cells = values.tolist()
    # Missing cells have the code -1, and the last place of an array of cells.
    is_given = np.array([*(cell.lower() not in GAPS for cell in cells), False])
    distinct = list(compress(cells, is_given))
    glance = distinct[:GLANCE]
    n_read = max(len(_numbers(mark, glance)[0]) for mark in marks)
    if not known and 2 * n_read < len(glance):
        return None  # the fast way out: a table may have thousands of text columns
    readings = {mark: _numbers(mark, distinct, unit) for mark in marks}
    mark = max(readings, key=lambda mark: len(readings[mark][0]))
    numbers, unit = readings[mark]
    found = np.array([*map(numbers.get, cells), None], float)[codes]
    is_read = ~np.isnan(found)
    all_read = len(numbers) == len(distinct) > 0
    plain = all_read and all(map(PLAIN.fullmatch, distinct))
    enough = len(numbers) > max(FEWEST_NUMBERS, NEARLY_ALL * len(distinct))
    often = enough and 2 * is_read.sum() > is_given[codes].sum()
    same_unit = few and all_read and unit != ""
    same_unit &= unit == MULTIPLIED or not any(map(PLAIN.fullmatch, distinct))
    same_unit &= len(distinct) >= MIN_NUMBERS_OF_A_UNIT or unit in SYMBOLS
    if not (known or plain or often or same_unit):
        return None
    read = column.astype(object)
    read[is_read] = found[is_read]
    return read.infer_objects(), mark, unit


def with_leading_sign(text: str) -> str:
    r"""Normalise negative numbers to a leading ASCII minus sign; return other text unchanged.

    Examples
    --------
    >>> texts = ["\N{MINUS SIGN}0.59", "0.59-", "$-5", "(5 %)", "5-day"]
    >>> list(map(with_leading_sign, texts))
    ['-0.59', '-0.59', '-$5', '-5 %', '5-day']
    """
    text = text.replace("\N{MINUS SIGN}", "-")
    if "-" not in text and "(" not in text:
        return text
    negative = NEGATIVE.fullmatch(text)
    return "-" + "".join(filter(None, negative.groups())) if negative else text


def _numbers(
    mark: str, cells: list[str], unit: str | None = None
) -> tuple[dict[str, float], str]:
    """Return the cells that are numbers, with the given or commonest unit or without any.

    Multiples behind a currency, or several ones in a column, are multiplied: 404k and 19M.
    """
    parts = {
        cell: match.groups("")
        for cell in cells
        if (match := AMOUNTS[mark].fullmatch(with_leading_sign(cell)))
    }
    suffixes = {suffix: suffix.casefold().rstrip(".") for *_, suffix in parts.values()}
    named = {*suffixes.values()} - {""}
    if unit is None and named <= MULTIPLES.keys():
        # Several multiples, or one beside plain numbers.
        with_plain_numbers = "" in suffixes and bool(named - UNCLEAR)
        unit = MULTIPLIED if len(named) > 1 or with_plain_numbers else None
    units = dict[str, str]()
    numbers = dict[str, float]()
    for cell, (sign, before, digits, suffix) in parts.items():
        units[cell] = before or suffix
        numbers[cell] = float(sign + OTHERS[mark].sub("", digits).replace(mark, "."))
        if suffixes[suffix] in MULTIPLES and (before or unit == MULTIPLIED):
            numbers[cell] *= MULTIPLES[suffixes[suffix]]
            units[cell] = before or MULTIPLIED
    if unit in (None, MULTIPLIED):
        common = Counter(filter(None, units.values())).most_common(1)
        unit = next((unit for unit, _ in common), unit or "")
    accepted = {"", unit}
    # A model of numbers without a unit takes numbers of one currency, too.
    if unit == "" and len({*"".join(cells)} & {*CURRENCIES}) == 1:
        accepted |= {*CURRENCIES}
    return {cell: numbers[cell] for cell in numbers if units[cell] in accepted}, unit


# 120/80, 3 x 4 and 117/79 mmHg, in small letters
TWO_NUMBERS = re.compile(
    r"(\d+(?:\.\d+)?)\s*[/x\N{MULTIPLICATION SIGN}]\s*(\d+(?:\.\d+)?)(?:\s?[^\W\d_]\D{0,9})?"
)
MONTH = re.compile(r"(?:0?[1-9]|1[0-2])/[12]\d{3}")  # 08/2021 is none
PART = re.compile(r"(.+) \([12] of 2\)")  # name of the first or second number of a column


def split_pairs(X: pd.DataFrame, as_written: Collection[str]) -> pd.DataFrame:
    """Replace a column ``bp`` of two numbers by ``bp (1 of 2)`` and ``bp (2 of 2)``.

    Other cells, such as "refused", stay in both; columns ``as_written`` stay as they are.
    """
    columns = dict[str, pd.Series]()
    for name, column in X.items():
        parts = {str(name): column}
        if name not in as_written and holds_two_numbers(column):
            split = split_numbers(column)
            if not {*split} & {*X}:  # a table may have columns of these names already
                parts = split
        columns |= parts
    if list(columns) == list(X):
        return X
    read = pd.DataFrame(columns, index=X.index)
    read.attrs |= X.attrs
    return read


def holds_two_numbers(column: pd.Series) -> bool:
    """Return whether all cells of text, or nearly all of many, are two numbers.

    Examples
    --------
    >>> holds_two_numbers(pd.Series(["120/80", "3 x 4", "n/a"]))
    True
    >>> holds_two_numbers(pd.Series(["1/2", "3/4", "half"]))
    False
    """
    if pd.api.types.infer_dtype(column) != "string":
        return False
    cells = column.dropna().str.strip().str.lower().drop_duplicates()
    cells = cells[~cells.isin(GAPS)]
    if cells.str.fullmatch(MONTH).all():
        return False
    n_split = int(cells.str.fullmatch(TWO_NUMBERS).sum())
    nearly = n_split > max(FEWEST_NUMBERS, NEARLY_ALL * len(cells))
    return n_split == len(cells) > 1 or nearly


def split_numbers(column: pd.Series) -> dict[str, pd.Series]:
    """Split two numbers in a cell into two columns; other cells stay, in both."""
    texts = column.astype(str).str.strip().str.lower()
    numbers = texts.str.extract(f"^(?:{TWO_NUMBERS.pattern})$").astype(float)
    parts = {}
    for place in (1, 2):
        found = numbers[place - 1]
        name = f"{column.name} ({place} of 2)"
        part = found.astype(object).where(found.notna(), column)
        parts[name] = part.infer_objects().rename(name)
    return parts


def column_of_part(name: str) -> str:
    """Return the column that holds a number, bp of bp (2 of 2); others are their own."""
    part = PART.fullmatch(name)
    return part[1] if part else name


def with_parts(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Add the named numbers of columns that a table has as two numbers in a cell."""
    for name in names:
        if name in frame.columns:
            continue
        column = column_of_part(name)
        if column in frame.columns:
            frame = with_values(frame, {name: split_numbers(frame[column])[name]})
    return frame
