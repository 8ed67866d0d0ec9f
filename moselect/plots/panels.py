"""The panels of the matrix of pairwise fronts.

Objective ``i`` is that of the row, upwards, and ``j`` that of the column, to the right.
"""

from __future__ import annotations

from itertools import cycle
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from moselect.plots.names import (
    HOLDOUT_COLOUR,
    MARK_COLOURS,
    OBJECTIVE_NAMES,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
)
from moselect.plots.pairs import Floats, Pairs

MARKERS = "*DsP^Xv"
MOST_PALE_POINTS = 4_000  # about, in a panel; more would only fill it
BINS = 20


def draw_name(ax: Axes, pairs: Pairs, i: int) -> None:
    """Draw a panel of the diagonal: the name, the range and the spread of an objective."""
    ax.set(xlim=pairs.wide_limits[i], ylim=(0.0, 1.0), xticks=[], yticks=[])
    values = pairs.training[:, i]
    ends = f"{values.min():.3f}", f"{values.max():.3f}"
    lines = [" to ".join(dict.fromkeys(ends))]  # once, if they look the same
    if pairs.chance is not None:
        lines.append(f"chance {pairs.chance[i]:.3g}")
    place: dict[str, Any] = {"transform": ax.transAxes, "ha": "center", "va": "top"}
    ax.text(0.5, 0.93, OBJECTIVE_NAMES[pairs.names[i]].math, fontsize=14, **place)
    ax.text(0.5, 0.73, "\n".join(lines), fontsize=8, linespacing=1.4, **place)
    _draw_histogram(ax, values, TRAINING_COLOUR)
    if pairs.holdout is not None:
        _draw_histogram(ax, pairs.holdout[:, i], HOLDOUT_COLOUR)


def draw_training(ax: Axes, pairs: Pairs, i: int, j: int) -> None:
    """Draw the training values of two objectives, and the points to mark."""
    _set_axes(ax, pairs, i, j, pairs.limits)
    _draw_border(ax, pairs, i, j, **_strong(TRAINING_COLOUR))
    _draw_others(ax, pairs, pairs.training, i, j)
    _draw_chance(ax, pairs, i, j)
    styles = zip(cycle(MARKERS), cycle(MARK_COLOURS), strict=False)
    for (name, points), (marker, colour) in zip(pairs.marked.items(), styles, strict=False):
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


def draw_holdout(ax: Axes, pairs: Pairs, holdout: Floats, i: int, j: int) -> None:
    """Draw the held-out values of two objectives beside the training front."""
    _set_axes(ax, pairs, i, j, pairs.wide_limits)
    _draw_border(ax, pairs, i, j, color=TRAINING_COLOUR)
    points = holdout[pairs.best[i, j]][:, [j, i]]
    label = "the same on held-out rows"
    ax.plot(*points.T, linestyle="none", zorder=4, label=label, **_strong(HOLDOUT_COLOUR))
    _draw_others(ax, pairs, holdout, i, j)
    _draw_chance(ax, pairs, i, j)


def draw_correlation(ax: Axes, pairs: Pairs, i: int, j: int) -> None:
    """Draw the rank correlation of two objectives over the front."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    correlation = pairs.correlation[i, j]
    text = "\N{EN DASH}"
    if np.isfinite(correlation):
        text = f"{round(correlation, 2) + 0.0:+.2f}".replace("-", "\N{MINUS SIGN}")
        colour = TRAINING_COLOUR if correlation > 0.0 else HOLDOUT_COLOUR
        ax.set_facecolor((colour, 0.4 * abs(correlation)))
    ax.text(0.5, 0.5, text, ha="center", va="center", fontsize=13)
    if (i, j) == (0, 1):
        ax.text(0.5, 0.3, "rank correlation", ha="center", va="center", fontsize=8)


def _draw_border(ax: Axes, pairs: Pairs, i: int, j: int, **style: Any) -> None:
    """Draw the front of the training values and the area that it dominates."""
    front = pairs.training[pairs.best[i, j]][:, [j, i]]
    x, y = front[np.argsort(front[:, 0])].T
    x, y = np.r_[ax.get_xlim()[0], x, x[-1]], np.r_[y[0], y, ax.get_ylim()[0]]
    ax.fill_between(x, y, y[-1], step="pre", color=TRAINING_COLOUR, alpha=0.06, linewidth=0)
    ax.plot(
        x,
        y,
        drawstyle="steps-pre",
        linewidth=0.9,
        markevery=slice(1, -1),  # the ends only lead to the edges of the panel
        zorder=4,
        label="on the front of the pair",
        **style,
    )


def _draw_others(ax: Axes, pairs: Pairs, values: Floats, i: int, j: int) -> None:
    points = values[~pairs.best[i, j]][:, [j, i]]
    if len(points) == 0:
        return
    ax.plot(
        *points[:: max(1, len(points) // MOST_PALE_POINTS)].T,
        linestyle="none",
        marker="o",
        markersize=2.4,
        markeredgewidth=0,
        color=OTHERS_COLOUR,
        alpha=0.4,
        rasterized=True,
        label=f"other models ({len(values):,} in all)",
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


def _draw_histogram(ax: Axes, values: Floats, colour: str) -> None:
    counts, edges = np.histogram(values, BINS, ax.get_xlim())
    ax.stairs(0.42 * counts / counts.max(), edges, fill=True, alpha=0.6, color=colour)


def _strong(colour: str) -> dict[str, Any]:
    return {"marker": "o", "markersize": 3.8, "markeredgewidth": 0, "color": colour}


def _set_axes(ax: Axes, pairs: Pairs, i: int, j: int, limits: Floats) -> None:
    """Set limits and ticks; below the diagonal they stand left and bottom, above right and top."""
    ax.set(xlim=limits[j], ylim=limits[i])
    for axis, (low, high) in ((ax.xaxis, limits[j]), (ax.yaxis, limits[i])):
        ticks = MaxNLocator(4).tick_values(low, high)
        free = 0.1 * (high - low)  # or labels of neighbouring panels would touch
        axis.set_ticks(ticks[(ticks > low + free) & (ticks < high - free)])
        axis.set_major_formatter(ScalarFormatter(useOffset=False))
    below, last = i > j, len(pairs.names) - 1
    ax.tick_params(
        length=2.5,
        labelsize=8,
        bottom=below,
        left=below,
        top=not below,
        right=not below,
        labelbottom=below and i == last,
        labelleft=below and j == 0,
        labeltop=not below and i == 0,
        labelright=not below and j == last,
    )
    if not below:
        ax.tick_params(labelcolor=HOLDOUT_COLOUR)
