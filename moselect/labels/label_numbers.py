"""Numbers, ranges, units and versions in labels, as in "<1 year", "stage IIA" and 5.10."""

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from moselect.labels.scale_words import (
    DOWNWARD,
    is_zero,
    scale_sections,
    simple_text,
    units_of_measure,
    words_of_ranges,
)

THOUSANDS = re.compile(r"(?<=\d)[, '](?=\d{3}\b)")
DOTTED = re.compile(r"(?<![\d.])[1-9]\d{0,2}(?:\.\d{3})+\b")  # 1.000, perhaps a thousand
ORDINAL = re.compile(r"(?<=\d)(st|nd|rd|th)\b")
# A dash is a sign unless it follows a number or word: 1-2, T-1.
NUMBER = re.compile(r"((?:(?<![\w.%°€$£])-)?\d+(?:\.\d+)?)(?:\+?(\s?[^\W\d_]+\d?))?")
# "1 = low", "2" and "3 (high)", by their numbers
CODED = re.compile(r"(-?\d+)(?:\s*[.:=()_-]+\s*(\D*))?")
ANCHORED = re.compile(r"-?\d+(?:\W\D*)?")  # "1 not at all" beside 2, 3 and 4
# a letter behind the number of a stage, perhaps with a digit: IIA, IA1
LETTERED = re.compile(r"([a-e])(\d?)")
# f/8 is 1/8, and Q42010 the fourth quarter of 2010
OF_OTHERS = re.compile(r"\D*/\s*\d|q[1-4](?:19|20)\d\d\b|:-")
ROMAN = re.compile(
    r"\b(?=[ivx]+(?:[a-e]\d?)?\b)(x{0,3})(ix|iv|v?i{0,3})(?=(?:[a-e]\d?)?\b)"
)
ROMAN_DIGITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
DECIMAL = re.compile(r"(\d+)\.(\d+)")
# behind or before a decimal that is a measurement, and no version
MEASURED = re.compile(r"\d\s?[^\W\d_]{2}|\d [^\W\d_]|[<>≤≥%$€£°]|\d *-")
JOINT = re.compile(r"(?:[\s$€£%°<>=≤≥-]|[^\W\d_])*")  # between the two numbers of a range


class Numbers(NamedTuple):
    """One or two numbers of a label, the words right behind them, and its other words."""

    values: tuple[float, ...]
    tails: tuple[str, ...] = ("",)
    before: str = ""
    after: str = ""
    below: bool = False
    above: bool = False


def order_by_numbers(labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return numbers and ranges by value, in any units of one measure.

    None if a label has no number, two overlap, their units or words differ, or decimals may
    be versions: 5.9 and 5.10.
    """
    # A capital M behind a number is a million.
    texts = with_arabic_digits(
        [simple_text(re.sub(r"(?<=\d)M\b", "mio", label)) for label in labels]
    )
    # The first place or priority may be the highest.
    words = re.findall(r"(?<!\w)[^\W\d_]+", " ".join(texts))
    if scale_sections()[DOWNWARD].keys() & words:
        return None
    # 1.000 is a thousand in some countries and one in others: the order is clear if one
    # reading has none, or both have the same.
    grouped = [DOTTED.sub(lambda found: found[0].replace(".", ""), t) for t in texts]
    if texts == grouped and may_be_versions(texts):
        return None
    orders = {_ordered_by_range(reading, labels) for reading in (texts, grouped)}
    orders.discard(None)
    return orders.pop() if len(orders) == 1 else None


def natural_order(labels: Sequence[str]) -> list[str]:
    """Sort labels by the numbers in them, whole or of versions: a first guess of their order.

    Examples
    --------
    >>> natural_order(["5.10", "5.9", "6.0"])
    ['5.9', '5.10', '6.0']
    """

    def key(text: str) -> list[tuple[int, str]]:
        parts = re.findall(r"\d+|\D", text)
        return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]

    texts = with_arabic_digits([simple_text(label) for label in labels])
    return [label for _, label in sorted(zip(map(key, texts), labels, strict=True))]


def is_range(text: str) -> bool:
    """Return whether a label represents more than one number."""
    numbers = _numbers_of(text)
    span = numbers and _span(numbers, numbers.values)
    return span is not None and span[0] < span[1]


def are_anchored(texts: Sequence[str]) -> bool:
    """Return whether labels are integers, with words behind fewer than half of them."""
    n_integers = sum(re.fullmatch(r"-?\d+", text) is not None for text in texts)
    return 2 * n_integers > len(texts) and all(map(ANCHORED.fullmatch, texts))


def _ordered_by_range(
    texts: Sequence[str], labels: Sequence[str]
) -> tuple[str, ...] | None:
    """Return labels by the numbers of their texts; None as in `order_by_numbers`."""
    parsed = [numbers for text in texts if (numbers := _numbers_of(text)) is not None]
    if len(parsed) < len(texts):
        return None
    if all(map(CODED.fullmatch, texts)) or are_anchored(texts):
        parsed = [Numbers(numbers.values[:1]) for numbers in parsed]
    present = [
        each for each, text in zip(parsed, texts, strict=True) if not is_zero(text)
    ]
    if len({each.before for each in present}) > 1:
        return None
    values = _in_one_unit(parsed, present)
    if values is None:
        return None
    return _ordered_ranges(list(map(_span, parsed, values)), labels)


def _ordered_ranges(
    ranges: list[tuple[float, float] | None], labels: Sequence[str]
) -> tuple[str, ...] | None:
    """Return labels by their ranges; None if two overlap or a label has none."""
    known = [span for span in ranges if span is not None]
    if len(known) < len(ranges):
        return None
    # Nothing at all, beside which less than 1 is something.
    if (0.0, 0.0) in known:
        known = [(max(low, 0.0) if high > 0.0 else low, high) for low, high in known]
    # Several open ranges, such as 10+ and 100+, begin or end at their numbers.
    for infinity in (-math.inf, math.inf):
        if sum(infinity in span for span in known) > 1:
            known = [
                (min(span, key=abs),) * 2 if infinity in span else span for span in known
            ]
    # Ranges may touch at their ends but not overlap, or values between have two classes.
    ordered = sorted(zip(known, labels, strict=True))
    are_disjoint = all(
        lower[1] <= upper[0] and lower != upper
        for (lower, _), (upper, _) in pairwise(ordered)
    )
    if not are_disjoint:
        return None
    return tuple(label for _, label in ordered)


def _numbers_of(text: str) -> Numbers | None:
    """Parse a label with one or two numbers, or a word for none; None for others."""
    text = ORDINAL.sub("", THOUSANDS.sub("", text))
    found = list(NUMBER.finditer(text))
    if not found and is_zero(text):
        return Numbers((0.0,))
    # Three numbers are no scale, and 5- may be less or a little less than 5.
    if len(found) not in (1, 2) or text.endswith("-") or OF_OTHERS.match(text):
        return None
    unit = words_of_ranges("unit")
    # A single letter right behind a number is none of the words of ranges: stage 2a.
    tails = [
        tail.strip() if len(tail) == 1 or unit.match(tail.strip()) else ""
        for tail in (each[2] or "" for each in found)
    ]
    if len(found) == 2:
        between = text[found[0].end(1) : found[1].start()].replace(tails[0], "", 1)
        # "1/2", "3+4" and "1.2.3" are no ranges.
        if not (JOINT.fullmatch(between) and between.strip()):
            return None
    start = found[0].start()
    others = [word for word in unit.findall(text[start:]) if word not in tails]
    others += sorted(set(re.findall("[%‰°€$£]", text)))
    return Numbers(
        tuple(float(each[1]) for each in found),
        tuple(tails),
        " ".join(unit.findall(text[:start])),
        " ".join(others),
        words_of_ranges("below").search(text) is not None,
        words_of_ranges("above").search(text) is not None,
    )


def _in_one_unit(
    parsed: Sequence[Numbers], present: Sequence[Numbers]
) -> list[tuple[float, ...]] | None:
    """Return the numbers of labels in one unit; None if their units differ."""
    if not _are_one_unit({each.after for each in present}):
        return None
    tails = {tail for each in present for tail in each.tails} - {""}
    all_have_tails = all(any(each.tails) for each in present)
    for name, factors in units_of_measure().items():
        if tails <= factors.keys():
            known = {factors[tail] for tail in tails}
            if name == "multiples" or not tails:
                known = {1.0}
            elif len(known) > 1 and not all_have_tails:
                return None
            bare = min(known)
            # Of 1-2 days, both are days.
            return [
                tuple(
                    value * factors.get(tail or each.tails[-1], bare)
                    for value, tail in zip(each.values, each.tails, strict=True)
                )
                for each in parsed
            ]
    if all(map(LETTERED.fullmatch, tails)):
        return _with_letters(parsed)
    # A letter behind some numbers only may be anything: 7p beside 46.
    has_single_letter = max(map(len, tails), default=0) == 1
    if not _are_one_unit(tails) or (has_single_letter and not all_have_tails):
        return None
    return [each.values for each in parsed]


# From stage 2a to 2b, less than from 2 to 3: letters are digits of base 36.
LETTER_STEP = 1e-5


def _with_letters(parsed: Sequence[Numbers]) -> list[tuple[float, ...]] | None:
    """Return stages such as 2a and 2b as numbers; None if 2 or 2a occurs with 2a1."""
    stages = [tuple(zip(each.values, each.tails, strict=True)) for each in parsed]
    every = {stage for each in stages for stage in each}
    if any((value, tail[:k]) in every for value, tail in every for k in range(len(tail))):
        return None
    return [
        tuple(value + LETTER_STEP * int(f"{tail:0<2}", 36) for value, tail in each)
        for each in stages
    ]


def _are_one_unit(units: set[str]) -> bool:
    """Return whether units are one, perhaps in the plural, or missing: 10-19, 0-9 years."""
    named = units - {""}
    shortest = min(named, key=len, default="")
    # letters that the plural of a word may have more; m and mW are two units
    plural = 2 if len(shortest) > 2 else 0
    return all(
        unit.startswith(shortest) and len(unit) <= len(shortest) + plural
        for unit in named
    )


def _span(numbers: Numbers, values: tuple[float, ...]) -> tuple[float, float] | None:
    """Return the range of a label, open at an end if it has a word such as under or over."""
    # Two numbers in descending order are no range.
    if len(values) == 2:
        return (values[0], values[1]) if values[0] <= values[1] else None
    # "over 5 and under 10" is not read: two bounds need two numbers.
    if numbers.below and numbers.above:
        return None
    low = -math.inf if numbers.below else values[0]
    return low, math.inf if numbers.above else values[0]


def with_arabic_digits(texts: Sequence[str]) -> list[str]:
    """Return roman numerals as digits if all labels but 0 have one, and one has two letters.

    I, V and X alone may be letters.
    """
    read = [
        # Tens, and the index of the digit among the first ten.
        ROMAN.sub(lambda f: f"{10 * len(f[1]) + ROMAN_DIGITS.index(f[2])}", text)
        for text in texts
    ]
    if not any(len(found[0]) > 1 for text in texts for found in ROMAN.finditer(text)):
        return list(texts)
    are_roman = all(
        new != text or is_zero(text) or re.fullmatch(r"\D*\b0", text)
        for text, new in zip(texts, read, strict=True)
    )
    return read if are_roman else list(texts)


def may_be_versions(texts: Sequence[str]) -> bool:
    """Return whether decimals without a unit have another order as numbers of versions.

    Halves, quarters and eighths without a zero at the end are numbers.

    Examples
    --------
    >>> may_be_versions(["5.9", "5.10"]), may_be_versions(["0.5", "0.25"])
    (True, False)
    """
    pairs = [pair for text in texts for pair in DECIMAL.findall(text)[:1]]
    read = [(float(f"{a}.{b}"), (int(a), int(b))) for a, b in pairs]
    ends_in_zero = any(re.fullmatch(r"\d+0", places) for _, places in pairs)
    are_eighths = all((8.0 * number).is_integer() for number, _ in read)
    if all(map(MEASURED.search, texts)) or (are_eighths and not ends_in_zero):
        return False
    return any((x < y) != (v < w) for x, v in read for y, w in read)


def keeps_zeros(texts: Sequence[str]) -> bool:
    """Return whether decimals are versions by a zero at the end: 5.9 and 5.10, not 5.1.

    Examples
    --------
    >>> keeps_zeros(["5.9", "5.10"]), keeps_zeros(["5.50", "5.25"]), keeps_zeros(["1.0", "2"])
    (True, False, False)
    """
    has_zero = any(re.fullmatch(r"\d+\.\d+0", text) for text in texts)
    return has_zero and may_be_versions(texts)
