"""Labels that may be numbers of versions, of which 1.10 is higher than 1.9."""

import re
from collections.abc import Sequence

# behind or before a number that is a measurement
UNIT = re.compile(r"\d\s?[^\W\d_]{2}|\d [^\W\d_]|[<>≤≥%$€£°]|\d *-")
DECIMAL = re.compile(r"(\d+)\.(\d+)")


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
    ends_in_zero = any(len(places) > 1 and places[-1] == "0" for _, places in pairs)
    are_eighths = all((8.0 * number).is_integer() for number, _ in read)
    if all(map(UNIT.search, texts)) or (are_eighths and not ends_in_zero):
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
