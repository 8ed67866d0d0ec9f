"""Names of points where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect.plots.style import lay_out

FONT_SIZE = 8.5  # points
RADIUS = 4.0  # of what marks a point, in points
LEADER_FROM = 8.0  # points; a name further away is joined to its point
DISTANCES = (5.0, 9.0, *range(15, 200, 10))  # from a point to its name, in points
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
ACROSS = {1: "left", 0: "center", -1: "right"}
UP = {1: "bottom", 0: "center", -1: "top"}


def name_points(ax: Axes, x: ArrayLike, y: ArrayLike, names: Sequence[str]) -> None:
    """Write names beside points, such that they cover neither each other nor any point.

    The first names get the best places. The limits of the axes must be final. Where there are too
    many names for the room, some overlap.
    """
    lay_out(ax)
    pixels = ax.figure.dpi / 72.0
    places = np.column_stack([x, y])
    points: Floats = ax.transData.transform(places)
    taken = [np.concatenate([p - RADIUS * pixels, p + RADIUS * pixels]) for p in points]
    steps = [(distance, *way) for distance, way in product(DISTANCES, DIRECTIONS)]
    halo = withStroke(linewidth=2.0, foreground=mpl.colors.to_hex(ax.get_facecolor()))
    for name, place, point in zip(names, places.tolist(), points, strict=True):
        note = ax.annotate(
            name,
            place,
            (0.0, 0.0),
            textcoords="offset points",
            fontsize=FONT_SIZE,
            path_effects=[halo],
            zorder=6,
            in_layout=False,
        )
        size = np.array(note.get_window_extent().size)
        boxes = np.array([_box(point, size, pixels, step) for step in steps])
        best = int(_covered(boxes, np.asarray(ax.bbox.extents), np.array(taken)).argmin())
        distance, across, up = steps[best]
        taken.append(boxes[best])
        note.set_position(_offset(*steps[best]))
        note.set(ha=ACROSS[across], va=UP[up])
        if distance > LEADER_FROM:
            ax.annotate(
                "",
                place,
                note.get_position(),
                textcoords="offset points",
                arrowprops={"arrowstyle": "-", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3},
                zorder=5,
                in_layout=False,
            )


def _offset(distance: float, across: int, up: int) -> tuple[float, float]:
    """Go a distance in a direction."""
    length = distance / np.hypot(across, up)
    return across * length, up * length


def _box(point: Floats, size: Floats, pixels: float, step: tuple[float, int, int]) -> Floats:
    """Return the left, lower, right and upper end of a name so far from its point."""
    anchor = point + pixels * np.array(_offset(*step))
    low = anchor - 0.5 * (1.0 - np.array(step[1:])) * size
    return np.concatenate([low, low + size])


def _covered(boxes: Floats, room: Floats, taken: Floats) -> Floats:
    """Return the area that each box takes from others, and what of it lies outside the room."""
    outside = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) - _common(boxes, room[np.newaxis])
    return np.asarray(outside.clip(1e-6) + _common(boxes, taken))


def _common(boxes: Floats, others: Floats) -> Floats:
    """Return the area that each box has in common with others, in sum."""
    low = np.maximum(boxes[:, np.newaxis, :2], others[:, :2])
    high = np.minimum(boxes[:, np.newaxis, 2:], others[:, 2:])
    return np.asarray((high - low).clip(0.0).prod(axis=2).sum(axis=1))
