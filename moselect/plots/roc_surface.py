"""The ROC surface of three classes in three dimensions."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from mpl_toolkits.mplot3d import Axes3D
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect.metrics import ROCSurface
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    MARK_COLOURS,
    new_figure,
    short_name,
    width_of,
)

HIDDEN: dict[str, Any] = {"color": HOLDOUT_COLOUR, "linestyle": "--", "linewidth": 1.1}
MOST_LINES = 60  # of the grid, in each direction; more look the same and take seconds
LETTER = 0.6  # width of a letter, in its size


def roc_surface(
    surface: ROCSurface, point: ArrayLike | None = None, *, ax: Axes3D | None = None
) -> Axes3D:
    """Draw a ROC surface of three classes.

    Each point of the surface is what two thresholds give: the share of each class that is
    predicted as itself. A large surface is thinned for drawing; the volume in the title is that of
    all of it.

    Parameters
    ----------
    surface : ROCSurface
        Of r = 3 classes, from `moselect.metrics.roc_surface`.
    point : array-like of shape (3,), optional
        The operating point to mark: true positive rates, lowest class first, from 0 to 1, such as
        ``sklearn.metrics.recall_score(y, model.predict(X), average=None)``.
    ax : Axes3D, optional
        Where to draw, instead of a new figure; of ``projection="3d"``.

    Returns
    -------
    Axes3D

    Raises
    ------
    ValueError
        If the surface is not one of three classes, the point not three rates, or ``ax`` flat.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), ROC analysis in ordinal regression learning, Pattern
    Recognition Letters 29, 1-9, theorem 3.1.

    Examples
    --------
    >>> import moselect
    >>> surface = moselect.metrics.roc_surface([1, 1, 2, 3], [0.1, 0.3, 0.2, 0.4])
    >>> ax = roc_surface(surface, point=[0.5, 1.0, 1.0])
    >>> ax.get_title()
    'volume under the surface 0.500 (chance 0.167)'
    """
    r = len(surface.classes)
    if r != 3:
        raise ValueError(f"the surface is of {r} classes, but only one of 3 can be drawn")
    rates = None if point is None else np.asarray(point, dtype=np.float64)
    if rates is not None and not (rates.shape == (3,) and ((rates >= 0) & (rates <= 1)).all()):
        raise ValueError(
            f"point must be three true positive rates from 0 to 1, got {rates.tolist()}"
        )
    if ax is None:
        ax = new_figure(6.4, 6.0, layout="constrained").add_subplot(projection="3d")
    elif not isinstance(ax, Axes3D):
        raise ValueError('ax is flat: make it with projection="3d"')
    all_rates = surface.true_positive_rates
    lines = [np.unique(np.linspace(0, n - 1, MOST_LINES, dtype=int)) for n in all_rates.shape[:2]]
    ax.computed_zorder = False  # or the surface would hide the point
    ax.plot_surface(
        *np.moveaxis(all_rates[np.ix_(*lines)], -1, 0),
        rcount=MOST_LINES,
        ccount=MOST_LINES,
        cmap="viridis",
        vmin=0.0,
        vmax=1.0,
    )
    if rates is not None:
        _draw_point(ax, rates)
    for axis, label in zip((ax.xaxis, ax.yaxis, ax.zaxis), surface.classes, strict=True):
        axis.set_label_text(f"recall of class {short_name(label)}", fontsize=9)
        axis.set_ticks([0.2, 0.4, 0.6, 0.8])
        axis.set_pane_color((mpl.rcParams["text.color"], 0.04))
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), zlim=(0.0, 1.0))
    title = f"volume under the surface {surface.volume:.3f} (chance {1 / 6:.3f})"
    ax.set_title(title, fontsize=min(12.0, 72.0 * width_of(ax) / (LETTER * len(title))))
    ax.set_box_aspect(None, zoom=0.92)
    ax.view_init(elev=25.0, azim=45.0)
    return ax


def _draw_point(ax: Axes3D, rates: Floats) -> None:
    """Draw a point and the lines that lead from it to the floor and the walls."""
    for axis in range(3):
        foot = rates.copy()
        foot[axis] = 0.0
        ax.plot(*np.stack([foot, rates], axis=1), zorder=4, **HIDDEN)
    label = f"operating point: {rates[0]:.2f}, {rates[1]:.2f}, {rates[2]:.2f}"
    ax.plot(*rates[:, None], "*", label=label, markersize=15, color=MARK_COLOURS[0], zorder=5)
    ax.legend(frameon=False, fontsize=9)
