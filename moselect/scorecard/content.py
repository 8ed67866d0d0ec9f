"""What stands on an index card: conditions, classes, probabilities, and where it holds."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from moselect.models import ModelCard, OrdinalLinearClassifier
from moselect.scorecard.lines import Line, card_lines

MOST_SUMS = 12  # rows of probabilities


class Content(NamedTuple):
    """A card as text: its lines, classes with their sums, and probabilities in percent."""

    title: str
    lines: list[Line]
    classes: list[tuple[str, str]]
    heading: list[str]
    probabilities: list[list[str]]
    notes: list[str]


def content_of(model: OrdinalLinearClassifier, card: ModelCard) -> Content:
    """Return what stands on the index card of a scorecard, of which a model card is known.

    Where there are many sums, only every second, third, ... one has probabilities.
    """
    labels = [str(label) for label in model.classes_]
    low, high = (int(part.sum()) for part in (model.coef_.clip(max=0), model.coef_.clip(min=0)))
    ends = [low - 1, *np.floor(model.thresholds_).astype(int).clip(low - 1, high), high]
    classes = [
        (
            label,
            "never" if start == end else f"{start + 1} to {end}" if start + 1 < end else f"{end}",
        )
        for label, (start, end) in zip(labels, pairwise(ends), strict=True)
    ]
    rows = []
    if card.calibration is not None:
        sums = np.arange(low, high + 1, -(-(high - low + 1) // MOST_SUMS))
        proba = card.calibration.probabilities(sums.astype(np.float64))
        rows = [[f"{s}", *(f"{p:.0%}" for p in row)] for s, row in zip(sums, proba, strict=True)]
    where = "" if card.data is None else f" of {card.data}"
    when = "" if card.dates is None else f", {' to '.join(card.dates)}"
    notes = [f"Fitted to {card.n_rows:,} rows{where}{when}."]
    if card.calibration is not None:
        notes.append("Probabilities hold where classes are as common as there.")
    new = [figure for figure in card.figures if figure.rows == "new data"]
    notes += [f"New data: {figure.value:.3g} {figure.name}." for figure in new[:1]]
    lines = card_lines(model, bands=True)
    return Content(card.predicts, lines, classes, ["sum", *labels], rows, notes)
