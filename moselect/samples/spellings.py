"""Labels that differ by letter case or blanks, and advice on labels without a known order."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from moselect.listing import listing
from moselect.samples.label_numbers import natural_order
from moselect.samples.scales import is_no_answer, recognise_scale

MERGE = " + "  # between labels of one class


class OrderAdvice(NamedTuple):
    """Labels to be ordered, as a first guess, and how some differ from the others."""

    labels: list[str]  # spellings of one label merged, without answers that are none
    is_known: bool  # the order of the labels
    alike: str  # spellings of one label, as the end of a sentence
    unanswered: list[str]  # labels that stand for no answer


def order_advice(labels: Sequence[str]) -> OrderAdvice:
    """Advise how to order labels of which no scale is known.

    Examples
    --------
    >>> order_advice(["low", "Low", "high", "<Missing>"]).labels
    ['Low + low', 'high']
    """
    unanswered = list(filter(is_no_answer, labels))
    alike = same_but_for_case(labels)
    one_each = {
        MERGE.join(group): group[0] for group in alike if group[0] not in unanswered
    }
    merged = {first: text for text, first in one_each.items()}
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
