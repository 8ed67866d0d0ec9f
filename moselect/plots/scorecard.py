"""A scorecard as a picture of the size of an index card."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from moselect.models import ModelCard, OrdinalLinearClassifier
from moselect.plots.style import new_figure, plain, short_name, with_minus
from moselect.scorecard.content import content_of

WIDTH, HEIGHT = 105 / 25.4, 148 / 25.4  # A6, in inches
LEFT, RIGHT = 0.06, 0.94
LARGEST, LINE = 8.0, 1.35  # size of letters in points, and the height of a line as a share of it


def scorecard(model: OrdinalLinearClassifier, card: ModelCard) -> Figure:
    """Draw a scorecard on a figure of the size A6.

    Parameters
    ----------
    model : OrdinalLinearClassifier
        A scorecard, such as ``Scorecard().fit(X, y).rule_``.
    card : ModelCard
        What is known about it (`moselect.models.model_card`).

    Returns
    -------
    Figure

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> model = moselect.Scorecard(3).fit(X, y)
    >>> card = moselect.models.model_card(model.rule_, X, y, predicts="price")
    >>> scorecard(model.rule_, card).texts[0].get_text()
    'price'
    """
    content = content_of(model, card)
    rows: list[tuple[Sequence[str], str]] = [
        ((content.title,), "title"),
        (("add up", "points"), "heading"),
    ]
    before = None
    for line in content.lines:
        name = "" if line.feature == before else line.feature
        rows.append(((name, line.text, f"{line.points}"), "line"))
        before = line.feature
    rows += [(("class", "sum"), "heading"), *((row, "class") for row in content.classes)]
    if content.probabilities:
        rows.append((content.heading, "heading"))
        rows += [(row, "class") for row in content.probabilities]
    rows += [((note,), "note") for note in content.notes]
    heights = [2.0 if kind in ("title", "heading") else 1.0 for _, kind in rows]
    size = min(LARGEST, 0.92 * HEIGHT * 72.0 / LINE / sum(heights))
    figure = new_figure(WIDTH, HEIGHT)
    y = 0.96
    for (cells, kind), height in zip(rows, heights, strict=True):
        y -= height * LINE * size / 72.0 / HEIGHT
        n = len(cells)
        for j, cell in enumerate(cells):
            x = LEFT if j == 0 else 0.42 if kind == "line" and j == 1 else None
            x = LEFT + (RIGHT - LEFT) * j / (n - 1) if x is None else x
            figure.text(
                x,
                y,
                plain(cell) if n == 1 else with_minus(short_name(cell, max(8, 60 // n))),
                ha="left" if j == 0 or (kind == "line" and j == 1) else "right",
                va="baseline",
                fontsize=1.4 * size if kind == "title" else 0.8 * size if kind == "note" else size,
                fontweight="bold" if kind in ("title", "heading") else "normal",
            )
    return figure
