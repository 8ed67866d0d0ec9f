"""The schema of a table: the content of each column, found once and without the target."""

import re
import warnings
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api.types import infer_dtype, is_datetime64_any_dtype, is_numeric_dtype

from moselect._types import Floats
from moselect.labels.labels import BLANKS, level_text
from moselect.labels.scales import is_no_answer, recognise_order
from moselect.tables.amounts import GAPS, holds_two_numbers, read_amounts
from moselect.tables.cells import (
    ISO,
    MOST_LEVELS,
    READ,
    TYPES,
    distinct_cells,
    read_content,
    read_numbers,
)
from moselect.tables.date_formats import find_date_format, first_days
from moselect.tables.features import DROPPED, TEXT, ColumnContent, Schema
from moselect.tables.levels import is_text, merge_spellings, read_levels

TRIED_FIRST = 50  # cells that suffice to rule out most contents
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


def find_schema(
    frame: pd.DataFrame,
    drop: Sequence[str],
    keep: Sequence[str],
    categorical: Sequence[str],
    missing: Mapping[str, float | Sequence[float]] | None,
) -> Schema:
    """Find the content of each column of a table; parameters as in `Preparation`.

    ValueError if a column has infinite numbers, or codes for a missing value without numbers.
    """
    schema = {}
    for name, column in frame.items():
        if name in drop:
            content = ColumnContent("levels", excluded=DROPPED)
        elif name in categorical:
            content = ColumnContent("levels", as_written=True)
        else:
            content = find_content(column)
            if (content.content_type, content.order) == ("levels", ()) and (
                holds_two_numbers(column) or read_amounts(column, few=True)
            ):
                example = column.dropna().iloc[0]
                warnings.warn(
                    f"numbers of {name!r}, such as {example!r}, are levels: "
                    "moselect.datasets.load_dataset reads them as numbers",
                    stacklevel=2,
                )
        schema[str(name)] = content._replace(keep=name in keep)
    for name, codes in (missing or {}).items():
        if schema[name].content_type != "number":
            raise ValueError(
                f"column {name!r} is none of numbers in use (missing): it has no codes"
            )
        # Databases write whole numbers and others: 999 and 999.0.
        texts = [
            text
            for code in map(float, np.ravel(codes))
            for text in dict.fromkeys([f"{code:.15g}", repr(code)])
        ]
        words = (*schema[name].words, *texts)
        schema[name] = schema[name]._replace(words=words)
    return {
        name: content
        if content.keep or content.excluded
        else _without_identifiers(frame[name], content)
        for name, content in schema.items()
    }


def find_content(column: pd.Series) -> ColumnContent:
    """Infer the content of a column from its dtype, or, for text, from its cells."""
    dtype = column.dtype
    units = column.attrs.get("units", {})
    unit = units.get(column.name, "")
    if isinstance(dtype, pd.CategoricalDtype):
        order = map(level_text, dtype.categories) if dtype.ordered else ()
        return ColumnContent("levels", order=tuple(order))
    for written, has_type in TYPES.items():
        if has_type(dtype):
            n_bad = read_numbers(column, written=written)[1].sum()
            if n_bad:
                raise ValueError(
                    f"column {str(column.name)!r} has {n_bad} infinite values: correct them, drop "
                    "these rows, or drop the column"
                )
            return ColumnContent(written, unit=unit)
    if is_datetime64_any_dtype(dtype):
        return ColumnContent("date", ISO)
    first = column.dropna().head(TRIED_FIRST)
    for written in READ:
        # A few cells rule out most contents.
        if read_numbers(first, written=written)[1].any():
            continue
        values, bad = read_numbers(column, written=written)
        if not bad.any() and not np.isnan(values).all():
            # Among times of three parts, two parts are minutes and seconds.
            seconds = written == "hours" and column.astype(str).str.count(":").eq(2).any()
            return ColumnContent("minutes" if seconds else written, unit=unit)
    date_format = find_date_format(column)
    if date_format is not None:
        return ColumnContent("date", date_format)
    values, bad = read_numbers(column)
    odd = column[bad].map(lambda cell: str(cell).strip(BLANKS).lower())
    words = tuple(odd.drop_duplicates())
    numbers = np.unique(values[np.isfinite(values)])
    # A few words among many different numbers, or amounts, stand for missing values, as
    # do words such as "don't know" among few.
    many = len(numbers) > max(MOST_LEVELS, 9 * len(words))
    many |= len(numbers) > 1 and all(map(is_no_answer, words))
    if (many or column.name in units) and bad.mean() < 0.5:
        return ColumnContent("number", words=words, unit=unit)
    return ColumnContent("levels", order=_find_order(column))


MAX_ORDERED = 50  # levels of a scale


def _find_order(column: pd.Series) -> tuple[str, ...]:
    """Return the levels of a column in their well-known order; none if it has none."""
    texts = {" ".join(level_text(cell).split()) for cell in distinct_cells(column)[1]}
    # Spellings of one level are one on the scale.
    folded = {text.casefold(): text for text in sorted(texts)}
    if len(folded) > MAX_ORDERED:
        return ()
    # "none" is the lowest level of some scales, and a gap beside others; "not sure" is the
    # middle of some, and no answer beside others.
    unanswered = GAPS.union(filter(is_no_answer, folded))
    for gap_words in (GAPS - {"none"}, unanswered - {"none"}, unanswered):
        levels = [text for level, text in folded.items() if level not in gap_words]
        # Below three levels an order changes nothing.
        order = recognise_order(levels) if len(levels) > 2 else None
        if order:
            return tuple(order)
    return ()


# share of distinct values above which text rarely recurs
KEY_SHARE = 0.9


def _without_identifiers(column: pd.Series, content: ColumnContent) -> ColumnContent:
    """Exclude keys and text; integers that identify things and repeat are levels."""
    name = str(column.name)
    if content.content_type == "date":
        return content
    if content.content_type != "levels":
        values = read_content(column, content)[0]
        distinct = np.unique(values[~np.isnan(values)])
        if not are_integers(distinct):
            return content
        if len(distinct) == len(values) and named_like_key(name):
            reason = "identifier by its name, all values differ"
            return content._replace(excluded=reason, is_key=True)
        named = named_like(name, OF_THINGS)
        is_id = named and is_numeric_dtype(column.dtype)
        if not is_id or len(distinct) <= MOST_LEVELS:
            return content
        content = ColumnContent("levels")
    places, levels = read_levels(column)
    if not content.as_written:
        places, levels, _ = merge_spellings(places, levels)
    n_present = (places >= 0).sum()
    all_differ = bool(len(levels) == n_present > 1)
    if not all_differ and len(levels) <= max(KEY_SHARE * n_present, MOST_LEVELS):
        return content
    if is_text(column):
        return content._replace(excluded=TEXT)
    almost = "" if all_differ else "almost "
    reason = f"identifier, {almost}all values differ"
    return content._replace(excluded=reason, is_key=all_differ)


def are_integers(values: Floats) -> bool:
    """Return whether all numbers are integers."""
    return bool((values == np.rint(values)).all())


def named_like(
    name: str,
    endings: Collection[str],
    beginnings: Collection[str] = ("id",),
    joined: re.Pattern[str] | None = None,
) -> bool:
    """Return whether a name ends or begins with one of some words, or is ``joined`` of words."""
    words = [w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    if not words:
        return False
    if words[-1] in endings or words[0] in beginnings:
        return True
    return joined is not None and joined.fullmatch("".join(words)) is not None


def named_like_key(name: str) -> bool:
    """Return whether a column is named like a key.

    Examples
    --------
    >>> [named_like_key(name) for name in ("id", "PassengerId", "policy_id", "acid", "paid")]
    [True, True, True, False, False]
    """
    return named_like(name, KEY_NAMES, ("id", "unnamed"), RUN_TOGETHER)


def names_a_thing(name: str) -> bool:
    """Return whether a column is named like an identifier of people or things.

    Examples
    --------
    >>> [names_a_thing(name) for name in ("patient_id", "Customer", "UserID", "age", "key")]
    [True, True, True, False, False]
    """
    return named_like(name, OF_THINGS, joined=THINGS)


def read_times(times: ArrayLike) -> ArrayLike:
    """Parse times of samples given as text; return others unchanged.

    ValueError if they are neither numbers nor times of a day nor dates.
    """
    column = times if isinstance(times, pd.Series) else pd.Series(times, name="times")
    if infer_dtype(column) != "string":
        return times
    content = find_content(column)
    if content.content_type == "levels":
        days = first_days(column)
        if days is not None:
            return days
        raise ValueError(
            f"times are text such as {column.dropna().iloc[0]!r}: give numbers, or dates such as "
            "2024-05-31, 2024-05, 2024Q2 or 2024/25"
        )
    return read_content(column, content)[0]
