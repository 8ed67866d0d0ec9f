"""The level of the target along one ranking or several."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from moselect.metrics import RankingCurve
from moselect.plots.style import new_axes, of_named, with_minus


def ranking_curve(
    curves: RankingCurve | Mapping[str, RankingCurve], *, ax: Axes | None = None
) -> Axes:
    """Draw the level of the target in each bucket of a ranking, and its bootstrap band.

    A good ranking rises from low to high; a random one stays about the dashed line, the mean of
    all buckets.

    Parameters
    ----------
    curves : RankingCurve or mapping of str to RankingCurve
        From `moselect.metrics.ranking_curve`, with ``n_bootstrap`` for the band; or up to six of
        the same samples by the names of their rankings, for the legend.
    ax : Axes, optional
        Where to draw, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there are no curves or more than six.

    Examples
    --------
    >>> import moselect
    >>> curve = moselect.metrics.ranking_curve([1, 2, 2, 3], [0.1, 0.3, 0.2, 0.4], n_buckets=2)
    >>> ax = ranking_curve(curve)
    >>> ax.lines[0].get_ydata()
    array([1.5, 2.5])
    """
    named = of_named(curves, "curves")
    ax = ax or new_axes(6.4, 4.4)
    for name, curve, colour, line in named:
        rise = with_minus(f"last - first {curve.difference:.3g}")
        ax.plot(
            curve.positions,
            curve.values,
            color=colour,
            linestyle=line,
            marker="o",
            markersize=4.0,
            label=f"{name}: {rise}" if name else rise,
        )
        if curve.lower is not None and curve.upper is not None:
            ax.fill_between(
                curve.positions, curve.lower, curve.upper, color=colour, alpha=0.18, linewidth=0
            )
    level = named[0][1].values.mean()
    style = {"color": mpl.rcParams["text.color"], "linestyle": "--", "linewidth": 0.9, "alpha": 0.6}
    ax.axhline(level, label=with_minus(f"mean of all buckets {level:.3g}"), **style)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="bucket of the ranking, lowest scores first", ylabel="level of the target")
    ax.legend(frameon=False, fontsize=9)
    return ax
