"""Plots of model selection: costs of candidates, recall and false discovery rates."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import norm
from sklearn.metrics import precision_score, recall_score

from moselect.plots.style import (
    HOLDOUT_COLOUR,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    legend_above,
    new_figure,
    short_names,
)
from moselect.selection import Evidence

REACH = float(norm.ppf(0.975))  # standard errors to each side of a 95 % interval
APART = 0.17  # offset of the two bars of a class, in units of the class axis
OTHER: dict[str, Any] = {"ls": "none", "marker": "|", "color": OTHERS_COLOUR, "ms": 9}
SHARES = (
    ("recall", TRAINING_COLOUR, APART),
    ("false discovery rate", HOLDOUT_COLOUR, -APART),
)


def decision(evidence: Evidence, *, figure: Figure | None = None) -> Figure:
    """Draw costs and error rates of all candidates and baselines.

    Left: mean cost of each candidate and baseline (or utility, if selected by preference)
    with 95 % intervals, the simplest at the bottom. Right: recall of each class, where
    referred samples count as not recalled, and the false discovery rate (1 - precision)
    at the class shares in use. All figures are cross-validated. The selected model is in
    colour; small grey marks are the other candidates.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a selected model, ``model.evidence``.
    figure : Figure or SubFigure, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> [ax.get_xlabel() for ax in decision(model.evidence).axes]
    ['cross-validated mean cost, 95 % intervals', 'cross-validated share']
    """
    if figure is None:
        height = 2.2 + 0.3 * max(len(evidence.candidates), len(evidence.confusion))
        figure = new_figure(9.5, height)
    left, right = figure.subplots(1, 2)
    _draw_rules(left, evidence)
    _draw_classes(right, evidence)
    figure.suptitle(f"Selected: {evidence.selected}", fontsize=12)
    return figure


def _draw_rules(ax: Axes, evidence: Evidence) -> None:
    rules = evidence.candidates.dropna(subset=[evidence.value])
    rules = rules.sort_values("terms", kind="stable", na_position="last")
    names = [
        f"{name}\n{'no formula' if np.isnan(terms) else f'{terms:g} terms'}"
        for name, terms in rules["terms"].items()
    ]
    for place, (name, row) in enumerate(rules.iterrows()):
        colour = TRAINING_COLOUR if name == evidence.selected else OTHERS_COLOUR
        value, reach = row[evidence.value], REACH * row["std_error"]
        below = min(reach, value) if evidence.value == "cost" else reach
        ends = [[below], [reach]]
        ax.errorbar(value, place, xerr=ends, fmt="o", color=colour, linewidth=2.0)
    ax.set_yticks(range(len(names)), names, fontsize=9)
    ax.margins(y=0.12)
    what, better = "gain above chance", "higher gain"
    if evidence.metric is not None:
        what = evidence.value_label
        better = "lower" if evidence.metric.is_error else "higher"
    if evidence.value == "cost":
        what, better = "mean cost", "lower cost"
    ax.set_xlabel(f"cross-validated {what}, 95 % intervals")
    ax.set_title(f"models, simplest at the bottom; {better} is better", fontsize=10)


def _draw_classes(ax: Axes, evidence: Evidence) -> None:
    # As text, since predictions may include the label of the reject option.
    labels = list(map(str, evidence.confusion.index))
    rows = np.arange(len(labels))
    shared: dict[str, Any] = {"labels": labels, "average": None, "zero_division": 1.0}
    in_use = evidence.samples.in_use(evidence.class_ratios)
    shared |= {"y_true": evidence.true.astype(str), "sample_weight": in_use.weights}
    handles: list[Any] = []
    for name, predicted in evidence.predicted.astype(object).map(str).items():
        false_alarms = 1.0 - precision_score(y_pred=predicted, **shared)
        shares = recall_score(y_pred=predicted, **shared), false_alarms
        for share, (what, colour, shift) in zip(shares, SHARES, strict=True):
            if name == evidence.selected:
                bars = ax.barh(rows + shift, share, 2 * APART, color=colour, label=what)
                handles.append(bars)
            else:
                ax.plot(share, rows + shift, zorder=3, **OTHER)
    others = ax.plot([], [], label="other candidates", **OTHER)
    ax.set(xlim=(0.0, 1.0), yticks=rows, xlabel="cross-validated share", ylabel="class")
    ax.set_yticklabels(short_names(labels), fontsize=9)
    legend_above(
        ax, handles=[*handles, *others], ncols=3, handlelength=1.2, columnspacing=1.0
    )
