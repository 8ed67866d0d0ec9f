"""Scatter-plot matrix of pairwise Pareto fronts."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from moselect.plots.pairs import find_pairs
from moselect.plots.panels import draw_correlation, draw_holdout, draw_name, draw_training
from moselect.plots.style import frame, new_figure


def pairwise_fronts(
    objectives: pd.DataFrame | Mapping[str, pd.DataFrame],
    *,
    chance: pd.Series | None = None,
    holdout: pd.DataFrame | None = None,
    marked: pd.DataFrame | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Draw one front or several as a matrix of the fronts of all pairs of objectives.

    Below the diagonal are the training values, with the Pareto front of the two
    objectives of the panel in colour. Above it, on axes of their own, are the held-out
    values of the same models, with the members of the mirrored training front in colour;
    or, without held-out values, the rank correlation of the two objectives over all
    models. Several fronts have a colour each.

    Parameters
    ----------
    objectives : DataFrame of shape (k, m), or mapping of str to such
        Training values, one row per model, all maximised; at least two columns.
        A mapping holds up to six fronts, keyed by their names for the legend.
    chance : Series of shape (m,), optional
        Values attained without features; drawn where within the axis limits.
    holdout : DataFrame of shape (k, m), optional
        The same objectives of the same models on held-out rows, or as
        expected out of sample, for a single front.
    marked : DataFrame of shape (any, m), optional
        Training values of models to point out, such as a selected one and the ready-made
        ones; its index holds the names for the legend, and rows of the same name share a
        marker.
    figure : Figure, optional
        An empty figure to draw into, instead of a new one of fitting size.

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
    Waegeman, De Baets and Boullart, "ROC analysis in ordinal regression learning",
    Pattern
    Recognition Letters 29 (2008), figure 8.

    Examples
    --------
    >>> front = pd.DataFrame({"accuracy": [0.7, 0.6, 0.5], "vus": [0.40, 0.45, 0.55]})
    >>> figure = pairwise_fronts(front, chance=pd.Series({"accuracy": 0.4, "vus": 1 / 6}))
    >>> len(figure.axes)
    4
    >>> figure = pairwise_fronts({"short search": front - 0.1, "long search": front})
    >>> [text.get_text() for text in figure.legends[0].get_texts()]
    ['short search (3 models)', 'long search (3 models)']
    """
    pairs = find_pairs(objectives, chance, holdout, marked)
    m = len(pairs.names)
    if figure is None:
        # Lengths in inches.
        panel = 1.75
        large_panel = 2.3
        side = m * (large_panel if m < 4 else panel)
        figure = new_figure(side + 1.0, side + 1.0)
    axes: Any = figure.subplots(m, m, squeeze=False)
    draw_above = draw_correlation if pairs.holdout is None else draw_holdout
    for i, j in np.ndindex(m, m):
        if i == j:
            draw_name(axes[i, i], pairs, i)
        else:
            (draw_training if i > j else draw_above)(axes[i, j], pairs, i, j)
    handles = {
        label: handle
        for ax in axes.T.flat
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    frame(figure, ([*handles.values()], [*handles]), "")
    return figure
