"""Well-known ordered scales and labels with numbers, which order labels of text."""

import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from moselect.samples.scale_words import (
    NO_ANSWER,
    TIME,
    WORDS,
    ZERO,
    plain_words,
    scale_sections,
    simple_text,
    words_of_ranges,
)

THOUSANDS = re.compile(r"(?<=\d)[, '](?=\d{3}\b)")
DOTTED = re.compile(r"(?<![\d.])[1-9]\d{0,2}(?:\.\d{3})+\b")  # 1.000, perhaps a thousand
# A dash is a sign unless it follows a number or word: 1-2, T-1.
NUMBER = re.compile(r"((?:(?<![\w.])-)?\d+(?:\.\d+)?)(?:(k|[a-e])\b)?")
# "1 = low", "2" and "3 (high)", by their numbers
CODED = re.compile(r"(-?\d+)(?:\s*[.:=()-]+\s*(\D*))?")
ANCHORED = re.compile(r"-?\d+\D*")  # "1 not at all" beside 2, 3 and 4
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
    words = [plain_words(label) for label in labels]
    # Two readings may agree: by numbers and by ranks of a known scale. If they differ,
    # the order is unclear.
    orders = {_ordered_by_number(labels), _ordered_between_ends(labels)}
    # labels of one or two letters: fewer may be anything (M, F; S, M)
    fewest_short = 3
    if len(words) >= fewest_short or any(len(word) >= fewest_short for word in words):
        orders |= {_ordered_by_rank(words, labels, name) for name in scale_sections()}
    orders.discard(None)
    return list(orders.pop() or ()) if len(orders) == 1 else None


def recognise_order(levels: Sequence[str]) -> list[str] | None:
    """Return the levels of a feature in the order of their scale, lowest first.

    Unlike labels of a target, levels need not have an order. Those with numbers have one
    only if they begin with these, have the same unit or none, and one is a range: zone 1
    and zone 2, or 1 = car and 2 = bus, are names, as are A, B and C. Codes of the words of
    a scale have its order, and numbers have one if only the ends of their scale are named.

    Examples
    --------
    >>> recognise_order(["65+", "18-34", "35-64"])
    ['18-34', '35-64', '65+']
    >>> recognise_order(["zone 1", "zone 2", "zone 3"])
    >>> recognise_order(["1 - bus", "2 - car", "3 - train"])
    >>> recognise_order(["3 - high", "2 - medium", "1 - low"])
    ['1 - low', '2 - medium', '3 - high']
    >>> recognise_order(["5 very", "4", "3", "2", "1 not at all"])
    ['1 not at all', '2', '3', '4', '5 very']
    """
    # Letters such as A, B and C may be grades or names.
    if all(len(level) == 1 for level in levels):
        return None
    numbered = [level for level in levels if any(map(str.isdigit, level))]
    texts = list(map(_with_arabic_digits, numbered))
    coded = [found for text in texts if (found := CODED.fullmatch(text)) and found[2]]
    words = [found[2].strip(" )") for found in sorted(coded, key=lambda f: int(f[1]))]
    # The codes of all labels have the order of the words behind them, or the reverse.
    code_a_scale = len(words) == len(texts) and recognise_scale(words) in (
        words,
        words[::-1],
    )
    if numbered and not (code_a_scale or _are_anchored(texts)):
        begin = all(re.match(r"\W*\d", text) or _is_open(text) for text in texts)
        if not begin or coded or not any(map(_is_range, texts)):
            return None
    return recognise_scale(levels)


def is_no_answer(label: str) -> bool:
    """Return whether a label, perhaps behind a code, stands for a missing answer.

    Examples
    --------
    >>> [is_no_answer(label) for label in ("Don't know", "9 = refused", "weiß nicht", "no")]
    [True, True, True, False]
    """
    words = re.sub(r"^-?\d+[\s.:=()-]*", "", plain_words(label)).strip(" )")
    return words in scale_sections()[NO_ANSWER]


def _are_anchored(texts: Sequence[str]) -> bool:
    """Return whether labels are integers, with words behind fewer than half of them."""
    n_integers = sum(re.fullmatch(r"-?\d+", text) is not None for text in texts)
    return 2 * n_integers > len(texts) and all(map(ANCHORED.fullmatch, texts))


def _is_open(text: str) -> bool:
    """Return whether a label has a word such as under or over."""
    return any(words_of_ranges(section).search(text) for section in ("below", "above"))


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
    levels = scale_sections()[name]
    ranks = [levels[word] for word in words if word in levels]
    # Two labels of one rank have no order, and a word outside of the scale may stand
    # anywhere.
    if name.startswith(WORDS) or not len(ranks) == len(words) == len(set(ranks)):
        return None
    return tuple(label for _, label in sorted(zip(ranks, labels, strict=True)))


def _ordered_by_number(labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return numbers and ranges by value; None if a label has none, or two overlap."""
    # Roman numerals count as numbers where a label has no other digits.
    texts = [_with_arabic_digits(label) for label in labels]
    in_minutes = [_in_minutes(text) for text in texts]
    if all(text.endswith(" min") or _is_zero(text) for text in in_minutes):
        texts = in_minutes  # months beside years
    # 1.000 is a thousand in some countries and one in others: the order is clear if one
    # reading has none, or both have the same.
    grouped = [DOTTED.sub(lambda found: found[0].replace(".", ""), t) for t in texts]
    orders = {_ordered_by_range(reading, labels) for reading in (texts, grouped)}
    orders.discard(None)
    return orders.pop() if len(orders) == 1 else None


def _ordered_between_ends(labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return numbers between the two ends of a scale in words; None for other labels."""
    numbers = [label for label in labels if label.isdecimal()]
    ends = [label for label in labels if label not in numbers]
    if len(numbers) < 2 or len(ends) != 2:
        return None
    order = recognise_scale(ends)
    return None if order is None else (order[0], *sorted(numbers, key=int), order[1])


def _ordered_by_range(
    texts: Sequence[str], labels: Sequence[str]
) -> tuple[str, ...] | None:
    """Return labels by the numbers of their texts; None as in `_ordered_by_number`."""
    score_ranges = []
    units = set()
    for text in texts:
        span = _span(text)
        if span is None:
            return None
        score_ranges.append(span)
        if not _is_zero(text):
            units.add(" ".join(words_of_ranges("unit").findall(text)))
    # Nothing at all, beside which less than 1 is something.
    if (0.0, 0.0) in score_ranges:
        score_ranges = [
            (max(low, 0.0) if high > 0.0 else low, high) for low, high in score_ranges
        ]
    # Several open ranges, such as 10+ and 100+, begin or end at their numbers.
    for infinity in (-math.inf, math.inf):
        is_open = [infinity in span for span in score_ranges]
        if sum(is_open) > 1:
            score_ranges = [
                (min(span, key=abs),) * 2 if opened else span
                for span, opened in zip(score_ranges, is_open, strict=True)
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
    by_code = all(map(CODED.fullmatch, texts)) or _are_anchored(texts)
    if not are_disjoint or not (one_unit or by_code):
        return None
    return tuple(label for _, label in ordered)


def _span(text: str) -> tuple[float, float] | None:
    """Return the least and the greatest number that a label stands for, if it has any."""
    numbers = [_value(*found) for found in NUMBER.findall(THOUSANDS.sub("", text))]
    if not numbers and _is_zero(text):
        numbers = [0.0]
    # Two numbers in descending order are no range, and three are no scale.
    if len(numbers) not in (1, 2) or numbers != sorted(numbers):
        return None
    if len(numbers) == 2:
        return numbers[0], numbers[1]
    below = words_of_ranges("below").search(text)
    above = words_of_ranges("above").search(text)
    # "over 5 and under 10" is not read: two bounds need two numbers.
    if below and above:
        return None
    return -math.inf if below else numbers[0], math.inf if above else numbers[0]


def _in_minutes(text: str) -> str:
    """Convert numbers to minutes by the unit of time behind them or behind a later number.

    Examples
    --------
    >>> _in_minutes("1-2 days"), _in_minutes("under 18")
    ('1440-2880  min', 'under 18')
    """
    # of a minute, an hour, a day, a week, a month and a year
    lengths = (1, 60, 1440, 10_080, 43_830, 525_960)
    length = None
    for found in reversed([*re.finditer(r"(\d+(?:\.\d+)?)(\+? ?)([^\W\d]*)", text)]):
        rank = scale_sections()[TIME].get(found[3])
        length = length if rank is None else lengths[rank]
        if length is not None:
            after = found[2] + (found[3] if rank is None else "")
            minutes = f"{float(found[1]) * length:.12g}{after}"
            text = text[: found.start()] + minutes + text[found.end() :]
    return text if length is None else f"{text} min"


def _is_zero(text: str) -> bool:
    """Return whether a label means none, in a word or by a beginning such as "do not ..."."""
    words = plain_words(text)
    zeros = scale_sections()[ZERO]
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
    text = simple_text(label)
    if any(map(str.isdigit, text)):
        return text
    return ROMAN.sub(
        # Tens, and the index of the digit among the first ten.
        lambda found: f"{10 * len(found[1]) + ROMAN_DIGITS.index(found[2])}{found[3]}",
        text,
    )
