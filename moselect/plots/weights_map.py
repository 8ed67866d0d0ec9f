"""Which features matter where on a front."""

from __future__ import annotations

from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats
from moselect.features import feature_matrix
from moselect.front import Front
from moselect.plots.names import HOLDOUT_COLOUR, OBJECTIVE_NAMES, TRAINING_COLOUR, short_names
from moselect.plots.new_figure import new_axes
from moselect.plots.number_text import write_in_full

MOST_COLUMNS = 300  # of the map; of more models, neighbours are averaged
MOST_FEATURES = 40
LONGEST_FEATURE = 32
LETTERS = 5.0  # of names of features in an inch of the picture: a third of its width or so
ROW = 12.0  # points for a feature
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
        Where to draw, instead of a new figure. A scale of colours stands
        to its right.

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
    shown_features = MOST_FEATURES
    if ax is not None:
        shown_features = min(
            MOST_FEATURES, max(1, int(ax.bbox.height / ax.figure.dpi * 72.0 / ROW))
        )
    heaviest = np.argsort(-np.abs(shares).mean(axis=0), kind="stable")[:shown_features]
    along = front.objectives[objective].to_numpy()
    order = np.argsort(along, kind="stable")
    groups = _groups(along, order)
    shown = np.array([shares[group][:, heaviest].mean(axis=0) for group in groups]).T

    if ax is None:
        size = (8.0, 1.4 + 0.26 * len(heaviest))
        ax = new_axes(*size)
    strongest = np.abs(shown).max() or 1.0
    image = ax.pcolormesh(
        _edges(np.array([along[group].mean() for group in groups])),
        np.arange(len(heaviest) + 1) - 0.5,
        shown,
        cmap=LinearSegmentedColormap.from_list(
            "signs", [HOLDOUT_COLOUR, mpl.rcParams["axes.facecolor"], TRAINING_COLOUR]
        ),
        vmin=-strongest,
        vmax=strongest,
        rasterized=True,
    )
    ax.set_ylim(len(heaviest) - 0.5, -0.5)
    width = ax.bbox.width / ax.figure.dpi
    longest = min(LONGEST_FEATURE, max(8, int(LETTERS * width)))
    names = short_names(front.feature_names or [f"x{j}" for j in range(p)], longest)
    ax.set_yticks(range(len(heaviest)), [names[j] for j in heaviest], fontsize=9)
    write_in_full(ax.xaxis)
    count = f"{len(order):,} model{'s' * (len(order) > 1)}"
    name = OBJECTIVE_NAMES[objective]
    ax.set_xlabel(f"{name.axis if width > 4.2 else name.math} of {count}")
    if len(heaviest) < p:
        ax.set_ylabel(f"the {len(heaviest)} weightiest of {p} features")
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, aspect=30)
    bar.set_label("share of the score", fontsize=9)
    bar.outline.set_visible(False)
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()  # names and scale take their room when they are first drawn
    n_ticks = int(ax.bbox.width / ax.figure.dpi / TICK)
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
