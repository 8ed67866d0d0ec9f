"""The models of a comparison by two measures, and those that no other one dominates."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from moselect.comparison import MEASURES, Comparison
from moselect.comparison.text import short_measure
from moselect.plots.names import OTHERS_COLOUR, TRAINING_COLOUR, short_name
from moselect.plots.new_figure import new_axes
from moselect.plots.number_text import write_in_full
from moselect.plots.point_names import name_points


def model_front(
    comparison: Comparison,
    x: str = "mean_absolute_error",
    y: str = "vus",
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the means of two measures of all models, better to the right and upwards.

    In colour, and joined, are the models that no other one dominates in these two. Bars reach one
    standard deviation of the folds to either side; most of it is shared by all models, so bars that
    overlap do not mean that a difference is due to chance: `Comparison.test` tells. Models that are
    so much worse than the rest that they would squeeze the picture are named above it.

    Parameters
    ----------
    comparison : Comparison
        What `moselect.compare` gave.
    x, y : str
        Names of two measures, of its table or not.
    ax : Axes, optional
        Where to draw, instead of a new figure.

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
    >>> found = moselect.compare(["trivial", "ordinal_ridge"], X, y, cv=2, random_state=1)
    >>> ax = model_front(found, "accuracy", "u_ovo")
    >>> [text.get_text() for text in ax.texts]
    ['ordinal_ridge', 'trivial']
    """
    if x == y:
        raise ValueError(f"x and y are both {x}: give two measures")
    table = comparison.measured([x, y]).dropna(subset=[(x, "mean"), (y, "mean")])
    if table.empty:
        raise ValueError(f"no model has values of both {x} and {y}")
    if ax is None:
        ax = new_axes(7.0, 4.8)
    front = comparison.front([x, y])
    best = table.loc[front].sort_values((x, "mean"))
    others = table.drop(index=front)
    far = others.index[_is_far(others, table, x) | _is_far(others, table, y)]
    others = others.drop(index=far)
    out_of_sight = f" (out of sight: {', '.join(map(short_name, far))})" if len(far) else ""
    _draw(ax, others, x, y, OTHERS_COLOUR, f"others{out_of_sight}")
    _draw(ax, best, x, y, TRAINING_COLOUR, "not dominated")
    ax.plot(best[x, "mean"], best[y, "mean"], color=TRAINING_COLOUR, linewidth=1.2, zorder=2)
    ax.margins(0.12)
    for name, invert, label in (
        (x, ax.invert_xaxis, ax.set_xlabel),
        (y, ax.invert_yaxis, ax.set_ylabel),
    ):
        if MEASURES[name].higher_is_better:
            label(short_measure(name))
        else:
            invert()
            label(f"{short_measure(name)} (lower is better)")
    for axis in (ax.xaxis, ax.yaxis):
        write_in_full(axis)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, frameon=False, fontsize=8)
    shown = pd.concat([best, others])
    name_points(ax, shown[x, "mean"], shown[y, "mean"], [short_name(n) for n in shown.index])
    return ax


def _is_far(others: pd.DataFrame, table: pd.DataFrame, measure: str) -> pd.Series:
    """Find which models are outliers to the worse side, by Tukey's fence."""
    sign = MEASURES[measure].sign
    low, high = (sign * table[measure, "mean"]).quantile([0.25, 0.75])
    return sign * others[measure, "mean"] < low - 1.5 * (high - low)


def _draw(ax: Axes, table: pd.DataFrame, x: str, y: str, colour: str, label: str) -> None:
    """Draw means as points, with a bar for each sd that is known."""
    ax.errorbar(
        table[x, "mean"],
        table[y, "mean"],
        xerr=table[x, "sd"].fillna(0.0),
        yerr=table[y, "sd"].fillna(0.0),
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
