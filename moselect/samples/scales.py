"""Well-known ordered scales and labels with numbers, which order labels of text."""

import re
from collections.abc import Iterable, Sequence

from moselect.samples.label_numbers import (
    CODED,
    NUMBER,
    are_anchored,
    label_range,
    order_by_numbers,
)
from moselect.samples.scale_words import (
    NO_ANSWER,
    WORDS,
    plain_words,
    scale_sections,
    simple_text,
    words_of_ranges,
)

ERROR = re.compile("#.+[!?]")  # of a spreadsheet, in any language
# Beside A and B: others may be sizes or groups.
OF_RATINGS = re.compile("(b|c)a*(b|c|a)")


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
    coded_gaps = any(is_no_answer(label) for label in labels if NUMBER.search(label))
    if coded_gaps or _are_letters(words):
        return None
    # Two readings may agree: by numbers and by ranks of a known scale. If they differ,
    # the order is unclear.
    orders = {order_by_numbers(labels), _ordered_between_ends(labels)}
    doubtful = set[tuple[str, ...] | None]()  # other scales must confirm them
    # labels of one or two letters: fewer may be anything (M, F; S, M)
    fewest_short = 3
    if len(words) >= fewest_short or any(len(word) >= fewest_short for word in words):
        are_ratings = any(map(OF_RATINGS.match, words))
        for name in scale_sections():
            is_doubtful = "rating" in name and not are_ratings
            (doubtful if is_doubtful else orders).add(
                _ordered_by_rank(words, labels, name)
            )
    orders.discard(None)
    order = orders.pop() if len(orders) == 1 else None
    return None if order is None or doubtful - {None, order} else list(order)


def how_ordered(order: Sequence[str]) -> str:
    """Describe the order of `recognise_scale`: by numbers, or by words of a scale.

    Examples
    --------
    >>> how_ordered(["1 km", "2 km"]), how_ordered(["low", "high"])
    ('by their numbers', 'in their usual order')
    """
    is_by_number = order_by_numbers(order) is not None
    return "by their numbers" if is_by_number else "in their usual order"


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
    texts = list(map(simple_text, numbered))
    coded = [found for text in texts if (found := CODED.fullmatch(text)) and found[2]]
    words = [found[2].strip(" )") for found in sorted(coded, key=lambda f: int(f[1]))]
    # The codes of all labels have the order of the words behind them, or the reverse.
    code_a_scale = len(words) == len(texts) and recognise_scale(words) in (
        words,
        words[::-1],
    )
    if numbered and not (code_a_scale or are_anchored(texts)):
        begin = all(re.match(r"\W*\d", text) or _is_open(text) for text in texts)
        if not begin or coded or not any(map(_is_range, texts)):
            return None
    return recognise_scale(levels)


def _are_letters(words: Sequence[str]) -> bool:
    """Return whether labels are letters of which either end may be the best: A, B and C.

    Marks at school are known by their F without E.
    """
    are_marks = "f" in words and "e" not in words
    return all(re.fullmatch("[a-z]", word) for word in words) and (
        {*words} <= {*"abcdefg"} and not are_marks
    )


def is_no_answer(label: str) -> bool:
    """Return whether a label, perhaps behind a code, stands for a missing answer.

    Examples
    --------
    >>> [is_no_answer(label) for label in ("<Missing>", "9 = refused", "#WERT!", "no")]
    [True, True, True, False]
    """
    words = re.sub(r"^-?\d+[\s.:=()-]*", "", plain_words(label)).strip(" ()<>[]*")
    return words in scale_sections()[NO_ANSWER] or bool(ERROR.fullmatch(words))


def _is_open(text: str) -> bool:
    """Return whether a label has a word such as under or over."""
    return any(words_of_ranges(section).search(text) for section in ("below", "above"))


def _is_range(text: str) -> bool:
    """Return whether a label stands for more than one number."""
    span = label_range(text)
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


def _ordered_between_ends(labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return numbers between the two ends of a scale in words; None for other labels."""
    numbers = [label for label in labels if label.isdecimal()]
    ends = [label for label in labels if label not in numbers]
    if len(numbers) < 2 or len(ends) != 2 or any(map(NUMBER.search, ends)):
        return None
    order = recognise_scale(ends)
    return None if order is None else (order[0], *sorted(numbers, key=int), order[1])
