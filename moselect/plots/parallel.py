"""A front as lines across one axis for each objective."""

from __future__ import annotations

from itertools import cycle
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from moselect._types import Floats
from moselect.plots.names import (
    LINE_COLOURS,
    LINE_STYLES,
    LONGEST_NAME,
    MARK_COLOURS,
    MARKERS,
    OBJECTIVE_NAMES,
    OTHERS_COLOUR,
    short_name,
)
from moselect.plots.new_figure import new_axes
from moselect.plots.number_text import number_text, with_minus
from moselect.plots.pairs import objective_names, values_of

INK = 80.0  # lines of full strength that all of the pale ones amount to
STRONGEST = 0.6
MOST_PALE_LINES = 3_000  # of more, an even subsample
NARROW = 60.0  # points for each axis
FEWEST_LETTERS = 12  # in a line, for the objectives to be explained
LETTERS = 6.0  # of the name of a model, for each inch
WIDER = 1.25  # how much wider the legend may be than the axes
NAME = 5.5  # letters that the room for an axis holds of the name of its objective
LETTER = 4.6  # width in points of the small letters


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
        One row a model, all maximised; at least two columns out of the keys of
        ``OBJECTIVE_NAMES``, drawn in their order.
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
    names = objective_names(objectives)
    values = values_of("objectives", objectives, names)
    points = np.empty((0, len(names))) if marked is None else values_of("marked", marked, names)
    level = None if chance is None else values_of("chance", chance.to_frame().T, names)[0]
    seen = np.vstack([values, points])
    low, high = seen.min(axis=0), seen.max(axis=0)

    def heights(rows: Floats) -> Floats:
        """Return heights on the axes, 0 to 1; the middle where all values are equal."""
        return np.where(high > low, (rows - low) / np.where(high > low, high - low, 1.0), 0.5)

    if ax is None:
        ax = new_axes(1.6 * len(names) + 0.4, 5.0)
    _draw_all(ax, heights(values))
    for (i, label, colour), line in zip(_best(values, names), LINE_STYLES, strict=False):
        style: dict[str, Any] = {"color": colour, "linestyle": line, "linewidth": 1.8}
        ax.plot(heights(values[i]), zorder=4, label=label, **style)
    marks = zip(cycle(MARKERS), cycle(MARK_COLOURS), strict=False)
    longest = max(LONGEST_NAME, int(LETTERS * ax.bbox.width / ax.figure.dpi))
    index = [] if marked is None else list(marked.index)
    labels = np.array([short_name(label, longest) for label in index])
    for name, (marker, colour) in zip(dict.fromkeys(labels.tolist()), marks, strict=False):
        rows = heights(points[labels == name])
        ax.plot(
            rows.T,
            color=mpl.rcParams["text.color"],
            linewidth=1.0,
            marker=marker,
            markersize=11 if marker == "*" else 7,
            markerfacecolor=colour,
            markeredgewidth=0.8,
            zorder=5,
            label=[name, *["_"] * (len(rows) - 1)],
        )
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
    _add_legend(ax, _room_below(ax, len(names), level is not None))
    return ax


def _add_legend(ax: Axes, room: float) -> None:
    """Put the legend below the axes, in as many columns as are not much wider than these."""
    for n_columns in (4, 3, 2, 1):
        legend = ax.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            borderaxespad=room,
            ncols=n_columns,
            handlelength=3.0,
            columnspacing=1.2,
            frameon=False,
            fontsize=8,
        )
        if legend.get_window_extent().width <= WIDER * ax.bbox.width:
            return


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


def _room_below(ax: Axes, m: int, has_chance: bool) -> float:
    """Return the room of the lines below the axes, in letters of the legend."""
    lines = 1 + has_chance * (1 + _is_narrow(ax, m))
    return 0.8 + 1.25 * lines


def _is_narrow(ax: Axes, m: int) -> bool:
    return bool(ax.bbox.width / ax.figure.dpi * 72.0 / m < NARROW)


def _best(values: Floats, names: list[str]) -> list[tuple[int, str, str]]:
    """Return the best model in each objective, its label and its colour; once if it is the same."""
    found: dict[int, list[str]] = {}
    for i, name in zip(values.argmax(axis=0).tolist(), names, strict=True):
        found.setdefault(i, []).append(OBJECTIVE_NAMES[name].math)
    return [
        (i, "best " + ", ".join(best), colour)
        for (i, best), colour in zip(found.items(), LINE_COLOURS, strict=False)
    ]


def _name_axes(ax: Axes, names: list[str], low: Floats, high: Floats, level: Floats | None) -> None:
    """Draw an axis for each objective, its name and greatest value above, its least below."""
    m = len(names)
    ax.set(xlim=(-0.4, m - 0.6), ylim=(-0.03, 1.03), yticks=[])
    ax.spines[:].set_visible(False)
    room = ax.bbox.width / ax.figure.dpi * 72.0 / m  # points for each axis
    columns = int(room / LETTER)
    known = [OBJECTIVE_NAMES[name] for name in names]
    has_room = columns >= FEWEST_LETTERS
    words = [fill(o.words, columns) if has_room and o.words != o.math else "" for o in known]
    top = 20 + 12 * (1 + max(text.count("\n") for text in words)) if any(words) else 17
    below = []
    for i, objective in enumerate(known):
        ax.axvline(i, color=mpl.rcParams["axes.edgecolor"], linewidth=0.9, zorder=3)
        above = (
            (number_text(high[i]), 8, 3, "bottom"),
            (words[i], 8, 17, "bottom"),
            (objective.math, 12 if room > 55 else min(8.0, room / NAME), top, "baseline"),
        )
        for text, size, rise, alignment in above:
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
        lines = [number_text(low[i])]
        if level is not None:
            narrow = _is_narrow(ax, m)
            text = f"chance\n{level[i]:.2g}" if narrow else f"chance {level[i]:.3g}"
            lines.append(with_minus(text))
        below.append("\n".join(lines))
    ax.set_xticks(range(m), below, fontsize=8 if room > 50 else 6.5)
    ax.tick_params(axis="x", length=0)
