"""Names of points, written beside them where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike, NDArray

FONT_SIZE = 8.5  # points
DISTANCES = (5.0, 9.0, 16.0, 26.0, 40.0, 58.0, 80.0)  # from a point to its name, in points
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
ACROSS = {1: "left", 0: "center", -1: "right"}
UP = {1: "bottom", 0: "center", -1: "top"}
LEADER_FROM = 8.0  # points; a name further away is joined to its point
RADIUS = 4.0  # of what marks a point, in points


def name_points(ax: Axes, x: ArrayLike, y: ArrayLike, names: Sequence[str]) -> None:
    """Write names beside points, such that they cover neither each other nor any point.

    The first names get the best places. The limits of the axes must be final. Where there are too
    many names for the room, some overlap.
    """
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()  # a layout engine moves the axes when they are first drawn
    places = np.column_stack([x, y])
    points: NDArray[np.float64] = ax.transData.transform(places)
    radius = RADIUS * figure.dpi / 72.0
    taken = [Bbox([point - radius, point + radius]) for point in points]
    halo = withStroke(linewidth=2.0, foreground=mpl.colors.to_hex(ax.get_facecolor()))
    for name, (across, up) in zip(names, places.tolist(), strict=True):
        note = ax.annotate(
            name,
            (across, up),
            (0.0, 0.0),
            textcoords="offset points",
            fontsize=FONT_SIZE,
            path_effects=[halo],
            zorder=6,
            in_layout=False,
        )
        distance = _find_place(note, ax.bbox, taken)
        taken.append(note.get_window_extent())
        if distance > LEADER_FROM:
            ax.annotate(
                "",
                (across, up),
                note.get_position(),
                textcoords="offset points",
                arrowprops={"arrowstyle": "-", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3},
                zorder=5,
                in_layout=False,
            )


def _find_place(note: Annotation, room: Bbox, taken: list[Bbox]) -> float:
    """Move a note to the first free place, or to where it covers the least; gives the distance."""
    least, best = np.inf, (DISTANCES[0], DIRECTIONS[0])
    for distance, direction in product(DISTANCES, DIRECTIONS):
        _move(note, distance, direction)
        covered = _covered(note.get_window_extent(), room, taken)
        if covered < least:
            least, best = covered, (distance, direction)
        if covered == 0.0:
            break
    _move(note, *best)
    return best[0]


def _move(note: Annotation, distance: float, direction: tuple[int, int]) -> None:
    across, up = direction
    length = distance / np.hypot(across, up)
    note.set_position((across * length, up * length))
    note.set(ha=ACROSS[across], va=UP[up])


def _covered(box: Bbox, room: Bbox, taken: Sequence[Bbox]) -> float:
    """Give the area that a box takes from others, and what of it lies outside the room."""
    outside = max(0.0, box.width * box.height - _common(box, room))
    return outside + sum(_common(box, other) for other in taken)


def _common(one: Bbox, other: Bbox) -> float:
    common = Bbox.intersection(one, other)
    return 0.0 if common is None else float(common.width * common.height)
