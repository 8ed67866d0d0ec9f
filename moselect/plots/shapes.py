"""Shape functions of an additive model with the density of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from moselect.models.additive.shapes import Curve, ProductMap
from moselect.plots.style import (
    ACROSS,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    AnyFigure,
    panels_of,
    short_name,
    short_names,
)

DENSITY = 0.18  # height of the density, as a share of the panel
LETTERS = 24  # of a line of a title


def shapes(
    terms: Sequence[Curve | ProductMap],
    *,
    n_terms: int = 9,
    figure: AnyFigure | None = None,
) -> AnyFigure:
    """Draw the most important terms of an additive model, each in a panel.

    Curves are the contributions of a feature to the score, in log-odds. Bars at the
    bottom show the density of the samples, and thus where a curve rests on few of them.
    Products of two features are heat maps. Curves share one vertical axis.

    Parameters
    ----------
    terms : sequence of Curve or ProductMap
        Result of `moselect.models.model_shapes`.
    n_terms : int, default=9
        Maximum number of panels.
    figure : Figure, optional
        Drawn into, instead of a new figure.

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
    >>> from moselect.models import AdditiveOdds, model_shapes
    >>> X, y = load_boston()
    >>> found = model_shapes(AdditiveOdds().fit(X, y), X)
    >>> figure = shapes(found, n_terms=4)
    >>> [ax.get_title() for ax in figure.axes if ax.get_title()]
    ['LSTAT', 'RM', 'DIS', 'AGE']
    """
    terms = terms[:n_terms]
    if not terms:
        raise ValueError(
            "there are no terms to draw: n_terms must be positive, and a term must have an effect"
        )
    figure, axes = panels_of(figure, len(terms))
    curves = [ax for ax, term in zip(axes, terms, strict=True) if isinstance(term, Curve)]
    for ax in curves[1:]:
        ax.sharey(curves[0])
    products = [term.values for term in terms if isinstance(term, ProductMap)]
    strongest = max((np.abs(values).max() for values in products), default=1.0)
    columns = min(ACROSS, len(terms))
    titles = short_names((term.name for term in terms), LETTERS)
    for place, (ax, term, title) in enumerate(zip(axes, terms, titles, strict=True)):
        if isinstance(term, Curve):
            _draw_curve(ax, term)
            ax.tick_params(labelleft=place % columns == 0)
        else:
            _draw_map(ax, term, strongest)
        ax.set_title(title, fontsize=10)
        ax.tick_params(labelsize=8)
        ax.xaxis.set_major_locator(MaxNLocator(5, prune="both"))
    figure.supylabel("added to the score (log-odds)", fontsize=9)
    return figure


def _draw_curve(ax: Axes, curve: Curve) -> None:
    ax.axhline(0.0, color=OTHERS_COLOUR, linewidth=0.8)
    # Points where the feature has few values: nothing lies between them.
    ax.plot(
        curve.at,
        curve.values,
        color=TRAINING_COLOUR,
        linewidth=2.0,
        marker="o" if len(curve.at) <= 6 else None,
        markersize=4,
    )
    ax.margins(y=0.15)
    density = ax.twinx()
    density.bar(
        curve.edges[:-1],
        curve.counts,
        width=np.diff(curve.edges),
        align="edge",
        color=OTHERS_COLOUR,
        alpha=0.45,
    )
    density.set_ylim(0.0, curve.counts.max() / DENSITY)
    density.set_axis_off()


def _draw_map(ax: Axes, term: ProductMap, strongest: float) -> None:
    image = ax.pcolormesh(
        term.at_first,
        term.at_second,
        term.values,
        shading="gouraud",
        cmap="RdBu",
        vmin=-strongest,
        vmax=strongest,
    )
    ax.set_xlabel(short_name(term.first, LETTERS), fontsize=8)
    ax.set_ylabel(short_name(term.second, LETTERS), fontsize=8)
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, aspect=18)
    bar.ax.tick_params(labelsize=7)
