"""A front as lines across one axis for each objective."""

from __future__ import annotations

from textwrap import fill

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from moselect._types import Floats
from moselect.metrics.objectives import check_objectives, objective_named
from moselect.plots.pairs import by_name, values_of
from moselect.plots.style import (
    LINE_COLOURS,
    LINE_STYLES,
    OTHERS_COLOUR,
    draw_marked,
    new_axes,
    number_text,
    short_name,
    width_of,
    with_minus,
)

INK = 80.0  # lines of full strength that all of the pale ones amount to
STRONGEST = 0.6
MOST_PALE_LINES = 3_000  # of more, an even subsample
LETTERS = 6.0  # of the name of a model, for each inch
LETTER = 4.6  # width in points of small letters


def parallel_coordinates(
    objectives: pd.DataFrame,
    *,
    chance: pd.Series | None = None,
    marked: pd.DataFrame | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw each model of a front as a line across the axes of its objectives.

    Each axis reaches from the least value, below, to the greatest. The model that is best in an
    objective is drawn in colour; the others are the paler the more there are.

    Parameters
    ----------
    objectives : DataFrame of shape (k, m)
        One row a model, all maximised; at least two columns, drawn in their order.
    chance : Series of shape (m,), optional
        The values that are reached without features; written under each axis, and marked on it
        where they are in sight.
    marked : DataFrame of shape (any, m), optional
        Models to point out, by the names in its index.
    ax : Axes, optional
        Where to draw, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the front is empty, a column is unknown, or the tables do not fit each other or hold
        values that are not finite.

    Examples
    --------
    >>> front = pd.DataFrame({"accuracy": [0.7, 0.6, 0.5], "vus": [0.40, 0.45, 0.55]})
    >>> ax = parallel_coordinates(front)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['best accuracy', 'best VUS']
    """
    names = list(check_objectives([*objectives]))
    values = values_of("objectives", objectives, names)
    points = np.empty((0, len(names))) if marked is None else values_of("marked", marked, names)
    level = None if chance is None else values_of("chance", chance.to_frame().T, names)[0]
    seen = np.vstack([values, points])
    low, high = seen.min(axis=0), seen.max(axis=0)

    def heights(rows: Floats) -> Floats:
        """Return heights on the axes, 0 to 1; the middle where all values are equal."""
        return np.where(high > low, (rows - low) / np.where(high > low, high - low, 1.0), 0.5)

    ax = ax or new_axes(1.6 * len(names) + 0.4, 5.0)
    _draw_all(ax, heights(values))
    for (i, label), colour, line in zip(
        _best(values, names), LINE_COLOURS, LINE_STYLES, strict=False
    ):
        drawn = heights(values[i])
        ax.plot(drawn, zorder=4, label=label, color=colour, linestyle=line, linewidth=1.8)
    across = range(len(names))
    longest = int(LETTERS * width_of(ax))
    labels = [] if marked is None else [short_name(label, longest) for label in marked.index]
    rows = {name: (across, rows.T) for name, rows in by_name(labels, heights(points)).items()}
    draw_marked(ax, rows, color=mpl.rcParams["text.color"], linewidth=1.0)
    if level is not None:
        shown = np.flatnonzero((level >= low) & (level <= high))
        ax.plot(
            shown,
            heights(level)[shown],
            linestyle="none",
            marker="_",
            markersize=22,
            markeredgewidth=2.0,
            color=mpl.rcParams["text.color"],
            zorder=6,
            label="chance" if len(shown) else "_",
        )
    _name_axes(ax, names, low, high, level)
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        borderaxespad=2.05 if level is None else 3.3,  # below the least values
        ncols=max(1, min(4, int(width_of(ax) / 2.2))),
        handlelength=3.0,
        columnspacing=1.2,
        frameon=False,
        fontsize=8,
    )
    return ax


def _draw_all(ax: Axes, heights: Floats) -> None:
    """Draw all models, or an even subsample of very many, in grey."""
    drawn = heights[:: -(-len(heights) // MOST_PALE_LINES)]
    places = np.broadcast_to(np.arange(heights.shape[1]), drawn.shape)
    lines = LineCollection(
        list(np.stack([places, drawn], axis=-1)),
        colors=OTHERS_COLOUR,
        linewidths=0.7,
        alpha=min(INK / len(drawn), STRONGEST),
        rasterized=True,
    )
    ax.add_collection(lines)


def _best(values: Floats, names: list[str]) -> list[tuple[int, str]]:
    """Return the best model in each objective and its label; once if it is the same."""
    found: dict[int, list[str]] = {}
    for i, name in zip(values.argmax(axis=0).tolist(), names, strict=True):
        found.setdefault(i, []).append(objective_named(name).symbol)
    return [(i, "best " + ", ".join(best)) for i, best in found.items()]


def _name_axes(ax: Axes, names: list[str], low: Floats, high: Floats, level: Floats | None) -> None:
    """Draw an axis for each objective, its name and greatest value above, its least below."""
    m = len(names)
    ax.set(xlim=(-0.4, m - 0.6), ylim=(-0.03, 1.03), yticks=[])
    ax.spines[:].set_visible(False)
    columns = max(1, int(width_of(ax) * 72.0 / m / LETTER))  # letters for each axis
    known = [objective_named(name) for name in names]
    words = [
        fill(each.description, columns) if each.description != each.symbol else "" for each in known
    ]
    top = 32 + 12 * max(text.count("\n") for text in words)
    below = []
    for i, objective in enumerate(known):
        ax.axvline(i, color=mpl.rcParams["axes.edgecolor"], linewidth=0.9, zorder=3)
        for text, size, rise, alignment in (
            (number_text(high[i]), 8, 3, "bottom"),
            (words[i], 8, 17, "bottom"),
            (objective.symbol, 12, top, "baseline"),
        ):
            ax.annotate(
                text,
                (i, 1.0),
                (0, rise),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                ha="center",
                va=alignment,
                fontsize=size,
            )
        chance = "" if level is None else with_minus(f"\nchance {level[i]:.3g}")
        below.append(number_text(low[i]) + chance)
    ax.set_xticks(range(m), below, fontsize=8)
    ax.tick_params(axis="x", length=0)
