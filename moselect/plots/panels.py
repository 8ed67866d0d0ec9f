"""The panels of the matrix of pairwise fronts.

Objective ``i`` is that of the row, upwards, and ``j`` that of the column, to the right.
"""

from __future__ import annotations

from itertools import cycle
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from moselect._types import Floats
from moselect.plots.names import (
    HOLDOUT_COLOUR,
    LINE_COLOURS,
    MARK_COLOURS,
    MARKERS,
    OBJECTIVE_NAMES,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    plain,
)
from moselect.plots.number_text import TINY, number_text, with_minus, write_in_full
from moselect.plots.pairs import FrontInPairs, Pairs

FRONT_MARKERS = "os^Dv<"
MOST_PALE_POINTS = 4_000  # about, in a panel; more would only fill it
BINS = 20
LOW_PANEL = 1.7  # inches of the figure for each panel
FULL_PANEL = 1.75  # inches of a panel for which sizes are made
SMALLEST = 5.5  # points of a text
CAPTION = "rank correlation"


class FrontStyle(NamedTuple):
    """How a front is drawn."""

    colour: str
    pale: str  # colour of the models that are not on the front of a pair
    holdout: dict[str, Any]
    marker: str
    name: str | None  # for the legend; None for a front that is alone


ALONE = FrontStyle(
    TRAINING_COLOUR, OTHERS_COLOUR, {"color": HOLDOUT_COLOUR, "markeredgewidth": 0}, "o", None
)


def front_styles(names: list[str]) -> list[FrontStyle]:
    """Return a colour and a marker to each of several fronts; held-out values stand open."""
    if len(names) > len(LINE_COLOURS):
        raise ValueError(
            f"objectives has {len(names)} fronts, but only {len(LINE_COLOURS)} can be told apart"
        )
    return [
        FrontStyle(
            colour, colour, {"color": colour, "markerfacecolor": "none"}, marker, plain(name)
        )
        for name, colour, marker in zip(names, LINE_COLOURS, FRONT_MARKERS, strict=False)
    ]


def draw_name(ax: Axes, pairs: Pairs, styles: list[FrontStyle], i: int) -> None:
    """Draw a panel of the diagonal: the name, the range and the spread of an objective."""
    ax.set(xlim=pairs.wide_limits[i], ylim=(0.0, 1.0), xticks=[], yticks=[])
    values = [front.training[:, i] for front in pairs.fronts.values()]
    ends = [number_text(end(np.concatenate(values))) for end in (np.min, np.max)]
    lines = [" to ".join(dict.fromkeys(ends))]  # once, if they look the same
    if pairs.chance is not None:
        lines.append(with_minus(f"chance {pairs.chance[i]:.3g}"))
    place: dict[str, Any] = {"transform": ax.transAxes, "ha": "center", "va": "top"}
    name = OBJECTIVE_NAMES[pairs.names[i]]
    ax.text(0.5, 0.95, name.math, fontsize=14, **place)
    low = ax.figure.bbox.height / ax.figure.dpi / len(pairs.names) < LOW_PANEL
    if name.words != name.math and not low:
        ax.text(0.5, 0.78, name.words, fontsize=6.5, **place)
    ax.text(0.5, 0.68, "\n".join(lines), fontsize=8, linespacing=1.4, **place)
    tallest = 0.2 if low else 0.42  # of the bars
    for front, style in zip(pairs.fronts.values(), styles, strict=True):
        _draw_histogram(ax, front.training[:, i], style.colour, tallest)
        if front.holdout is not None and style.name is None:
            _draw_histogram(ax, front.holdout[:, i], style.holdout["color"], tallest)


def draw_training(ax: Axes, pairs: Pairs, styles: list[FrontStyle], i: int, j: int) -> None:
    """Draw the training values of two objectives, and the points to mark."""
    _set_axes(ax, pairs, i, j, pairs.limits)
    for front, style in zip(pairs.fronts.values(), styles, strict=True):
        size = len(front.training)
        label = "on the front of the pair"
        if style.name is not None:
            label = f"{style.name} ({size:,} model{'s' * (size > 1)})"
        _draw_border(
            ax,
            front,
            style,
            i,
            j,
            label=label,
            marker=style.marker,
            markersize=3.8,
            markeredgewidth=0,
        )
        _draw_others(ax, front, style, front.training, i, j)
    _draw_chance(ax, pairs, i, j)
    marks = zip(cycle(MARKERS), cycle(MARK_COLOURS), strict=False)
    for (name, points), (marker, colour) in zip(pairs.marked.items(), marks, strict=False):
        ax.plot(
            points[:, j],
            points[:, i],
            linestyle="none",
            marker=marker,
            markersize=11 if marker == "*" else 7,
            markerfacecolor=colour,
            markeredgecolor=mpl.rcParams["text.color"],
            markeredgewidth=0.8,
            zorder=5,
            label=name,
        )


def draw_holdout(ax: Axes, pairs: Pairs, styles: list[FrontStyle], i: int, j: int) -> None:
    """Draw the held-out values of two objectives beside the training front."""
    _set_axes(ax, pairs, i, j, pairs.wide_limits)
    for front, style in zip(pairs.fronts.values(), styles, strict=True):
        _draw_border(ax, front, style, i, j)
        if front.holdout is not None:
            label = "the same on held-out rows"
            if style.name is not None:
                label = f"{style.name}, held out"
            ax.plot(
                *front.holdout[front.best[i, j]][:, [j, i]].T,
                linestyle="none",
                marker=style.marker,
                markersize=3.8,
                zorder=4,
                label=label,
                **style.holdout,
            )
            _draw_others(ax, front, style, front.holdout, i, j)
    if styles == [ALONE]:
        ax.tick_params(labelcolor=ALONE.holdout["color"])
    _draw_chance(ax, pairs, i, j)


def draw_correlation(ax: Axes, pairs: Pairs, styles: list[FrontStyle], i: int, j: int) -> None:
    """Draw the rank correlation of two objectives over each front."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    middle = (len(styles) - 1) / 2.0
    for line, (front, style) in enumerate(zip(pairs.fronts.values(), styles, strict=True)):
        correlation = front.correlation[i, j]
        text, colour = "\N{EN DASH}", mpl.rcParams["text.color"]
        if np.isfinite(correlation):
            text = with_minus(f"{round(correlation, 2) + 0.0:+.2f}")
        if style.name is not None:
            colour = style.colour
        elif np.isfinite(correlation):
            shade = TRAINING_COLOUR if correlation > 0.0 else HOLDOUT_COLOUR
            ax.set_facecolor((shade, 0.4 * abs(correlation)))
        place = 0.5 + 0.13 * (middle - line)
        ax.text(0.5, place, text, ha="center", va="center", fontsize=13, color=colour)
    if (i, j) == (0, 1):
        place = 0.3 - 0.13 * middle
        ax.text(0.5, place, CAPTION, ha="center", va="center", fontsize=8)


def drop_numbers(axes: NDArray[Any], panel: float) -> None:
    """Keep names and shapes only, at the size of panels of some inches."""
    scale = max(panel / FULL_PANEL, 0.3)
    for place, ax in np.ndenumerate(axes):
        ax.set(xticks=[], yticks=[])
        name, *others = [*ax.texts] or [None]
        if name is not None and place[0] == place[1]:
            name.set(position=(0.5, 0.5), va="center", fontsize=max(SMALLEST, 24.0 * scale))
            for text in others:
                text.remove()
        elif name is not None:
            _stack(ax, panel, max(SMALLEST, 13.0 * scale))
        for line in ax.lines:
            line.set_markersize(line.get_markersize() * max(0.6, scale))
            line.set_markeredgewidth(line.get_markeredgewidth() * max(0.6, scale))


def _stack(ax: Axes, panel: float, size: float) -> None:
    """Put the texts of a panel of some inches below each other; the caption only if it fits."""
    gap = 1.3 * size / 72.0 / panel
    if len(ax.texts) * gap > 1.0 and ax.texts[-1].get_text() == CAPTION:
        ax.texts[-1].remove()
    middle = (len(ax.texts) - 1) / 2.0
    for line, text in enumerate(ax.texts):
        text.set(position=(0.5, 0.5 + gap * (middle - line)), fontsize=size)


def _draw_border(
    ax: Axes, front: FrontInPairs, style: FrontStyle, i: int, j: int, **points: Any
) -> None:
    """Draw the front of the training values and the area that it dominates."""
    best = front.training[front.best[i, j]][:, [j, i]]
    x, y = best[np.argsort(best[:, 0])].T
    x, y = np.r_[ax.get_xlim()[0], x, x[-1]], np.r_[y[0], y, ax.get_ylim()[0]]
    ax.fill_between(x, y, y[-1], step="pre", color=style.colour, alpha=0.06, linewidth=0)
    ax.plot(
        x,
        y,
        drawstyle="steps-pre",
        linewidth=0.9,
        markevery=slice(1, -1),  # the ends only lead to the edges of the panel
        zorder=4,
        color=style.colour,
        **points,
    )


def _draw_others(
    ax: Axes, front: FrontInPairs, style: FrontStyle, values: Floats, i: int, j: int
) -> None:
    points = values[~front.best[i, j]][:, [j, i]]
    if len(points) == 0:
        return
    label = f"other models ({len(values):,} in all)" if style.name is None else None
    ax.plot(
        *points[:: max(1, len(points) // MOST_PALE_POINTS)].T,
        linestyle="none",
        marker="o",
        markersize=2.4,
        markeredgewidth=0,
        color=style.pale,
        alpha=0.4,
        rasterized=True,
        label=label,
    )


def _draw_chance(ax: Axes, pairs: Pairs, i: int, j: int) -> None:
    if pairs.chance is None:
        return
    style: dict[str, Any] = {"linestyle": "--", "linewidth": 0.8, "alpha": 0.6}
    colour = mpl.rcParams["text.color"]
    for level, (low, high), draw in (
        (pairs.chance[j], ax.get_xlim(), ax.axvline),
        (pairs.chance[i], ax.get_ylim(), ax.axhline),
    ):
        if low <= level <= high:
            draw(level, color=colour, label="chance", **style)


def _draw_histogram(ax: Axes, values: Floats, colour: str, tallest: float) -> None:
    counts, edges = np.histogram(values, BINS, ax.get_xlim())
    ax.stairs(tallest * counts / counts.max(), edges, fill=True, alpha=0.6, color=colour)


def _set_axes(ax: Axes, pairs: Pairs, i: int, j: int, limits: Floats) -> None:
    """Set limits and ticks; below the diagonal they stand left and bottom, above right and top."""
    ax.set(xlim=limits[j], ylim=limits[i])
    for axis, (low, high) in ((ax.xaxis, limits[j]), (ax.yaxis, limits[i])):
        ticks = MaxNLocator(4).tick_values(low, high)
        free = 0.1 * (high - low)  # or labels of neighbouring panels would touch
        axis.set_ticks(ticks[(ticks > low + free) & (ticks < high - free)])
        write_in_full(axis)
        axis.set_tick_params(labelsize=8.0 if max(-low, high) >= TINY else 6.5)
    below, last = i > j, len(pairs.names) - 1
    ax.tick_params(
        length=2.5,
        bottom=below,
        left=below,
        top=not below,
        right=not below,
        labelbottom=below and i == last,
        labelleft=below and j == 0,
        labeltop=not below and i == 0,
        labelright=not below and j == last,
    )
