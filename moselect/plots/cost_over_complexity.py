"""What models cost on new data over how complex they are."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator
from numpy.typing import ArrayLike

from moselect.comparison import Comparison
from moselect.decision import Costs
from moselect.plots.names import OTHERS_COLOUR, TRAINING_COLOUR, short_name
from moselect.plots.new_figure import new_axes
from moselect.plots.number_text import write_in_full
from moselect.plots.point_names import name_points

TICKS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


def cost_over_complexity(
    comparison: Comparison,
    costs: Costs | ArrayLike | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the cost of models on held-out samples over their number of terms.

    Simple models are on the left, cheap ones at the bottom. Models that are no sum of terms, such
    as trees and pools, stand in a column of their own on the right. In colour are those whose cost
    is not significantly above the least. Bars reach one standard error of the paired difference
    from the cheapest model to either side.

    Parameters
    ----------
    comparison : Comparison
        What `moselect.compare` returned.
    costs : Costs or array-like, optional
        As in `Comparison.kinds`.
    ax : Axes, optional
        Where to draw, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If costs do not fit the classes, or every model failed.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> found = moselect.compare(["trivial", "ordinal_ridge"], X, y, cv=2, random_state=1)
    >>> ax = cost_over_complexity(found)
    >>> ax.get_ylabel()
    'cost of a sample on new data'
    """
    kinds = comparison.kinds(costs)
    if ax is None:
        ax = new_axes(7.0, 4.8)
    counted = kinds["terms"].notna()
    most = float(kinds["terms"].max()) if counted.any() else 1.0
    apart = 3.0 * (most + 1.0)  # on an axis that is logarithmic in terms + 1
    x = (kinds["terms"] + 1.0).where(counted, apart)
    for alike, colour, label in (
        (True, TRAINING_COLOUR, "may cost least"),
        (False, OTHERS_COLOUR, "costs significantly more"),
    ):
        chosen = kinds["significant"] != alike
        if not chosen.any():
            continue
        ax.errorbar(
            x[chosen],
            kinds.loc[chosen, "cost"],
            yerr=kinds.loc[chosen, "standard error of difference"],
            linestyle="none",
            marker="o",
            markersize=6.0,
            markeredgewidth=0,
            color=colour,
            elinewidth=0.7,
            ecolor=(colour, 0.45),
            zorder=3,
            label=label,
        )
    ax.set_xscale("log")
    ticks = [tick for tick in TICKS if tick <= most] if counted.any() else []
    at = [tick + 1.0 for tick in ticks]
    names = [f"{tick:,}" for tick in ticks]
    if not counted.all():
        ax.axvline(np.sqrt(apart * (most + 1.0)), color=OTHERS_COLOUR, linewidth=0.7)
        at, names = [*at, apart], [*names, "no sum\nof terms"]
    ax.xaxis.set_major_locator(FixedLocator(at))
    ax.xaxis.set_minor_locator(FixedLocator([]))
    ax.set_xticklabels(names)
    ax.margins(0.12)
    ax.set_xlabel("number of terms")
    ax.set_ylabel("cost of a sample on new data")
    write_in_full(ax.yaxis)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, frameon=False, fontsize=8)
    name_points(ax, x, kinds["cost"], [short_name(name) for name in kinds.index])
    return ax
