"""A scorecard as a picture to print: boxes to tick, the scale of the sum, and probabilities."""

from __future__ import annotations

from io import BytesIO
from itertools import groupby
from operator import attrgetter
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from moselect.models import Model, ModelCard
from moselect.plots.style import plain, short_name, short_names
from moselect.scorecard.sheet import Sheet, sheet_of

WIDTH, HEIGHT = 297.6, 419.5  # of A6, in points
LARGEST, STEP = 8.0, 1.55  # letters, and the step from line to line in their sizes
ABOVE, BELOW = 0.07, 0.30  # shares of the height: the title, and the scale and the notes
COLUMNS = (0.0, 0.34, 0.90, 0.955)  # where feature, value, points and box stand
WIDEST = 30  # letters of a value in a line
MOST_NAMED = 0.06  # share of the scale in which a class has room for its name


def card_png(model: Model, card: ModelCard) -> bytes:
    """Return a scorecard as a picture of the size A6."""
    sheet = sheet_of(model, card)
    figure = Figure(figsize=(WIDTH / 72.0, HEIGHT / 72.0))
    title = plain(f"{sheet.title}: tick one line of each, and add up")
    figure.text(0.05, 0.965, title, size=9.0, weight="bold", va="top", wrap=True)
    _draw_lines(figure.add_axes((0.05, BELOW, 0.9, 1.0 - ABOVE - BELOW)), sheet)
    _draw_scale(figure.add_axes((0.08, 0.125, 0.84, BELOW - 0.165)), sheet)
    notes = "\n".join(wrap(" ".join(sheet.notes), 88))
    figure.text(0.05, 0.015, plain(notes), size=5.0, va="bottom")
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=300, metadata={"Software": None})
    return picture.getvalue()


def _draw_lines(ax: Axes, sheet: Sheet) -> None:
    """Write each value of a feature, its points, and a box."""
    rows = [
        ("" if k else feature, part, None if later else line.points)
        for feature, lines in groupby(sheet.lines, key=attrgetter("feature"))
        for k, line in enumerate(lines)
        for later, part in enumerate(wrap(line.text, WIDEST) or [""])
    ]
    n = len(rows) + 1
    height = (1.0 - ABOVE - BELOW) * HEIGHT / n  # of a row
    size = min(LARGEST, height / STEP)
    ax.set(xlim=(0.0, 1.0), ylim=(n, 0.0))
    ax.axis("off")
    for row, (feature, part, points) in enumerate(rows, start=1):
        middle: dict[str, Any] = {"y": row - 0.5, "size": size, "va": "center"}
        ax.text(COLUMNS[1], s=plain(part), **middle)
        if points is None:
            continue
        if feature:
            ax.text(COLUMNS[0], s=short_name(feature), weight="bold", **middle)
            ax.axhline(row - 1.0, color="0.7", linewidth=0.4)
        ax.text(COLUMNS[2], s=f"{points}", ha="right", **middle)
        side = 0.62 * size  # as high as wide, in points
        wide, high = side / (0.9 * WIDTH), side / height
        box = (COLUMNS[3], row - 0.5 - high / 2.0)
        ax.add_patch(Rectangle(box, wide, high, fill=False, linewidth=0.6))
    ax.axhline(n - 1.0, color="black", linewidth=0.8)
    ax.text(COLUMNS[1], n - 0.5, "sum", size=size, va="center", weight="bold")


def _draw_scale(ax: Axes, sheet: Sheet) -> None:
    """Draw which sums mean which class, and below it the probabilities of the classes."""
    n, names = sheet.spans[-1].last + 1, short_names(sheet.answers, 14)
    colours = colormaps["Blues"](np.linspace(0.15, 0.65, len(sheet.answers)))
    for span in sheet.spans:
        width = span.last - span.first + 1
        corner = (span.first - 0.5, 1.08)
        look = {"fc": colours[span.code], "ec": "black", "linewidth": 0.4}
        ax.add_patch(Rectangle(corner, width, 0.3, **look))
        if width / n >= MOST_NAMED:
            middle = (span.first + span.last) / 2.0
            ax.text(middle, 1.23, names[span.code], size=6.0, ha="center", va="center")
    ax.set_yticks([])
    if sheet.probabilities is not None:
        below = np.zeros(n)
        for share, colour in zip(sheet.probabilities.T, colours, strict=False):
            ax.bar(np.arange(n), share, 1.0, below, color=colour)
            below += share
        ax.set_yticks([0.0, 0.5, 1.0], ["0 %", "50 %", "100 %"])
    ax.set(xlim=(-0.5, n - 0.5), ylim=(0.0, 1.4))
    ax.tick_params(labelsize=5.5, length=2.0, width=0.4)
    ax.set_xticks(sheet.some_sums)
    ax.set_xlabel(
        "sum; above the class, below the probability of each", size=6.0, labelpad=1.0
    )
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
