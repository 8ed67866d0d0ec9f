"""What kinds of model and rivals cost on new data, and what they do to each class."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from scipy.stats import norm
from sklearn.metrics import confusion_matrix

from moselect._types import Floats
from moselect.decision import Evidence
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    legend_above,
    new_figure,
    short_names,
)

REACH = float(norm.ppf(0.975))  # standard errors to each side of a 95 % interval
APART = 0.17  # of what is found and what is a false alarm, in rows of classes
SHARES = (("found", TRAINING_COLOUR, APART), ("false alarms", HOLDOUT_COLOUR, -APART))


def decision(evidence: Evidence, y: ArrayLike, *, figure: Figure | None = None) -> Figure:
    """Draw what a choice between kinds of model rests on.

    Left: what each kind and rival costs on new data with its 95 % interval (or its utility, if a
    preference selected), the simplest at the bottom. Right: of each class, the share of its rows
    that are found, and of the rows that are called so, the share that are not. Everything is
    cross-validated; the selected kind is in colour, small grey marks are the others.

    Parameters
    ----------
    evidence : Evidence
        That of a selected model, ``model.evidence``.
    y : array-like of shape (n,)
        The labels of all rows of the table that was searched.
    figure : Figure or SubFigure, optional
        Where to draw, instead of a new figure.

    Returns
    -------
    Figure

    Raises
    ------
    IndexError
        If ``y`` has fewer labels than the table has rows.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], kind="linear")
    >>> [ax.get_xlabel() for ax in decision(model.evidence, y).axes]
    ['cost of a row on new data', 'share on new data']
    """
    if figure is None:
        height = 2.2 + 0.3 * max(len(evidence.rules), len(evidence.confusion))
        figure = new_figure(9.5, height, layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_rules(left, evidence)
    truth = np.asarray(y)[evidence.predicted.index]
    _draw_classes(right, evidence, truth)
    figure.suptitle(f"Selected: {evidence.selected}", fontsize=12)
    return figure


def _draw_rules(ax: Axes, evidence: Evidence) -> None:
    rules = evidence.rules.dropna(subset=["new data"])
    rules = rules.sort_values("terms", kind="stable", na_position="last")
    names = [
        f"{name}\n{'no sum of terms' if np.isnan(terms) else f'{terms:g} terms'}"
        for name, terms in rules["terms"].items()
    ]
    for place, (name, row) in enumerate(rules.iterrows()):
        colour = TRAINING_COLOUR if name == evidence.selected else OTHERS_COLOUR
        bar = REACH * row["standard error"]
        ax.errorbar(row["new data"], place, xerr=bar, fmt="o", color=colour, linewidth=2.0)
    ax.set_yticks(range(len(names)), names, fontsize=9)
    ax.margins(y=0.12)
    what = "cost of a row" if evidence.value == "cost" else "utility"
    better = "less" if evidence.value == "cost" else "more"
    ax.set_xlabel(f"{what} on new data")
    ax.set_title(f"kinds by simplicity: {better} is better", fontsize=10)


def _draw_classes(ax: Axes, evidence: Evidence, truth: ArrayLike) -> None:
    labels = list(evidence.confusion)
    rows = np.arange(len(labels))
    for name, predicted in evidence.predicted.items():
        shares = _shares(truth, predicted, labels)
        for share, (what, colour, shift) in zip(shares, SHARES, strict=True):
            if name == evidence.selected:
                ax.barh(rows + shift, share, 2 * APART, color=colour, label=what)
            else:
                ax.plot(share, rows + shift, "|", color=OTHERS_COLOUR, markersize=9, zorder=3)
    ax.plot([], [], "|", color=OTHERS_COLOUR, markersize=9, label="the other kinds")
    ax.set(xlim=(0.0, 1.0), yticks=rows, xlabel="share on new data", ylabel="class")
    ax.set_yticklabels(short_names(labels), fontsize=9)
    legend_above(ax, fontsize=9)


def _shares(truth: ArrayLike, predicted: pd.Series, labels: list[object]) -> tuple[Floats, Floats]:
    """Return what is found of each class (r,), and the false alarms among what is called so."""
    counts = confusion_matrix(truth, predicted, labels=labels).astype(np.float64)
    found, called = counts.diagonal(), counts.sum(axis=0)
    alarms = np.divide(called - found, called, out=np.zeros(len(labels)), where=called > 0.0)
    return found / counts.sum(axis=1), alarms
