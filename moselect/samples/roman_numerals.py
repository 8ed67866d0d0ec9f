"""Roman numerals in labels."""

import re
from collections.abc import Sequence

from moselect.samples.scale_words import is_zero

ROMAN = re.compile(
    r"\b(?=[ivx]+(?:[a-e]\d?)?\b)(x{0,3})(ix|iv|v?i{0,3})(?=(?:[a-e]\d?)?\b)"
)
ROMAN_DIGITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")


def with_arabic_digits(texts: Sequence[str]) -> list[str]:
    """Return roman numerals as digits if all labels but 0 have one, and one has two letters.

    I, V and X alone may be letters.
    """
    read = [
        # Tens, and the index of the digit among the first ten.
        ROMAN.sub(lambda f: f"{10 * len(f[1]) + ROMAN_DIGITS.index(f[2])}", text)
        for text in texts
    ]
    are_roman = all(
        new != text or is_zero(text) or re.fullmatch(r"\D*\b0", text)
        for text, new in zip(texts, read, strict=True)
    )
    long = any(len(found[0]) > 1 for text in texts for found in ROMAN.finditer(text))
    return read if are_roman and long else list(texts)
