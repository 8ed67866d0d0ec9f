"""Panels of the matrix of pairwise fronts.

Rows have objective ``i`` on the vertical axis, columns objective ``j`` on the horizontal.
"""

from itertools import cycle
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from moselect._types import Floats
from moselect.metrics.objectives import objective_named
from moselect.plots.pairs import COINCIDENT, FrontInPairs, Pairs
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    IN_FULL,
    MARK_COLOURS,
    POINTS,
    TRAINING_COLOUR,
    Look,
    with_minus,
)

MARKER_SIZE = 3.8


def draw_name(ax: Axes, pairs: Pairs, i: int) -> None:
    """Draw a panel of the diagonal: the name, the range and the spread of an objective."""
    ax.set(ylim=(0.0, 1.0), xticks=[], yticks=[])
    values = np.concatenate([front.training[:, i] for front in pairs.fronts])
    ends = [with_minus(f"{end:.3g}") for end in (values.min(), values.max())]
    lines = [" to ".join(dict.fromkeys(ends))]  # once, if they look the same
    if pairs.chance is not None:
        lines.append(with_minus(f"chance {pairs.chance[i]:.3g}"))
    place: Look = {"transform": ax.transAxes, "ha": "center", "va": "top"}
    name = objective_named(pairs.names[i])
    ax.text(0.5, 0.97, name.symbol, fontsize=13, **place)
    if name.description != name.symbol:
        # characters that fit into a panel
        widest = 24
        description = fill(with_minus(name.description), widest)
        ax.text(0.5, 0.81, description, fontsize=6.5, **place)
    ax.text(0.5, 0.64, "\n".join(lines), fontsize=7.5, linespacing=1.3, **place)
    shown = [(front.training[:, i], front.colour) for front in pairs.fronts]
    if pairs.holdout is not None:
        shown.append((pairs.holdout[:, i], HOLDOUT_COLOUR))
    # of all histograms together
    bins = np.histogram_bin_edges(np.concatenate([column for column, _ in shown]), 20)
    tallest = 0.42
    for column, colour in shown:
        counts, edges = np.histogram(column, bins)
        ax.stairs(
            tallest * counts / counts.max(), edges, fill=True, alpha=0.6, color=colour
        )


def draw_training(ax: Axes, pairs: Pairs, i: int, j: int) -> None:
    """Draw the training values of two objectives, and the points to mark."""
    _set_axes(ax, pairs, i, j, pairs.limits)
    for front in pairs.fronts:
        style = {"linestyle": "-", "marker": front.marker, "markersize": MARKER_SIZE}
        _draw_border(ax, front, i, j, label=front.label, **POINTS | style)
        alone = len(pairs.fronts) == 1
        label = f"other models ({len(front.training):,} in all)" if alone else None
        _draw_others(ax, front, front.training, i, j, label)
    _draw_chance(ax, pairs, i, j)
    marks = zip(cycle("*DsP^Xv"), cycle(MARK_COLOURS), strict=False)
    marked = zip(pairs.marked.items(), marks, strict=False)
    for (name, points), (marker, colour) in marked:
        ax.plot(
            *points[:, [j, i]].T,
            linestyle="none",
            marker=marker,
            markersize=11 if marker == "*" else 7,
            color=mpl.rcParams["text.color"],
            markerfacecolor=colour,
            markeredgewidth=0.8,
            zorder=5,
            label=name,
        )


def draw_holdout(ax: Axes, pairs: Pairs, i: int, j: int) -> None:
    """Draw held-out values of two objectives on axes of their own."""
    assert pairs.holdout is not None
    (front,) = pairs.fronts
    _set_axes(ax, pairs, i, j, pairs.holdout_limits)
    ax.tick_params(labelcolor=HOLDOUT_COLOUR)
    # Estimates that differ by noise alone are shrunk to their mean: dots on a line would
    # seem to be a picture of the front, so the common value is printed instead.
    equal = [k for k in (j, i) if np.ptp(pairs.holdout[:, k]) <= COINCIDENT]
    if equal:
        for axis, k in ((ax.xaxis, j), (ax.yaxis, i)):
            if k in equal:
                axis.set_ticks([])
        values = [
            f"{objective_named(pairs.names[k]).symbol} = {pairs.holdout[0, k]:.3g}"
            for k in equal
        ]
        words = with_minus("\n".join(["no difference", "out of sample:", *values]))
        place: Look = {"transform": ax.transAxes, "ha": "center", "va": "center"}
        ax.text(0.5, 0.5, words, fontsize=8, color=HOLDOUT_COLOUR, **place)
        return
    x, y = pairs.holdout[front.best[i, j]][:, [j, i]].T
    style = POINTS | {"markersize": MARKER_SIZE, "color": HOLDOUT_COLOUR}
    ax.plot(x, y, label="the same models, out of sample", zorder=4, **style)
    _draw_others(ax, front, pairs.holdout, i, j, None)
    _draw_chance(ax, pairs, i, j)


def draw_correlation(ax: Axes, pairs: Pairs, i: int, j: int) -> None:
    """Draw the rank correlation of two objectives over each front."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    middle = (len(pairs.fronts) - 1) / 2.0
    place: Look = {"ha": "center", "va": "center"}
    for line, front in enumerate(pairs.fronts):
        correlation = front.correlation[i, j]
        text = "\N{EN DASH}"
        colour = front.colour
        if np.isfinite(correlation):
            text = with_minus(f"{round(correlation, 2) + 0.0:+.2f}")
        if len(pairs.fronts) == 1:
            colour = mpl.rcParams["text.color"]
            shade = TRAINING_COLOUR if correlation > 0.0 else HOLDOUT_COLOUR
            ax.set_facecolor((shade, 0.4 * np.nan_to_num(abs(correlation))))
        ax.text(
            0.5, 0.5 + 0.13 * (middle - line), text, fontsize=13, color=colour, **place
        )
    if (i, j) == (0, 1):
        ax.text(0.5, 0.3 - 0.13 * middle, "rank correlation", fontsize=8, **place)


def _draw_border(ax: Axes, front: FrontInPairs, i: int, j: int, **points: Any) -> None:
    """Draw the front of the training values and its dominated area."""
    best = front.training[front.best[i, j]][:, [j, i]]
    x, y = best[np.argsort(best[:, 0])].T
    x = np.r_[ax.get_xlim()[0], x, x[-1]]
    y = np.r_[y[0], y, ax.get_ylim()[0]]
    ax.fill_between(x, y, y[-1], step="pre", color=front.colour, alpha=0.06, linewidth=0)
    ax.plot(
        x,
        y,
        drawstyle="steps-pre",
        linewidth=0.9,
        markevery=slice(1, -1),  # the ends only lead to the edges of the panel
        zorder=4,
        color=front.colour,
        **points,
    )


def _draw_others(
    ax: Axes, front: FrontInPairs, values: Floats, i: int, j: int, label: str | None
) -> None:
    points = values[~front.best[i, j]][:, [j, i]]
    if len(points) > 0:
        style = POINTS | {"markersize": 2.4, "color": front.pale, "alpha": 0.4}
        ax.plot(*points.T, rasterized=True, label=label, **style)


def _draw_chance(ax: Axes, pairs: Pairs, i: int, j: int) -> None:
    if pairs.chance is None:
        return
    style: Look = {"linestyle": "--", "linewidth": 0.8, "alpha": 0.6}
    style |= {"color": mpl.rcParams["text.color"], "label": "chance"}
    for level, (low, high), draw in (
        (pairs.chance[j], ax.get_xlim(), ax.axvline),
        (pairs.chance[i], ax.get_ylim(), ax.axhline),
    ):
        if low <= level <= high:
            draw(level, **style)


def _set_axes(ax: Axes, pairs: Pairs, i: int, j: int, limits: Floats) -> None:
    """Set limits and ticks; below the diagonal they stand left and bottom, above right and top."""
    ax.set(xlim=limits[j], ylim=limits[i])
    ax.ticklabel_format(**IN_FULL)
    # Set before ticks exist; afterwards each tick would be changed one by one.
    ax.tick_params(length=2.5)
    rows = (
        len(pairs.names) - 1,
        0,
    )  # rows with labels of columns, and columns with labels of rows
    if i < j:
        ax.xaxis.tick_top()
        ax.yaxis.tick_right()
        rows = rows[::-1]
    for axis, outer, (low, high) in (
        (ax.xaxis, i == rows[0], limits[j]),
        (ax.yaxis, j == rows[1], limits[i]),
    ):
        if not outer:  # ticks that no label explains take half of the time
            axis.set_ticks([])
            continue
        axis.set_tick_params(labelsize=8.0)
        free = 0.1 * (high - low)  # or labels of neighbouring panels would touch
        ends = low + free, high - free
        # One tick alone would not show the scale.
        for most in range(3, 7):
            ticks = MaxNLocator(most).tick_values(low, high)
            ticks = ticks[(ticks > ends[0]) & (ticks < ends[1])]
            if len(ticks) > 1:
                break
        axis.set_ticks(ticks)
