"""Scatter plot of compared models by two measures."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import matplotlib as mpl
import moocore
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike

from moselect.metrics.objectives import short_measure
from moselect.metrics.scorers import find_measures
from moselect.plots.style import (
    IN_FULL,
    OTHERS_COLOUR,
    POINTS,
    TRAINING_COLOUR,
    lay_out,
    legend_above,
    new_axes,
    short_name,
    with_minus,
)
from moselect.selection import Evidence

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


class Measured(NamedTuple):
    """Values of a measure for all models, and half-widths of their error bars."""

    values: pd.Series
    errors: pd.Series
    label: str
    sign: float  # -1 if lower is better


def model_front(
    evidence: Evidence,
    x: str = "cost",
    y: str = "vus",
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw all models by mean cost and a measure, or two measures; right and up is better.

    The Pareto front of the two is coloured and joined. Error bars show one standard error
    of a cost, and one standard deviation over the folds of other measures. Most of this
    variation is common to all models, so overlapping bars do not imply that a difference
    is due to chance; `Evidence.candidates` has paired intervals of the excess cost. Outliers
    to the worse side are not drawn but listed above the plot.

    Parameters
    ----------
    evidence : Evidence
        Result of `moselect.compare`.
    x, y : str
        Names of two measures, as in `Evidence.fold_measures`; ``"cost"`` is the mean cost,
        or the metric, of `Evidence.candidates`.
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
    >>> evidence = moselect.compare(names, X, y, cv=2, random_state=1)
    >>> ax = model_front(evidence, "accuracy", "u_ovo")
    >>> [text.get_text() for text in ax.texts]
    ['ordinal_ridge', 'always_one_class']
    """
    if x == y:
        raise ValueError(f"x and y are both {x}: give two measures")
    measures = [_measured(evidence, name) for name in (x, y)]
    columns = {"x": measures[0].values, "y": measures[1].values}
    table = pd.DataFrame(columns).dropna()
    if table.empty:
        raise ValueError(f"no model has values of both {x} and {y}")
    ax = ax or new_axes(7.0, 4.8)
    gains = table * [measure.sign for measure in measures]
    on_front = moocore.is_nondominated(gains.to_numpy(), maximise=True, keep_weakly=True)
    best = table[on_front].sort_values("x")
    others = table[~on_front]
    # Tukey's fences: points far to the worse side would set the scale.
    lower = gains.quantile(0.25)
    upper = gains.quantile(0.75)
    is_far = (gains < lower - 1.5 * (upper - lower)).any(axis=1)
    far = others.index[is_far[others.index]]
    others = others.drop(index=far)
    excluded = f" (not shown: {', '.join(map(short_name, far))})" if len(far) else ""
    for part, colour, entry in (
        (others, OTHERS_COLOUR, f"others{excluded}"),
        (best, TRAINING_COLOUR, "Pareto front"),
    ):
        errors = [measure.errors.reindex(part.index).fillna(0.0) for measure in measures]
        ax.errorbar(
            part["x"],
            part["y"],
            xerr=errors[0],
            yerr=errors[1],
            color=colour,
            ecolor=(colour, 0.45),
            elinewidth=0.7,
            markersize=6.0,
            zorder=3,
            label=entry,
            **POINTS,
        )
    ax.plot(best["x"], best["y"], color=TRAINING_COLOUR, linewidth=1.2, zorder=2)
    ax.margins(0.12)
    ax.ticklabel_format(**IN_FULL)
    for measure, axis in zip(measures, (ax.xaxis, ax.yaxis), strict=True):
        axis.set_inverted(measure.sign < 0.0)
        axis.set_label_text(measure.label)
    legend_above(ax)
    shown = pd.concat([best, others])
    lay_out(ax)
    name_points(ax, shown["x"], shown["y"], [short_name(name) for name in shown.index])
    return ax


def _measured(evidence: Evidence, name: str) -> Measured:
    """Compute a measure, or the cost, of all models with its error bars and axis label."""
    if name == "cost":
        table = evidence.candidates
        values = table[evidence.value]
        errors = table["std_error"]
        sign = -1.0 if evidence.evaluations.lower_is_better else 1.0
        label = "mean cost" if evidence.value == "cost" else evidence.value_label
        bars = "one standard error"
    else:
        (measure,) = find_measures([name])
        figures = evidence.fold_measures([name]).summary[name]
        values = figures["mean"]
        errors = figures["sd"]
        sign = measure.sign
        label = with_minus(short_measure(name))
        bars = "sd over folds"
    lower = " (lower is better)" if sign < 0.0 else ""
    return Measured(values, errors, f"{label}{lower}; bars: {bars}", sign)
