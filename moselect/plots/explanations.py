"""Effects of features: permutation importance, accumulated local effects and shape functions."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from moselect._types import Floats, Table
from moselect.inspection.explanation import RANK, Explanation
from moselect.models.proportional_odds import AdditiveOdds
from moselect.plots.style import (
    ACROSS,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    draw_band,
    panels_of,
    short_name,
    short_names,
)
from moselect.tables.features import feature_names

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


DENSITY = 0.18  # height of the density, as a share of the panel
LETTERS = 24  # of a line of a title


def shapes(model: AdditiveOdds, X: Table, *, n_terms: int = 9) -> Figure:
    """Draw the most important terms of an additive model, each in a panel.

    Curves are the contributions of a feature to the score, in log-odds, with mean 0 on the
    training samples. Bars at the bottom show the density of the samples, and thus where a
    curve rests on few of them. Products of two features are heat maps. Curves share one
    vertical axis.

    Parameters
    ----------
    model : AdditiveOdds
        A fitted model.
    X : array-like of shape (n, p)
        Features of its training data, for densities, ranges and importances.
    n_terms : int, default=9
        Maximum number of panels.

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If there are no terms to draw.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> from moselect.models import AdditiveOdds
    >>> X, y = load_boston()
    >>> figure = shapes(AdditiveOdds().fit(X, y), X, n_terms=4)
    >>> [ax.get_title() for ax in figure.axes if ax.get_title()]
    ['LSTAT', 'DIS', 'RM', 'AGE']
    """
    values = np.asarray(X, dtype=np.float64)
    p = values.shape[1]
    columns = model.columns_

    def contributions(rows: Floats) -> Floats:
        return columns.sum_terms(columns.columns_of(rows) * model.coef_)

    # Importance of a term: its mean absolute contribution.
    sizes = np.abs(contributions(values)).mean(axis=0)
    ranked = np.argsort(-sizes, kind="stable")
    terms = ranked[sizes[ranked] > 1e-9 * sizes.max()][:n_terms].tolist()
    if not terms:
        raise ValueError(
            "there are no terms to draw: n_terms must be positive, and a term must have an effect"
        )
    features = [[feature] for feature in range(p)] + columns.pairs_.tolist()
    grids = [_grid(values[:, features[term]]) for term in terms]
    added = []
    for term, grid in zip(terms, grids, strict=True):
        # All other features have their means.
        rows = np.tile(values.mean(axis=0), (len(grid), 1))
        rows[:, features[term]] = grid
        added.append(contributions(rows)[:, term])
    products = [np.abs(added[k]).max() for k, term in enumerate(terms) if term >= p]
    names = columns.get_term_names(feature_names(X)).tolist()
    titles = short_names((names[term] for term in terms), LETTERS)
    figure, axes = panels_of(len(terms))
    curves: list[Axes] = []
    for place, (ax, term) in enumerate(zip(axes, terms, strict=True)):
        if term < p:
            if curves:
                ax.sharey(curves[0])
            curves.append(ax)
            _draw_curve(ax, grids[place][:, 0], added[place], values[:, term])
            ax.tick_params(labelleft=place % min(ACROSS, len(terms)) == 0)
        else:
            _draw_map(ax, grids[place], added[place], max(products))
            first, second = (short_name(names[j], LETTERS) for j in features[term])
            ax.set_xlabel(first, fontsize=8)
            ax.set_ylabel(second, fontsize=8)
        ax.set_title(titles[place], fontsize=10)
        ax.tick_params(labelsize=8)
        ax.xaxis.set_major_locator(MaxNLocator(5, prune="both"))
    figure.supylabel("added to the score (log-odds)", fontsize=9)
    return figure


# Points of a curve, and along each side of a map.
N_POINTS = 60
N_SIDE = 25


def _grid(values: Floats) -> Floats:
    """Return points (m, 1) in the range of a feature, or (m, 2) of a pair of features."""
    if values.shape[1] == 1:
        distinct = np.unique(values)
        if len(distinct) > N_POINTS:
            distinct = np.linspace(distinct[0], distinct[-1], N_POINTS)
        return distinct[:, None]
    first, second = np.linspace(values.min(axis=0), values.max(axis=0), N_SIDE).T
    return np.column_stack([np.tile(first, N_SIDE), np.repeat(second, N_SIDE)])


def _draw_curve(ax: Axes, points: Floats, added: Floats, values: Floats) -> None:
    ax.axhline(0.0, color=OTHERS_COLOUR, linewidth=0.8)
    # Points where the feature has few values: nothing lies between them.
    ax.plot(
        points,
        added,
        color=TRAINING_COLOUR,
        linewidth=2.0,
        marker="o" if len(points) <= 6 else None,
        markersize=4,
    )
    ax.margins(y=0.15)
    density = ax.twinx()
    counts, *_ = density.hist(values, bins=20, color=OTHERS_COLOUR, alpha=0.45)
    density.set_ylim(0.0, np.max(counts) / DENSITY)
    density.set_axis_off()


def _draw_map(ax: Axes, grid: Floats, added: Floats, strongest: float) -> None:
    n_side = math.isqrt(len(grid))
    image = ax.pcolormesh(
        grid[:n_side, 0],
        grid[::n_side, 1],
        added.reshape(n_side, n_side),
        shading="gouraud",
        cmap="RdBu",
        vmin=-strongest,
        vmax=strongest,
    )
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, aspect=18)
    bar.ax.tick_params(labelsize=7)
