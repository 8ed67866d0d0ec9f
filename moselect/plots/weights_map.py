"""Which features matter where on a front."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats
from moselect.features import feature_matrix
from moselect.front import Front
from moselect.plots.style import (
    OBJECTIVE_NAMES,
    colours_of_signs,
    lay_out,
    new_axes,
    short_names,
    width_of,
    write_in_full,
)

MOST_COLUMNS = 300  # of the map; of more models, neighbours are averaged
MOST_FEATURES = 40
LONGEST_FEATURE = 32
LETTERS = 5.0  # of names of features in an inch of the picture: a third of its width or so
TICK = 0.8  # inches for the number of a tick
N_TICKS = 6


def weights_map(
    front: Front,
    X: ArrayLike | pd.DataFrame,
    *,
    objective: str = "vus",
    ax: Axes | None = None,
) -> Axes:
    """Draw the weights of all models of a front along one of its objectives, as a heat map.

    A weight is multiplied by the standard deviation of its feature, so that features in any units
    compare, and divided by the sum of the sizes of all weights of the model, as models that differ
    by a factor rank alike. What is drawn is thus the share of a feature in the score, with the
    sign of its influence. Of many models, neighbours are averaged; of many features, the 40
    weightiest are drawn, which are those on top.

    Parameters
    ----------
    front : Front
        The models.
    X : array-like of shape (n, p)
        Features, from which standard deviations are taken.
    objective : str, default="vus"
        One of the front's, by which models are ordered, lowest first.
    ax : Axes, optional
        Where to draw, instead of a new figure. A scale of colours stands to its right.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the objective is not one of the front's, or X does not have its features.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> front = moselect.ParetoSearch(n_iterations=2, random_state=1).fit(X, y).front_
    >>> ax = weights_map(front, X)
    >>> [label.get_text() for label in ax.get_yticklabels()][:3]
    ['LSTAT', 'RM', 'RAD']
    """
    front.check_objective(objective)
    p = front.weights.shape[1]
    shares = _shares(front.weights, feature_matrix(X, front.feature_names, p).std(axis=0))
    heaviest = np.argsort(-np.abs(shares).mean(axis=0), kind="stable")[:MOST_FEATURES]
    along = front.objectives[objective].to_numpy()
    order = np.argsort(along, kind="stable")
    groups = _groups(along, order)
    shown = np.array([shares[group][:, heaviest].mean(axis=0) for group in groups]).T

    ax = ax or new_axes(8.0, 1.4 + 0.26 * len(heaviest))
    strongest = np.abs(shown).max() or 1.0
    image = ax.pcolormesh(
        _edges(np.array([along[group].mean() for group in groups])),
        np.arange(len(heaviest) + 1) - 0.5,
        shown,
        cmap=colours_of_signs(),
        vmin=-strongest,
        vmax=strongest,
        rasterized=True,
    )
    ax.set_ylim(len(heaviest) - 0.5, -0.5)
    longest = min(LONGEST_FEATURE, max(8, int(LETTERS * width_of(ax))))
    names = short_names(front.feature_names or [f"x{j}" for j in range(p)], longest)
    ax.set_yticks(range(len(heaviest)), [names[j] for j in heaviest], fontsize=9)
    write_in_full(ax.xaxis)
    count = f"{len(order):,} model{'s' * (len(order) > 1)}"
    ax.set_xlabel(f"{OBJECTIVE_NAMES[objective].axis_label} of {count}")
    if len(heaviest) < p:
        ax.set_ylabel(f"the {len(heaviest)} weightiest of {p} features")
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, aspect=30)
    bar.set_label("share of the score", fontsize=9)
    bar.outline.set_visible(False)
    lay_out(ax)
    n_ticks = int(width_of(ax) / TICK)
    ax.xaxis.set_major_locator(MaxNLocator(max(1, min(N_TICKS, n_ticks))))
    return ax


def _groups(along: Floats, order: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the models in groups of equal or neighbouring values of an objective, in order."""
    groups = np.array_split(order, min(len(order), MOST_COLUMNS))
    middles = np.array([along[group].mean() for group in groups])
    starts = np.flatnonzero(np.append(True, middles[1:] > middles[:-1]))
    return [np.concatenate(groups[i:j]) for i, j in pairwise([*starts.tolist(), len(groups)])]


def _edges(middles: Floats) -> Floats:
    """Return the edges of columns around some ascending values."""
    if len(middles) == 1:
        return middles + np.array([-0.005, 0.005])
    between = 0.5 * (middles[1:] + middles[:-1])
    return np.concatenate([[2 * middles[0] - between[0]], between, [2 * middles[-1] - between[-1]]])


def _shares(weights: Floats, spread: Floats) -> Floats:
    """Return weights (k, p) per standard deviation, their sizes of sum 1 in each model."""
    scaled = weights * spread
    total = np.abs(scaled).sum(axis=1, keepdims=True)
    return np.divide(scaled, total, out=np.zeros_like(scaled), where=total > 0.0)
