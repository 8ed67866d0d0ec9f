"""The objectives in words, and the colours of the pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from moselect.metrics.objectives import ALL_OBJECTIVES


class ObjectiveName(NamedTuple):
    """How an objective is called.

    Attributes
    ----------
    short : str
        Plain text, for tables.
    math : str
        With subscripts, for matplotlib.
    words : str
        What it is.

    Examples
    --------
    >>> OBJECTIVE_NAMES["one_minus_mae"].short, OBJECTIVE_NAMES["vus"].short
    ('1 - MAE', 'VUS')
    """

    short: str
    math: str
    words: str

    @property
    def axis(self) -> str:
        """The words with the sign, for an axis."""
        return self.words if self.math == self.words else f"{self.words} ({self.math})"


OBJECTIVE_NAMES = {
    objective.name: ObjectiveName(objective.label, objective.symbol, objective.description)
    for objective in ALL_OBJECTIVES
}

# Told apart by colour-blind readers too, and dark and light enough for both backgrounds.
TRAINING_COLOUR = "#1f83c4"
HOLDOUT_COLOUR = "#dd6a12"
OTHERS_COLOUR = "#8c8c8c"
MARK_COLOURS = ("#f0c020", "#12a67c", "#cc79a7")
MARKERS = "*DsP^Xv"
LINE_COLOURS = (TRAINING_COLOUR, HOLDOUT_COLOUR, "#12a67c", "#a74fff", "#d30d39", "#65657b")
LINE_STYLES = ("-", (0, (6, 2)), (0, (3, 1, 1, 1)), (0, (1, 1.2)), (0, (8, 2, 1, 2)), (0, (4, 4)))

LONGEST_NAME = 20


def short_names(names: Iterable[object], longest: int = LONGEST_NAME) -> list[str]:
    """Return names as `short_name` does, with their numbers where they would become the same."""
    short = [short_name(name, longest) for name in names]
    return [
        f"{name} ({i})" if short.count(name) > 1 else name for i, name in enumerate(short, start=1)
    ]


def short_name(name: object, longest: int = LONGEST_NAME) -> str:
    """Return a name as text that fits into a picture, its middle left out if it is long."""
    text = str(name)
    if len(text) > longest:
        half = longest // 2
        text = text[: half - 1] + "\N{HORIZONTAL ELLIPSIS}" + text[-half:]
    return plain(text)


def plain(text: object) -> str:
    """Return the text of a user as matplotlib is to read it: dollars make no mathematics."""
    return str(text).replace("$", r"\$")
