"""Names of lines, written beside their right ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike, NDArray
from sklearn.isotonic import isotonic_regression

FONT_SIZE = 8.5  # points
UP = "\N{UPWARDS ARROW}"  # beside the name of a line above the axes
LEADER = 0.05  # length of the lines from ends to names, as a share of the width


def name_line_ends(ax: Axes, lines: Sequence[Line2D]) -> None:
    """Write the label of each line to the right of the axes, level with its end if there is room.

    The limits of the axes must be final and linear upwards; lines beyond them are named at the
    edge.
    """
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()  # a layout engine moves the axes when they are first drawn
    low, high = ax.get_ylim()
    ends = [(np.asarray(line.get_ydata())[-1] - low) / (high - low) for line in lines]
    height = ax.bbox.height / ax.figure.dpi * 72.0
    for line, end, place in zip(lines, ends, spread(ends, 1.3 * FONT_SIZE / height), strict=True):
        ax.plot(
            [1.0, 1.0 + LEADER],
            [np.clip(end, 0.0, 1.0), place],
            color=line.get_color(),
            linestyle=line.get_linestyle(),
            linewidth=0.9,
            transform=ax.transAxes,
            clip_on=False,
        )
        ax.text(
            1.01 + LEADER,
            place,
            f"{line.get_label()}{' ' + UP if end > 1.0 else ''}",
            transform=ax.transAxes,
            va="center",
            fontsize=FONT_SIZE,
        )


def spread(places: ArrayLike, gap: float) -> NDArray[np.float64]:
    """Move places in [0, 1] apart to at least a gap, or evenly if there are too many for it.

    The order stays, and the sum of squared moves is the least.
    """
    wanted = np.clip(np.asarray(places, dtype=np.float64), 0.0, 1.0)
    order = np.argsort(wanted, kind="stable")
    gap = min(gap, 1.0 / max(1, len(wanted) - 1))
    steps = gap * np.arange(len(wanted))
    moved = isotonic_regression(wanted[order] - steps, y_min=0.0, y_max=1.0 - steps[-1]) + steps
    result = np.empty_like(wanted)
    result[order] = moved
    return result
