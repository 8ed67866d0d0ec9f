"""Placement of labels beside points without overlap."""

from collections.abc import Sequence
from itertools import product

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike

RADIUS = 4.0  # of a marker, in points
ACROSS = {1: "left", 0: "center", -1: "right"}
UP = {1: "bottom", 0: "center", -1: "top"}


def name_points(ax: Axes, x: ArrayLike, y: ArrayLike, names: Sequence[str]) -> None:
    """Label points such that labels cover neither each other nor any point.

    Labels are placed greedily in order. The position of the axes must be final
    (`lay_out`). Some labels overlap where there are too many of them.
    """
    radius = RADIUS * ax.figure.dpi / 72.0
    places = np.column_stack([x, y])
    taken = [Bbox([p - radius, p + radius]) for p in ax.transData.transform(places)]
    halo = withStroke(linewidth=2.0, foreground=mpl.colors.to_hex(ax.get_facecolor()))
    # points
    font_size = 8.5
    # points; beyond this distance a leader line joins label and point
    leader_from = 8.0
    # from a point to its name, in points
    distances = (5.0, 9.0, *range(15, 200, 10))
    directions = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
    for name, place in zip(names, places.tolist(), strict=True):
        note = ax.annotate(
            name,
            place,
            (0.0, 0.0),
            textcoords="offset points",
            fontsize=font_size,
            path_effects=[halo],
            zorder=6,
            in_layout=False,
        )
        for distance, way in product(distances, directions):
            _place(note, distance, way)
            box = note.get_window_extent()
            if ax.bbox.count_contains(box.corners()) == 4 and not box.count_overlaps(
                taken
            ):
                break
        else:
            _place(note, distances[0], directions[0])
        taken.append(note.get_window_extent())
        if np.hypot(*note.get_position()) > leader_from:
            ax.annotate(
                "",
                place,
                note.get_position(),
                textcoords="offset points",
                arrowprops={
                    "arrowstyle": "-",
                    "linewidth": 0.6,
                    "shrinkA": 0,
                    "shrinkB": 3,
                },
                zorder=5,
                in_layout=False,
            )


def _place(note: Annotation, distance: float, way: tuple[int, int]) -> None:
    """Place a label at a distance and in a direction from its point."""
    across, up = way
    length = distance / np.hypot(across, up)
    note.set(position=(across * length, up * length), ha=ACROSS[across], va=UP[up])
