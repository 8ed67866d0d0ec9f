"""Labels that may be numbers of versions, of which 1.10 is higher than 1.9."""

import re
from collections.abc import Sequence

DECIMAL = re.compile(r"(\d+)\.(\d+)")


def may_be_versions(texts: Sequence[str]) -> bool:
    """Return whether decimals without a unit have another order as numbers of versions.

    Halves, quarters and eighths without a zero at the end are numbers.

    Examples
    --------
    >>> may_be_versions(["5.9", "5.10"]), may_be_versions(["0.5", "0.25"])
    (True, False)
    """
    found = [DECIMAL.search(text) for text in texts]
    versions = [(int(each[1]), int(each[2])) for each in found if each]
    numbers = [float(each[0]) for each in found if each]
    ends_in_zero = any(
        each[2].endswith("0") and len(each[2]) > 1 for each in found if each
    )
    if not ends_in_zero and all((8.0 * number).is_integer() for number in numbers):
        return False
    has_unit = all(
        re.search(r"\d\s?[^\W\d_]{2}|\d [^\W\d_]|[<>≤≥%$€£°]|\d *-", t) for t in texts
    )
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    by_version = sorted(range(len(numbers)), key=versions.__getitem__)
    return not has_unit and (order != by_version or len({*numbers}) < len({*versions}))


def keeps_zeros(texts: Sequence[str]) -> bool:
    """Return whether decimals are versions by a zero at the end: 5.9 and 5.10, not 5.1.

    Examples
    --------
    >>> keeps_zeros(["5.9", "5.10"]), keeps_zeros(["5.50", "5.25"]), keeps_zeros(["1.0", "2"])
    (True, False, False)
    """
    has_zero = any(re.fullmatch(r"\d+\.\d+0", text) for text in texts)
    return has_zero and may_be_versions(texts)
