"""Well-known ordered scales and labels with numbers, which order labels of text."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

# sections of words, not of levels
ZERO = "words: zero"
WORDS = "words: "

DASHES = str.maketrans(
    "\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}\N{RIGHT SINGLE QUOTATION MARK}", "---'"
)
THOUSANDS = re.compile(r"(?<=\d)[, '](?=\d{3}\b)")
# 1.000 is a thousand in some countries and one in others
UNCLEAR = re.compile(r"(?<!\d)[1-9]\d{0,2}\.\d{3}\b")
# A dash is a sign unless it follows a number or word: 1-2, T-1.
NUMBER = re.compile(r"((?:(?<![\w.])-)?\d+(?:\.\d+)?)(?:(k|[a-e])\b)?")
CODED = re.compile(r"-?\d+\s*[.:=)-]\s*\D*")  # "1 = low", by its number
ROMAN = re.compile(r"\b(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})([a-e]?)\b")
ROMAN_DIGITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")


def recognise_scale(labels: Sequence[str]) -> list[str] | None:
    """Return labels in the order of their well-known scale, lowest first.

    The file ``scales.txt`` beside this module holds the scales. Letter case, accents,
    blanks around words, and hyphens or underscores between them do not count. Labels that
    differ in their numbers, such as "<1 year" and "1-5 years", "grade 2" or "stage IV",
    are in the order of these. None if no scale has all labels, two labels mean the same
    level, ranges overlap, or scales disagree.

    Examples
    --------
    >>> recognise_scale(["Agree", "Strongly Disagree", "Neutral"])
    ['Strongly Disagree', 'Neutral', 'Agree']
    >>> recognise_scale(["6+ years", "<1 year", "1-5 years"])
    ['<1 year', '1-5 years', '6+ years']
    >>> recognise_scale(["StronglyAgree", "Agree", "StronglyDisagree"])
    ['StronglyDisagree', 'Agree', 'StronglyAgree']
    >>> recognise_scale(["setosa", "virginica"])
    """
    words = [_plain(label) for label in labels]
    # Two readings may agree: by numbers and by ranks of a known scale. If they differ,
    # the order is unclear.
    orders = {_ordered_by_number(labels)}
    # labels of one or two letters: fewer may be anything (M, F; S, M)
    fewest_short = 3
    if len(words) >= fewest_short or any(len(word) >= fewest_short for word in words):
        orders |= {_ordered_by_rank(words, labels, name) for name in _sections()}
    orders.discard(None)
    return list(orders.pop() or ()) if len(orders) == 1 else None


def recognise_order(levels: Sequence[str]) -> list[str] | None:
    """Return the levels of a feature in the order of their scale, lowest first.

    Unlike labels of a target, levels need not have an order. Those with numbers have one
    only if they begin with these, have the same unit or none, and one is a range: zone 1
    and zone 2, or 1 = car and 2 = bus, are names, as are A, B and C.

    Examples
    --------
    >>> recognise_order(["65+", "18-34", "35-64"])
    ['18-34', '35-64', '65+']
    >>> recognise_order(["zone 1", "zone 2", "zone 3"])
    >>> recognise_order(["1 - bus", "2 - car", "3 - train"])
    """
    # Letters such as A, B and C may be grades or names.
    if all(len(level) == 1 for level in levels):
        return None
    numbered = [level for level in levels if any(map(str.isdigit, level))]
    if numbered:
        texts = list(map(_with_arabic_digits, numbered))
        begin = all(re.match(r"\W*\d", text) or _is_open(text) for text in texts)
        coded = any(map(CODED.fullmatch, texts))
        if not begin or coded or not any(map(_is_range, texts)):
            return None
    return recognise_scale(levels)


def _is_open(text: str) -> bool:
    """Return whether a label has a word such as under or over."""
    return any(_words_of_ranges(section).search(text) for section in ("below", "above"))


def _is_range(text: str) -> bool:
    """Return whether a label stands for more than one number."""
    span = _span(text)
    return span is not None and span[0] < span[1]


def are_numbers(labels: Iterable[str]) -> bool:
    """Return whether all labels are numbers written as text."""
    return all(NUMBER.fullmatch(label.strip().lstrip("+")) for label in labels)


def _ordered_by_rank(
    words: Sequence[str], labels: Sequence[str], name: str
) -> tuple[str, ...] | None:
    """Return labels by their levels on a scale; None if it lacks one, or two are equal."""
    levels = _sections()[name]
    ranks = [levels[word] for word in words if word in levels]
    # Two labels of one rank have no order, and a word outside of the scale may stand
    # anywhere.
    if name.startswith(WORDS) or not len(ranks) == len(words) == len(set(ranks)):
        return None
    return tuple(label for _, label in sorted(zip(ranks, labels, strict=True)))


def _ordered_by_number(labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return numbers and ranges by value; None if a label has none, or two overlap."""
    score_ranges = []
    units = set()
    # Roman numerals count as numbers where a label has no other digits.
    texts = [_with_arabic_digits(label) for label in labels]
    for text in texts:
        span = _span(text)
        if span is None:
            return None
        score_ranges.append(span)
        if not _is_zero(text):
            units.add(" ".join(_words_of_ranges("unit").findall(text)))
    # Nothing at all, beside which less than 1 is something.
    if (0.0, 0.0) in score_ranges:
        score_ranges = [
            (max(low, 0.0) if high > 0.0 else low, high) for low, high in score_ranges
        ]
    # Several open ranges, such as 10+ and 100+, begin or end at their numbers.
    if sum(high == math.inf for _, high in score_ranges) > 1:
        score_ranges = [
            (low, low if high == math.inf else high) for low, high in score_ranges
        ]
    if sum(low == -math.inf for low, _ in score_ranges) > 1:
        score_ranges = [
            (high if low == -math.inf else low, high) for low, high in score_ranges
        ]
    # Ranges may touch at their ends but not overlap, or values between have two classes.
    ordered = sorted(zip(score_ranges, labels, strict=True))
    are_disjoint = all(
        lower[1] <= upper[0] and lower != upper
        for (lower, _), (upper, _) in pairwise(ordered)
    )
    units.discard("")  # 10-19 beside 0-9 years
    shortest = min(units, key=len, default="")
    # letters that the plural of a unit may have more
    plural = 2
    one_unit = all(
        unit.startswith(shortest) and len(unit) <= len(shortest) + plural
        for unit in units
    )
    if not are_disjoint or not (one_unit or all(map(CODED.fullmatch, texts))):
        return None
    return tuple(label for _, label in ordered)


def _span(text: str) -> tuple[float, float] | None:
    """Return the least and the greatest number that a label stands for, if it has any."""
    numbers = [_value(*found) for found in NUMBER.findall(THOUSANDS.sub("", text))]
    if not numbers and _is_zero(text):
        numbers = [0.0]
    # Two numbers in descending order are no range, and three are no scale.
    if UNCLEAR.search(text) or len(numbers) not in (1, 2) or numbers != sorted(numbers):
        return None
    if len(numbers) == 2:
        return numbers[0], numbers[1]
    below = _words_of_ranges("below").search(text)
    above = _words_of_ranges("above").search(text)
    # "over 5 and under 10" is not read: two bounds need two numbers.
    if below and above:
        return None
    return -math.inf if below else numbers[0], math.inf if above else numbers[0]


def _is_zero(text: str) -> bool:
    """Return whether a label means none, in a word or by a beginning such as "do not ..."."""
    words = _plain(text)
    zeros = _sections()[ZERO]
    begins = tuple(word.removesuffix("*") for word in zeros if word.endswith("*"))
    return words in zeros or words.startswith(begins)


def _value(digits: str, suffix: str) -> float:
    if suffix == "k":
        return float(digits) * 1000.0
    # from stage 2a to 2b, less than from 2 to 3
    letter_step = 0.01
    return float(digits) + (letter_step * (ord(suffix) - ord("a") + 1) if suffix else 0.0)


def _with_arabic_digits(label: str) -> str:
    """Return a label in plain letters, with roman numerals, if it has no others, as digits."""
    text = _simple(label)
    if any(map(str.isdigit, text)):
        return text
    return ROMAN.sub(
        # Tens, and the index of the digit among the first ten.
        lambda found: f"{10 * len(found[1]) + ROMAN_DIGITS.index(found[2])}{found[3]}",
        text,
    )


def _simple(text: str) -> str:
    """Return text in small letters without accents, with a single dash and apostrophe."""
    letters = unicodedata.normalize("NFD", text.casefold().translate(DASHES))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _plain(label: str) -> str:
    # A space where small letters meet a capital, before case is folded away.
    spaced = re.sub(r"(?<=[a-z]{2})(?=[A-Z][a-z])", " ", label)  # StronglyAgree
    # Hyphens and underscores between letters separate words; others are punctuation.
    words = re.sub(r"(?<=\w)[-_](?=\w)", " ", _simple(spaced)).split()
    return " ".join(words).strip(" .")


@cache
def _sections() -> dict[str, dict[str, int]]:
    """Read the file of scales: for each section the ranks of its words."""
    text = Path(__file__).with_name("scales.txt").read_text(encoding="utf-8")
    sections = {}
    # A section begins with its name in brackets, one level a line, spellings apart by
    # slashes.
    for section in re.sub(r"(?m)^#.*\n", "", text).split("[")[1:]:
        name, _, levels = section.partition("]\n")
        sections[name] = {
            _plain(word): rank
            for rank, level in enumerate(levels.split("\n"))
            for word in level.split(" / ")
            if word
        }
    return sections


@cache
def _words_of_ranges(section: str) -> re.Pattern[str]:
    """Return the pattern of words that open a range ``below`` or ``above``, or of a unit."""
    if section != "unit":
        words = _sections()[WORDS + section]
        return re.compile(
            "|".join(
                rf"\b{word}\b" if word[0].isalpha() else re.escape(word) for word in words
            )
        )
    names = ("below", "above", "between")
    known = {
        part
        for name in names
        for word in _sections()[WORDS + name]
        for part in word.split()
    }
    # Words of ranges are no units, and k stands for thousands.
    others = "|".join(filter(str.isalpha, sorted(known)))
    return re.compile(rf"\b(?!(?:{others}|k)\b)[^\W\d]+")
