"""Scatter-plot matrix of pairwise Pareto fronts."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from moselect.metrics.objectives import check_objectives, objective_named
from moselect.plots.panels import COINCIDENT, DrawnFront, Panels
from moselect.plots.style import (
    LINE_COLOURS,
    MARKERS,
    OTHERS_COLOUR,
    frame,
    new_figure,
    plain,
)
from moselect.search.front import Front

# Sides of a panel in inches, of few panels the larger one, and of two objectives.
PANEL = 1.75
LARGE_PANEL = 2.3
ONLY_PANEL = 4.6
Fronts = Front | pd.DataFrame | Mapping[str, pd.DataFrame | Front]


def pairwise_fronts(
    objectives: Fronts,
    *,
    chance: pd.Series | None = None,
    holdout: pd.DataFrame | None = None,
    marked: pd.DataFrame | None = None,
) -> Figure:
    """Draw one front or several as a matrix of the fronts of all pairs of objectives.

    Below the diagonal are the training values, with the Pareto front of the two
    objectives of the panel in colour. Above it, on axes of their own, are the held-out
    values of the same models, with the members of the mirrored training front in colour;
    or, without held-out values, the rank correlation of the two objectives over all
    models. Two objectives have one panel of training values, and one of held-out values,
    if any. Several fronts have a colour each.

    Parameters
    ----------
    objectives : Front, DataFrame of shape (k, m), or mapping of str to such
        A front of a search, or training values, one row per model, all maximised; at least
        two columns. A mapping holds up to six fronts, keyed by their names for the legend.
    chance : Series of shape (m,), optional
        Values attained without features; drawn where within the axis limits. Defaults
        to the values of a `Front`.
    holdout : DataFrame of shape (k, m), optional
        The same objectives of the same models on held-out rows, or as
        expected out of sample, for a single front.
    marked : DataFrame of shape (any, m), optional
        Training values of models to point out, such as a selected one and the ready-made
        ones; its index holds the names for the legend, and rows of the same name share a
        marker.

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If a front is empty, there are more than six, a column is unknown, or the tables
        do not fit each other or hold values that are not finite.

    References
    ----------
    Waegeman, De Baets and Boullart, "ROC analysis in ordinal regression learning", Pattern
    Recognition Letters 29 (2008), figure 8.

    Examples
    --------
    >>> front = pd.DataFrame({"accuracy": [0.7, 0.6, 0.5], "vus": [0.40, 0.45, 0.55]})
    >>> figure = pairwise_fronts(front, chance=pd.Series({"accuracy": 0.4, "vus": 1 / 6}))
    >>> len(figure.axes)
    1
    >>> figure = pairwise_fronts({"short search": front - 0.1, "long search": front})
    >>> [text.get_text() for text in figure.legends[0].get_texts()]
    ['short search (3 models)', 'long search (3 models)']
    """
    panels = _panels(objectives, chance, holdout, marked)
    if len(panels.names) == 2:
        return _of_two(panels)
    m = len(panels.names)
    side = m * (LARGE_PANEL if m < 4 else PANEL)
    figure = new_figure(side + 1.0, side + 1.0)
    axes = figure.subplots(m, m, squeeze=False)
    draw_above = panels.draw_holdout
    if panels.holdout is None:
        draw_above = panels.draw_correlation
    for i, y in enumerate(panels.names):
        for j, x in enumerate(panels.names):
            if i == j:
                panels.draw_name(axes[i, i], x)
            else:
                (panels.draw_training if i > j else draw_above)(axes[i, j], x, y)
    frame(figure, axes.T.flat, "")
    return figure


def _of_two(panels: Panels) -> Figure:
    """Draw the fronts of two objectives, the first one across."""
    draw = [panels.draw_training]
    if panels.holdout is not None:
        draw.append(panels.draw_holdout)
    figure = new_figure(ONLY_PANEL * len(draw), ONLY_PANEL)
    axes = figure.subplots(1, len(draw), squeeze=False)[0]
    x, y = panels.names
    for ax, draw_panel in zip(axes, draw, strict=True):
        draw_panel(ax, x, y)
        ax.set_xlabel(objective_named(x).symbol)
        ax.set_ylabel(objective_named(y).symbol)
    frame(figure, axes, "")
    return figure


def _panels(
    objectives: Fronts,
    chance: pd.Series | None,
    holdout: pd.DataFrame | None,
    marked: pd.DataFrame | None,
) -> Panels:
    """Validate the tables of one or several fronts."""
    if chance is None and isinstance(objectives, Front):
        chance = objectives.chance
    several = isinstance(objectives, Mapping)
    if not isinstance(objectives, Mapping):  # a single front
        objectives = {"": objectives}
    tables = {
        name: each.objectives if isinstance(each, Front) else each
        for name, each in objectives.items()
    }
    if not 1 <= len(tables) <= len(LINE_COLOURS):
        raise ValueError(
            f"objectives has {len(tables)} fronts: from 1 to {len(LINE_COLOURS)} can be drawn"
        )
    known = check_objectives([*next(iter(tables.values()))])
    checked = [_checked("objectives", table, known) for table in tables.values()]
    names = distinct(pd.concat(checked))
    if len(names) < 2:
        names = list(known)
    fronts = []
    looks = zip(tables, checked, LINE_COLOURS, MARKERS, strict=False)
    for name, table, colour, marker in looks:
        label = "Pareto front of the two objectives"
        pale = OTHERS_COLOUR
        if several:
            label = f"{plain(name)} ({len(table):,} model{'s' * (len(table) > 1)})"
            pale = colour
        fronts.append(DrawnFront(table[names], label, colour, pale, marker))
    points = pd.DataFrame(columns=names, dtype=float)
    if holdout is not None:
        holdout = _checked("holdout", holdout, known)[names]
        if [len(holdout)] != [*map(len, checked)]:
            raise ValueError(
                f"holdout has {len(holdout)} rows, but must have one for each model of one front"
            )
    if chance is not None:
        chance = _checked("chance", chance.to_frame().T, known).iloc[0]
    if marked is not None:
        points = _checked("marked", marked, known)[names].rename(index=plain)
    return Panels(fronts, holdout, chance, points)


def distinct(values: pd.DataFrame) -> list[str]:
    """Drop measures that coincide with an earlier one, as for two classes."""
    names: list[str] = []
    for name, column in values.items():
        if not (values[names].sub(column, axis=0).abs().max() < COINCIDENT).any():
            names.append(str(name))
    return names


def _checked(what: str, table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Validate the columns of a table, finite and in any order, and sort them by ``names``."""
    values = table.reindex(columns=[*names]).astype(float)
    if values.empty or not np.isfinite(values.to_numpy()).all():
        raise ValueError(f"{what} needs rows of finite values of {', '.join(names)}")
    return values
