"""Confusion matrix with row shares."""

from collections.abc import Iterable

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from numpy.typing import ArrayLike

from moselect._types import LabelOrder
from moselect.metrics.confusion import count_confusion
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    TRAINING_COLOUR,
    lay_out,
    new_axes,
    short_names,
)


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw a confusion matrix: counts and shares of the samples of each true class.

    A cell holds the number of samples and, below it, their share of the samples of the
    true class, which sets the depth of the colour: blue on the diagonal, orange off it.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Ordinal labels: numbers, an ordered Categorical, or strings with ``labels``.
    y_pred : array-like of shape (n,)
        Predicted labels, such as ``model.predict(X)``, or out of fold,
        ``model.evidence.predicted["linear"]`` of a selected model.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples; cells hold sums of weights.
    labels : sequence, optional
        All classes, lowest first.
    ax : Axes, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If lengths differ, labels are unknown or without an order, or weights do not fit.

    Examples
    --------
    >>> ax = confusion_matrix([1, 1, 2, 3], [1, 2, 2, 3])
    >>> [text.get_text() for text in ax.texts][:2]
    ['1\n50 %', '1\n50 %']
    """
    counted = count_confusion(y_true, y_pred, sample_weight, labels)
    counts = counted.matrix
    r = len(counted.classes)
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0.0)
    if ax is None:
        side = min(3.0 + 0.55 * r, 12.0)
        ax = new_axes(side, side)
    diagonal = np.eye(r, dtype=np.bool_)[..., None]
    strong = np.where(diagonal, to_rgb(TRAINING_COLOUR), to_rgb(HOLDOUT_COLOUR))
    ground = np.array(to_rgb(mpl.rcParams["axes.facecolor"]))
    # share of the colour in a cell that holds all samples of its class
    strongest = 0.75
    ax.imshow(ground + strongest * shares[..., None] * (strong - ground))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlabel="predicted class", ylabel="true class")
    cell = _name_classes(ax, counted.classes)
    largest = 11.0
    size = min(largest, cell / 4.0)
    for i, k in np.ndindex(r, r):
        share = f"{100.0 * shares[i, k]:.0f} %" if totals[i] else "\N{EN DASH}"
        text = f"{counts[i, k]:,.6g}\n{share}"
        ax.text(k, i, text, ha="center", va="center", fontsize=size)
    return ax


def _name_classes(ax: Axes, classes: Iterable[object]) -> float:
    """Write the names of the classes; return the side of a cell in points."""
    names = short_names(classes)
    r = len(names)
    ax.set_xticks(range(r), names)
    ax.set_yticks(range(r), names)
    # of names in an inch
    letters = 12.0
    if r * max(map(len, names)) > letters * ax.bbox.width / ax.figure.dpi:
        ax.tick_params(axis="x", labelrotation=90)
    lay_out(ax)
    cell = min(ax.bbox.width, ax.bbox.height) / ax.figure.dpi * 72.0 / r
    # font size of the names of classes
    largest_name = 10.0
    # height of a line of text, as a share of its size
    line = 1.3
    ax.tick_params(labelsize=min(largest_name, cell / line))
    return float(cell)
