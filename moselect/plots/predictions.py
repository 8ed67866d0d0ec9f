"""Predictions by true class: confusion matrix, and scores with the decision thresholds."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from numpy.typing import ArrayLike

from moselect._types import Booleans, Floats, LabelOrder, Table
from moselect.labels.labels import encode_labels
from moselect.metrics.confusion import count_confusion
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    OTHERS_COLOUR,
    POINTS,
    TRAINING_COLOUR,
    legend_below,
    new_axes,
    short_names,
)
from moselect.predictor import Model

# Share of the colour in a cell that holds all samples of its class, and largest font.
STRONGEST_COLOUR = 0.75
LARGEST_FONT = 11.0


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
    ax.imshow(ground + STRONGEST_COLOUR * shares[..., None] * (strong - ground))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlabel="predicted class", ylabel="true class")
    cell = _name_classes(ax, counted.classes)
    size = min(LARGEST_FONT, cell / 4.0)
    for i, k in np.ndindex(r, r):
        share = f"{100.0 * shares[i, k]:.0f} %" if totals[i] else "\N{EN DASH}"
        text = f"{counts[i, k]:,.6g}\n{share}"
        ax.text(k, i, text, ha="center", va="center", fontsize=size)
    return ax


# Letters of names in an inch, their largest font, and height of a line as a share of it.
LETTERS_OF_AN_INCH = 12.0
LARGEST_NAME = 10.0
LINE_HEIGHT = 1.3


def _name_classes(ax: Axes, classes: Iterable[object]) -> float:
    """Write the names of the classes; return the side of a cell in points."""
    names = short_names(classes)
    r = len(names)
    ax.set_xticks(range(r), names)
    ax.set_yticks(range(r), names)
    if r * max(map(len, names)) > LETTERS_OF_AN_INCH * ax.bbox.width / ax.figure.dpi:
        ax.tick_params(axis="x", labelrotation=90)
    # The layout engine makes the size of the axes final.
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    cell = min(ax.bbox.width, ax.bbox.height) / ax.figure.dpi * 72.0 / r
    ax.tick_params(labelsize=min(LARGEST_NAME, cell / LINE_HEIGHT))
    return float(cell)


# share of the scores at each end that may lie out of sight
OUTER_SHARE = 0.005


def thresholds(
    model: Model,
    X: Table,
    y: ArrayLike,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the scores of each class and the thresholds of the model.

    Each band of dots is a true class, highest at the top, with at most 300 samples at
    equally spaced ranks of the score. Correctly classified samples are blue, others
    orange. Beside each threshold stand the miss rate (share of samples of the classes
    above that are predicted below) and the false alarm rate (share of the other samples
    that are predicted above). They are estimated on the given samples, and optimistic
    if these were used for training.

    Scores in the range of the reject option are grey; both rates then refer to the
    classes predicted without rejection.

    Parameters
    ----------
    model : Model
        Model with one score: linear, additive or scorecard.
    X, y : array-like of shape (n, p) and (n,)
        Samples and their labels.
    ax : Axes, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the model has no thresholds, or a label is not among its classes.

    Examples
    --------
    >>> import pandas as pd
    >>> import moselect
    >>> model = moselect.OrdinalLinearClassifier([1.0], [0.5], ["low", "high"], ["speed"])
    >>> ax = thresholds(model, pd.DataFrame({"speed": [0.0, 1.0]}), ["low", "high"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['low', 'high']
    """
    if not hasattr(model, "thresholds_"):
        raise ValueError(
            "the model decides by class probabilities and has no thresholds: select a model with "
            "one score, such as 'linear', 'additive' or 'scorecard'"
        )
    scores = model.decision_function(X)
    codes = encode_labels(y, model.classes_)
    labels = model.classes_.tolist()
    borders = model.thresholds_
    ax = ax or new_axes(8.0, 1.8 + 0.55 * len(labels))
    called = np.searchsorted(borders, scores, side="left")
    for code in range(len(labels)):
        _draw_dots(ax, scores[codes == code], called[codes == code] == code, code)
    referral = model.referral
    if referral is not None:
        edges = pairwise([-np.inf, *referral.thresholds, np.inf])
        for code, (low, high) in zip(referral.codes, edges, strict=True):
            if code == len(labels):
                span = np.clip([low, high], scores.min(), scores.max())
                ax.axvspan(
                    *span, color=OTHERS_COLOUR, alpha=0.25, linewidth=0.0, zorder=0
                )
    ends = np.quantile(scores, [OUTER_SHARE, 1.0 - OUTER_SHARE])
    margin = 0.04 * (ends[1] - ends[0] or 1.0)
    rates = {}
    for border, cut in enumerate(borders, start=1):
        above = codes >= border
        called_above = called >= border
        missed, alarms = (
            f"{100.0 * np.mean(wrong[among]):.0f} %" if among.any() else "no row"
            for among, wrong in ((above, ~called_above), (~above, called_above))
        )
        rates[border - 0.5] = f"miss rate {missed}\nfalse alarm rate {alarms}"
        if ends[0] - margin < cut < ends[1] + margin:
            ax.axvline(cut, color=OTHERS_COLOUR, linewidth=0.8, zorder=1)
            ax.plot(
                [cut, cut], [border - 1.0, border], color="black", linewidth=2.2, zorder=4
            )
    ax.set(xlim=(ends[0] - margin, ends[1] + margin), ylim=(-0.6, len(labels) - 0.4))
    ax.set(xlabel="score; black: decision thresholds", ylabel="true class")
    ax.set_yticks(range(len(labels)), short_names(labels), fontsize=9)
    legend_below(ax)
    right = ax.secondary_yaxis("right")
    right.set_yticks([*rates], [*rates.values()], fontsize=8)
    right.tick_params(length=0)
    return ax


# Dots of a class, and their height to each side.
MAX_DOTS = 300
DOTS_HEIGHT = 0.34
GOLDEN_RATIO = 0.6180339887


def _draw_dots(ax: Axes, scores: Floats, correct: Booleans, code: int) -> None:
    """Draw samples of one class with vertical jitter by multiples of the golden ratio."""
    order = np.argsort(scores, kind="stable")
    order = order[np.linspace(0, len(order) - 1, min(MAX_DOTS, len(order))).astype(int)]
    heights = code + DOTS_HEIGHT * (
        2.0 * (GOLDEN_RATIO * np.arange(len(order)) % 1.0) - 1.0
    )
    for right, colour, words in (
        (True, TRAINING_COLOUR, "correctly classified"),
        (False, HOLDOUT_COLOUR, "misclassified"),
    ):
        shown = correct[order] == right
        style = POINTS | {"markersize": 2.6, "alpha": 0.7, "color": colour}
        label = words if code == 0 else None  # once in the legend
        ax.plot(scores[order][shown], heights[shown], label=label, **style)
