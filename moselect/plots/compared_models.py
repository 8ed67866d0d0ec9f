"""Scatter plot of compared models by two measures."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from moselect.comparison import MEASURES, Comparison
from moselect.metrics.objectives import short_measure
from moselect.plots.labels import name_points
from moselect.plots.style import (
    OTHERS_COLOUR,
    POINTS,
    TRAINING_COLOUR,
    lay_out,
    legend_above,
    new_axes,
    short_name,
    write_in_full,
)


def model_front(
    comparison: Comparison,
    x: str = "mean_absolute_error",
    y: str = "vus",
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the means of two measures of all models, better to the right and upwards.

    The Pareto front of the two measures is coloured and joined. Error bars show one
    standard deviation over the folds. Most of this variation is common to all models, so
    overlapping bars do not imply that a difference is due to chance; `Comparison.costs`
    has paired intervals of the excess cost. Outliers to the worse side are not drawn but
    listed above the plot.

    Parameters
    ----------
    comparison : Comparison
        Result of `moselect.compare`.
    x, y : str
        Names of two measures, whether or not its table has them.
    ax : Axes, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a measure is unknown, both are the same, or no model has values of both.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> names = ["always_one_class", "ordinal_ridge"]
    >>> comparison = moselect.compare(names, X, y, cv=2, random_state=1)
    >>> ax = model_front(comparison, "accuracy", "u_ovo")
    >>> [text.get_text() for text in ax.texts]
    ['ordinal_ridge', 'always_one_class']
    """
    if x == y:
        raise ValueError(f"x and y are both {x}: give two measures")
    table = comparison.measured([x, y]).dropna(subset=[(x, "mean"), (y, "mean")])
    if table.empty:
        raise ValueError(f"no model has values of both {x} and {y}")
    ax = ax or new_axes(7.0, 4.8)
    front = comparison.front([x, y])
    best = table.loc[front].sort_values((x, "mean"))
    others = table.drop(index=front)
    far = others.index[_is_far(others, table, x) | _is_far(others, table, y)]
    others = others.drop(index=far)
    out_of_sight = f" (not shown: {', '.join(map(short_name, far))})" if len(far) else ""
    for part, colour, entry in (
        (others, OTHERS_COLOUR, f"others{out_of_sight}"),
        (best, TRAINING_COLOUR, "Pareto front"),
    ):
        ax.errorbar(
            part[x, "mean"],
            part[y, "mean"],
            xerr=part[x, "sd"].fillna(0.0),
            yerr=part[y, "sd"].fillna(0.0),
            color=colour,
            ecolor=(colour, 0.45),
            elinewidth=0.7,
            markersize=6.0,
            zorder=3,
            label=entry,
            **POINTS,
        )
    ax.plot(
        best[x, "mean"], best[y, "mean"], color=TRAINING_COLOUR, linewidth=1.2, zorder=2
    )
    ax.margins(0.12)
    for name, axis in ((x, ax.xaxis), (y, ax.yaxis)):
        lower = MEASURES[name].sign < 0.0
        axis.set_inverted(lower)
        axis.set_label_text(short_measure(name) + " (lower is better)" * lower)
        write_in_full(axis)
    ax.set_xlabel(f"{ax.get_xlabel()}\nbars: standard deviation over folds")
    legend_above(ax)
    shown = pd.concat([best, others])
    lay_out(ax)
    name_points(
        ax, shown[x, "mean"], shown[y, "mean"], [short_name(n) for n in shown.index]
    )
    return ax


def _is_far(others: pd.DataFrame, table: pd.DataFrame, measure: str) -> pd.Series:
    """Flag outliers to the worse side by Tukey's fence."""
    sign = MEASURES[measure].sign
    low, high = (sign * table[measure, "mean"]).quantile([0.25, 0.75])
    return sign * others[measure, "mean"] < low - 1.5 * (high - low)
