"""Order of labels of text, by well-known scales or numbers, and advice where it is unknown."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from moselect.labels.label_numbers import (
    CODED,
    NUMBER,
    are_anchored,
    is_range,
    natural_order,
    order_by_numbers,
)
from moselect.labels.scale_words import (
    NO_ANSWER,
    WORDS,
    plain_words,
    scale_sections,
    simple_text,
)
from moselect.listing import listing

ERROR = re.compile("#.+[!?]")  # of a spreadsheet, in any language
# Beside A and B: others may be sizes or groups.
OF_RATINGS = re.compile("(b|c)a*(b|c|a)")
MERGE = " + "  # between labels of one class


class OrderAdvice(NamedTuple):
    """Labels to be ordered, as a first guess, and how some differ from the others."""

    labels: list[str]  # spellings of one label merged, without answers that are none
    is_known: bool  # the order of the labels
    alike: str  # spellings of one label, as the end of a sentence
    unanswered: list[str]  # labels that stand for no answer


# Fewer labels of one or two letters may be anything (M, F; S, M).
MIN_SHORT_LABELS = 3


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
    # Either end of the letters A, B and C may be the best; marks at school are known by
    # their F without E.
    are_marks = "f" in words and "e" not in words
    if coded_gaps or ({*words} <= {*"abcdefg"} and not are_marks):
        return None
    # Several readings may agree: by numbers, by words behind them, and by ranks of a known
    # scale. If they differ, as of "1 - high" and "2 - low", the order is unclear.
    orders = {
        order_by_numbers(labels),
        _ordered_between_ends(labels),
        _ordered_by_words(labels),
    }
    doubtful = set[tuple[str, ...] | None]()  # other scales must confirm them
    if max(len(words), *map(len, words)) >= MIN_SHORT_LABELS:
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
    by_words = _ordered_by_words(levels)
    if by_words is not None:
        return list(by_words)
    texts = [simple_text(level) for level in levels if any(map(str.isdigit, level))]
    if texts and not are_anchored(texts):
        begin = all(re.match(r"\W*\d", text) or is_range(text) for text in texts)
        if not begin or not any(map(is_range, texts)):
            return None
    return recognise_scale(levels)


def is_no_answer(label: str) -> bool:
    """Return whether a label, perhaps after a code, represents a missing answer.

    Examples
    --------
    >>> [is_no_answer(label) for label in ("<Missing>", "9 = refused", "#WERT!", "no")]
    [True, True, True, False]
    """
    words = re.sub(r"^-?\d+[\s.:=()-]*", "", plain_words(label)).strip(" ()<>[]*")
    return words in scale_sections()[NO_ANSWER] or bool(ERROR.fullmatch(words))


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


def _ordered_by_words(labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return labels such as "1 = low" in the order of the scale of their words, if any."""
    codes = {label: CODED.fullmatch(simple_text(label)) for label in labels}
    label_of = {
        code[2].strip(" )"): label for label, code in codes.items() if code and code[2]
    }
    order = recognise_scale(list(label_of)) if len(label_of) == len(labels) else None
    return None if order is None else tuple(label_of[words] for words in order)


def _ordered_between_ends(labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return the order of a numeric scale with verbal ends; None for other labels."""
    numbers = [label for label in labels if label.isdecimal()]
    ends = [label for label in labels if label not in numbers]
    if len(numbers) < 2 or len(ends) != 2 or any(map(NUMBER.search, ends)):
        return None
    order = recognise_scale(ends)
    return None if order is None else (order[0], *sorted(numbers, key=int), order[1])


def order_advice(labels: Sequence[str]) -> OrderAdvice:
    """Advise how to order labels without a known scale.

    Examples
    --------
    >>> order_advice(["low", "Low", "high", "<Missing>"]).labels
    ['Low + low', 'high']
    """
    unanswered = list(filter(is_no_answer, labels))
    alike = same_but_for_case(labels)
    merged = {
        group[0]: MERGE.join(group) for group in alike if group[0] not in unanswered
    }
    known = recognise_scale(list(merged)) if len(merged) > 1 else None
    found = [listing(group) for group in alike if len(group) > 1]
    differ = f"; only letter case or blanks differ in {'; '.join(found)}" * bool(found)
    order = [merged[label] for label in known or natural_order(list(merged))]
    return OrderAdvice(order, known is not None, differ, unanswered)


def same_but_for_case(labels: Iterable[str]) -> list[list[str]]:
    """Group labels that differ by letter case and blanks only.

    Examples
    --------
    >>> same_but_for_case(["very low", "high", "Very  Low "])
    [['Very  Low ', 'very low'], ['high']]
    """
    groups = dict[str, list[str]]()
    for label in sorted(labels):
        groups.setdefault("".join(label.casefold().split()), []).append(label)
    return list(groups.values())
