"""The objectives in words, and the colours of the pictures."""

from __future__ import annotations

from typing import NamedTuple

from moselect.search import OBJECTIVE_WORDS


class ObjectiveName(NamedTuple):
    """How an objective is called.

    Attributes
    ----------
    short : str
        Plain text, for tables.
    math : str
        With subscripts, for matplotlib.
    """

    short: str
    math: str


MATH = {
    "one_minus_mae": r"$1 - \mathrm{MAE}$",
    "u_cons": r"$U_\mathrm{cons}$",
    "u_ovo": r"$U_\mathrm{ovo}$",
    "u_pairs": r"$U_\mathrm{pairs}$",
}
OBJECTIVE_NAMES = {
    name: ObjectiveName(words, MATH.get(name, words)) for name, words in OBJECTIVE_WORDS.items()
}

# Told apart by colour-blind readers too, and dark and light enough for both backgrounds.
TRAINING_COLOUR = "#1f83c4"
HOLDOUT_COLOUR = "#dd6a12"
OTHERS_COLOUR = "#8c8c8c"
MARK_COLOURS = ("#f0c020", "#12a67c", "#cc79a7")

LONGEST_NAME = 20


def short_name(name: object) -> str:
    """Give a class label as text that fits into a picture, its middle left out if it is long."""
    text = str(name)
    if len(text) <= LONGEST_NAME:
        return text
    half = LONGEST_NAME // 2
    return text[: half - 1] + "\N{HORIZONTAL ELLIPSIS}" + text[-half:]
