"""Effects of features: permutation importance and accumulated local effects."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from moselect.inspection.explanation import RANK, Explanation
from moselect.plots.style import (
    TRAINING_COLOUR,
    draw_band,
    panels_of,
    short_name,
    short_names,
)

Z_MARGIN = 2.0  # half-width of bars and bands in standard errors
# Letters of a level.
LONGEST_LEVEL = 14


def effects(explanation: Explanation, *, n_features: int = 8) -> Figure:
    """Draw permutation importance and accumulated local effects.

    The first panel has the cross-validated permutation importance (increase in cost). The
    others, in its order, have accumulated local effects on the expected rank, centred
    over all samples. Bars and bands are two standard errors; the panels share one
    vertical axis, and the ticks at the bottom are quantiles of the feature.

    Parameters
    ----------
    explanation : Explanation
        Result of `ParetoSearch.explain`.
    n_features : int, default=8
        Maximum number of features drawn.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> [ax.get_title() for ax in effects(search.explain(model), n_features=2).axes]
    ['permutation importance', 'LSTAT', 'RM']
    """
    table = explanation.effects
    shown = list(table["feature"].unique())[:n_features] if len(table) else []
    figure, (first, *panels) = panels_of(len(shown) + 1)
    _draw_importance(first, explanation)
    for ax in panels[1:]:
        ax.sharey(panels[0])
    for ax, name in zip(panels, shown, strict=True):
        part = table[table["feature"] == name]
        line = part[["value", RANK, "std_error"]].astype(float)
        line["std_error"] *= Z_MARGIN
        where, effect, half_width = line.to_numpy().T
        if part["level"].notna().all():
            ax.errorbar(where, effect, yerr=half_width, fmt="o", color=TRAINING_COLOUR)
            names = short_names(part["level"], LONGEST_LEVEL)
            ax.set_xticks(where, names, rotation=90 if len(names) > 3 else 0)
        else:
            draw_band(ax, line, TRAINING_COLOUR)
            ax.plot(where, effect, color=TRAINING_COLOUR, linewidth=1.8)
            below = ax.get_xaxis_transform()
            ax.plot(where, np.zeros(len(where)), "|", color="0.5", transform=below)
        ax.axhline(0.0, color="0.7", linewidth=0.6, zorder=0)
        ax.set_title(short_name(name), fontsize=10)
        ax.tick_params(labelsize=8)
    figure.supylabel("effect on the expected rank", fontsize=9)
    return figure


def _draw_importance(ax: Axes, explanation: Explanation) -> None:
    most = explanation.importance.head(8).iloc[::-1]
    bars = Z_MARGIN * most["std_error"]
    ax.barh(range(len(most)), most["loss"], xerr=bars, color=TRAINING_COLOUR, height=0.6)
    ax.set_yticks(range(len(most)), short_names(most.index), fontsize=8)
    ax.tick_params(axis="x", labelsize=8)
    ax.set_title("permutation importance", fontsize=10)
    ax.set_xlabel(
        "increase in mean cost, cross-validated;\nbars: two standard errors",
        fontsize=8,
    )
