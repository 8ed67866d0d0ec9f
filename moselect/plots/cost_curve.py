"""How the selected rule changes as mistakes on one class cost more."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from moselect.decision import CostSensitivity
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    LINE_STYLES,
    OTHERS_COLOUR,
    new_axes,
    set_log_x,
    short_names,
)

LONGEST_CLASS = 14


def cost_curve(curve: CostSensitivity, *, ax: Axes | None = None) -> Axes:
    """Draw how the rule for given costs changes as mistakes on one class cost more.

    Lines show the recall of every class, from dark to bright as the classes rise; the share of
    samples that are predicted as the class that costs more; and the expected cost as a share of
    that of the trivial class. All figures are cross-validated.

    Parameters
    ----------
    curve : CostSensitivity
        From `moselect.decision.cost_sensitivity`.
    ax : Axes, optional
        Where to draw, instead of a new figure. The legend stands to its right;
        ``layout="constrained"`` makes room for it.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import moselect
    >>> from moselect.decision import cost_sensitivity
    >>> X, y = moselect.datasets.load_boston()
    >>> ax = cost_curve(cost_sensitivity(X, y, 5, factors=[1, 10]))
    >>> recall = ax.lines[4].get_ydata()
    >>> bool(recall[1] > recall[0])
    True
    """
    ax = ax or new_axes(7.0, 4.8)
    names = short_names(curve.classes, LONGEST_CLASS)
    (dearer,) = np.flatnonzero(curve.classes == curve.label)
    lines = []
    for k, colour in enumerate(_sequential(len(names))):
        style: dict[str, Any] = {
            "color": colour,
            "linewidth": 1.5,
            "linestyle": LINE_STYLES[k % len(LINE_STYLES)],
        }
        if k == dearer:
            style = {"color": HOLDOUT_COLOUR, "linewidth": 2.8, "zorder": 3}
        lines += ax.plot(curve.factors, curve.recalls[:, k], label=f"class {names[k]}", **style)
    style = {"color": HOLDOUT_COLOUR, "linestyle": "--"}
    label = f"predicted as {names[dearer]}"
    lines += ax.plot(curve.factors, curve.predicted, label=label, **style)
    style = {"color": OTHERS_COLOUR, "linestyle": ":", "linewidth": 2.0}
    lines += ax.plot(curve.factors, curve.relative_cost, label="cost / trivial cost", **style)
    set_log_x(ax, *curve.factors[[0, -1]])
    ax.set(
        xlim=curve.factors[[0, -1]],
        ylim=(0.0, 1.05 * max(1.0, curve.relative_cost.max())),
        xlabel=f"cost factor of class {names[dearer]}",
        ylabel="recall, cross-validated",
    )
    by_end = sorted(lines, key=lambda line: -np.asarray(line.get_ydata())[-1])
    place: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}
    ax.legend(handles=by_end, frameon=False, fontsize=8.5, handlelength=3.0, **place)
    return ax


def _sequential(n: int) -> Any:
    """Return colours that rise in brightness and stand out from the ground of the axes."""
    dark = sum(to_rgb(mpl.rcParams["axes.facecolor"])) < 1.5
    return mpl.colormaps["viridis"](np.linspace(*((0.35, 1.0) if dark else (0.0, 0.72)), n))
