"""Scores by true class, with the decision thresholds."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from moselect._types import Booleans, Floats, Table
from moselect.labels.labels import encode_labels
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
from moselect.predictor.decisions import Thresholds
from moselect.validation import check_aligned

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
    if not isinstance(model.decision, Thresholds):
        raise ValueError(
            "the model decides by class probabilities and has no thresholds: select a model with "
            "one score, such as 'linear', 'additive' or 'scorecard'"
        )
    scores = model.decision_function(X)
    check_aligned(X=X, y=y)
    codes = encode_labels(y, model.classes_)
    labels = model.classes_.tolist()
    borders = model.thresholds_
    ax = ax or new_axes(8.0, 1.8 + 0.55 * len(labels))
    called = np.searchsorted(borders, scores)
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
    low = ends[0] - margin
    high = ends[1] + margin
    rates = {}
    for border, cut in enumerate(borders, start=1):
        above = codes >= border
        called_above = called >= border
        missed, alarms = (
            f"{100.0 * np.mean(wrong[among]):.0f} %" if among.any() else "no row"
            for among, wrong in ((above, ~called_above), (~above, called_above))
        )
        rates[border - 0.5] = f"miss rate {missed}\nfalse alarm rate {alarms}"
        if low < cut < high:
            ax.axvline(cut, color=OTHERS_COLOUR, linewidth=0.8, zorder=1)
            ax.vlines(cut, border - 1.0, border, color="black", linewidth=2.2, zorder=4)
    ax.set(xlim=(low, high), ylim=(-0.6, len(labels) - 0.4))
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
