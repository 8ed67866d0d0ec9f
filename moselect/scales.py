"""Well-known ordered scales, by which labels of text are recognised."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

AMOUNT = re.compile(r"(\d+(?:\.\d+)?)(k?)")
BELOW = re.compile(
    r"<|\b(less|fewer|under|below|up to|younger|lower)\b|or (less|fewer|under|younger)"
)
ABOVE = re.compile(r">|\+|\b(more|over|above|older|higher|greater|at least)\b")
NO_UNITS = """less|fewer|under|below|up|to|younger|lower|more|over|above|older|higher|greater|at
|least|and|or|than|k""".replace("\n", "")
WORD = re.compile(rf"\b(?!(?:{NO_UNITS})\b)[^\W\d]+")
FEWEST_SHORT = 3  # labels of one or two letters: fewer may be anything (M, F; S, M)

# Lowest first; words that mean the same level of a scale stand together, with / between them.
# The labels of a target may be any of the levels, but no two of the same one.
SCALES: dict[str, str] = {
    "agreement": """
        strongly disagree/completely disagree/totally disagree/fully disagree;
        disagree/mostly disagree; somewhat disagree/slightly disagree/rather disagree/
        tend to disagree/partly disagree; neutral/neither agree nor disagree/neither nor/neither/
        undecided/unsure/not sure/no opinion; somewhat agree/slightly agree/rather agree/
        tend to agree/partly agree; agree/mostly agree;
        strongly agree/completely agree/totally agree/fully agree
    """,
    "satisfaction": """
        extremely dissatisfied/extremely unsatisfied; very dissatisfied/very unsatisfied/
        completely dissatisfied; dissatisfied/unsatisfied; somewhat dissatisfied/
        slightly dissatisfied/rather dissatisfied; neutral/neither satisfied nor dissatisfied/
        neither; somewhat satisfied/slightly satisfied/rather satisfied; satisfied;
        very satisfied/completely satisfied; extremely satisfied
    """,
    "amount": """
        none/zero; minimal; very low; low; medium low/low medium/moderately low; medium/mid/middle/
        moderate/average/normal; medium high/high medium/moderately high; high; very high;
        extreme/extremely high
    """,
    "size": """
        tiny/very small/extra small; small; medium/mid/middle/average; large/big;
        very large/very big/extra large; huge/enormous
    """,
    "frequency": """
        never; almost never/hardly ever/very rarely; rarely/seldom; occasionally; sometimes;
        often/frequently; very often/very frequently; usually/mostly/most of the time;
        almost always/nearly always; always
    """,
    "quality": """
        terrible/awful/horrible; very poor/very bad/unacceptable/unacc; poor/bad; below average;
        fair/average/ok/okay/mediocre/acceptable/acc/satisfactory/so so; above average; good;
        very good/vgood; excellent; premium; outstanding/exceptional/superb; ideal/perfect
    """,
    "severity": """
        none/no/healthy/absent; minimal/trace; mild/minor/slight/light; moderate/medium;
        serious/major; severe; very severe/critical/extreme/life threatening; fatal/death/fatality
    """,
    "likelihood": """
        impossible; very unlikely/highly unlikely/extremely unlikely; unlikely; somewhat unlikely;
        possible/neutral/maybe; somewhat likely; likely/probable; very likely/highly likely/
        extremely likely; certain
    """,
    "importance": """
        not important/not at all important/unimportant; slightly important/of little importance;
        somewhat important/moderately important; important; very important;
        extremely important/essential
    """,
    "intensity": """
        not at all; slightly/a little/a little bit; somewhat; moderately;
        quite a bit/very/very much; extremely
    """,
    "risk": "very low risk; low risk; medium risk/moderate risk; high risk; very high risk",
    "sentiment": "very negative; negative; neutral; positive; very positive",
    "consent": "no; maybe/perhaps/partly/partially; yes",
    "difficulty": """
        very easy; easy; medium/moderate/normal; hard/difficult; very hard/very difficult
    """,
    "skill": "none; beginner/novice; elementary; intermediate; advanced; expert/master",
    "clothing size": "xxxs/3xs; xxs/2xs; xs; s; m; l; xl; xxl/2xl; xxxl/3xl; xxxxl/4xl",
    "credit rating": """
        d; c; cc; ccc-; ccc; ccc+; b-; b; b+; bb-; bb; bb+; bbb-; bbb; bbb+; a-; a; a+; aa-; aa;
        aa+; aaa
    """,
    "grade": "f-; f; f+; e-; e; e+; d-; d; d+; c-; c; c+; b-; b; b+; a-; a; a+",
}


def recognise_scale(labels: Sequence[str]) -> list[str] | None:
    """Return labels in the order of the well-known scale of theirs, lowest first.

    Letter case, blanks around words, and hyphens or underscores between them do not
    count. None if no scale has all labels, two labels mean the same level, or scales
    disagree. Ranges that do not overlap, such as "<1 year" and "1-5 years", are in the
    order of their numbers.

    Examples
    --------
    >>> recognise_scale(["Agree", "Strongly Disagree", "Neutral"])
    ['Strongly Disagree', 'Neutral', 'Agree']
    >>> recognise_scale(["6+ years", "<1 year", "1-5 years"])
    ['<1 year', '1-5 years', '6+ years']
    >>> recognise_scale(["setosa", "virginica"])
    """
    words = [_plain(label) for label in labels]
    if len(words) < FEWEST_SHORT and all(len(word) < 3 for word in words):
        return None
    orders = set()
    for levels in _LEVELS.values():
        ranks = [levels[word] for word in words if word in levels]
        if len(ranks) == len(words) == len(set(ranks)):
            orders.add(
                tuple(label for _, label in sorted(zip(ranks, labels, strict=True)))
            )
    return list(orders.pop()) if len(orders) == 1 else _ordered_ranges(labels)


def _ordered_ranges(labels: Sequence[str]) -> list[str] | None:
    """Return ranges by their numbers; None if some label is no range, or two overlap."""
    ranges = []
    for label in labels:
        plain = re.sub(r"(?<=\d)[, '](?=\d{3}\b)", "", label.casefold())
        numbers = [
            float(digits) * 1000.0 ** bool(k) for digits, k in AMOUNT.findall(plain)
        ]
        below, above = BELOW.search(plain), ABOVE.search(plain)
        if len(numbers) == 1:
            (number,) = numbers
            numbers = [-math.inf if below else number, math.inf if above else number]
        if len(numbers) != 2 or numbers != sorted(numbers) or (below and above):
            return None
        low, high = numbers
        ranges.append((low, high, label))
    ranges.sort()
    apart = all(
        lower[1] <= upper[0] and lower != upper for lower, upper in pairwise(ranges)
    )
    units = {" ".join(WORD.findall(_plain(label))) for label in labels}
    one_unit = len({unit.removesuffix("s") for unit in units} - {""}) <= 1
    are_ranges = any(low < high for low, high, _ in ranges)
    return [label for *_, label in ranges] if apart and one_unit and are_ranges else None


def _plain(label: str) -> str:
    words = " ".join(re.sub(r"(?<=\w)[-_](?=\w)", " ", label.casefold()).split())
    return words.strip(" .")


_LEVELS: dict[str, dict[str, int]] = {
    name: {
        _plain(word): rank
        for rank, level in enumerate(" ".join(text.split()).split(";"))
        for word in level.split("/")
    }
    for name, text in SCALES.items()
}
