"""What the models of a front cost, against one of their objectives."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from moselect.datasets import TrainingData
from moselect.decision import Costs, ResolvedCosts, as_costs
from moselect.front import Front, SelectedClassifier
from moselect.models import LinearBatch
from moselect.plots.names import (
    HOLDOUT_COLOUR,
    MARK_COLOURS,
    OBJECTIVE_NAMES,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    short_name,
)
from moselect.plots.pairs import nondominated_in_pair

Floats = NDArray[np.float64]

RANKING_OBJECTIVES = ("vus", "u_cons", "u_ovo", "u_pairs")  # which no threshold changes


def front_costs(
    front: Front,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    costs: Costs | ArrayLike | None = None,
    *,
    objective: str = "vus",
    selected: SelectedClassifier | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the expected cost of every model of a front against one of its objectives.

    In colour are the models than which no other is both cheaper and better in the objective.
    Beside them stand the same for the directions of the front with the thresholds that cost least
    on these objects, if the objective is one of ranking: the others depend on the thresholds. The
    legend tells the cost of the trivial class, a line where it is not far above all models.

    Parameters
    ----------
    front : Front
        The models; of many thousands of objects, draw ``front.subset(1000)``.
    X : array-like of shape (n, p)
        Features of the objects on which costs are measured.
    y : array-like of shape (n,)
        Their labels; every class of the front must be there.
    costs : Costs or array-like, optional
        What mistakes cost, as in `Front.training_costs`.
    objective : str, default="vus"
        One of the front's; its values are those of the search.
    selected : SelectedClassifier, optional
        What ``select`` gave for these objects and costs: marked where it lies on them, and, open
        and with its standard error, where it lies when cross-fitted.
    ax : Axes, optional
        Where to draw, instead of a new figure that pyplot does not know.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the objective is not one of the front's, ``selected`` belongs to other objects or
        costs, or costs, priors or data do not fit.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> front = moselect.ParetoSearch(n_iterations=2, random_state=1).fit(X, y).front_
    >>> ax = front_costs(front, X, y, [1, 1, 1, 5, 5])
    >>> ax.get_ylabel()
    'expected cost'
    """
    front.check_objective(objective)
    data = TrainingData.from_table(X, y, front.classes, names=front.feature_names)
    resolved = as_costs(costs).resolve(data.classes, data.class_counts)
    if selected is not None:
        _check_selected(selected, data, resolved)

    batch = LinearBatch(data)
    own = resolved.mean_costs(batch.confusions(front.weights, front.thresholds))

    if ax is None:
        ax = Figure(figsize=(7.0, 4.8), layout="constrained").subplots()
    x, name = front.objectives[objective].to_numpy(), OBJECTIVE_NAMES[objective].math
    ax.plot(
        x,
        own,
        linestyle="none",
        marker="o",
        markersize=2.6,
        markeredgewidth=0,
        color=OTHERS_COLOUR,
        alpha=0.45,
        rasterized=True,
        label=f"models of the front ({len(front):,})",
    )
    _draw_border(ax, x, own, TRAINING_COLOUR, "o", f"cheapest for their {name}")
    if objective in RANKING_OBJECTIVES:
        label = "cheapest, thresholds set for these costs"
        _, least = batch.exact_thresholds(front.weights, resolved.in_use)
        _draw_border(ax, x, least / len(data), MARK_COLOURS[1], "s", label)
    if selected is not None:
        _draw_selected(ax, selected, objective)
    constant = resolved.in_use[data.codes].mean(axis=0)
    _draw_trivial(ax, front.classes[constant.argmin()], constant.min())
    ax.locator_params(axis="x", nbins=6)
    ax.set(xlabel=OBJECTIVE_NAMES[objective].axis, ylabel="expected cost")
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        borderaxespad=0.2,
        ncols=2,
        columnspacing=1.2,
        handlelength=1.6,
        frameon=False,
        fontsize=8,
    )
    return ax


def _check_selected(selected: SelectedClassifier, data: TrainingData, costs: ResolvedCosts) -> None:
    """Raise ValueError unless the evidence for a model is about these samples and costs."""
    if selected.evidence is None:
        raise ValueError("selected has no evidence: give what select returned")
    if not np.array_equal(selected.evidence.cost_matrix, costs.matrix):
        raise ValueError("selected was chosen for other costs: select it for those of the picture")
    scores = selected.decision_function(data.X)
    predicted = np.searchsorted(selected.thresholds_, scores, side="left")
    here = costs.in_use[data.codes, predicted].mean()
    recorded = selected.evidence.costs["training"].iloc[0]
    if not np.isclose(here, recorded):
        raise ValueError(
            f"selected costs {here:.4g} on these samples, but {recorded:.4g} where selected: give "
            "the X, y and priors with which it was selected"
        )


def _draw_border(ax: Axes, x: Floats, costs: Floats, colour: str, marker: str, label: str) -> None:
    best = nondominated_in_pair(x, -costs)
    order = np.argsort(x[best])
    ax.plot(
        x[best][order],
        costs[best][order],
        drawstyle="steps-pre",
        linewidth=0.9,
        marker=marker,
        markersize=4.0,
        markeredgewidth=0,
        color=colour,
        label=label,
    )


def _draw_selected(ax: Axes, selected: SelectedClassifier, objective: str) -> None:
    assert selected.evidence is not None
    places = selected.evidence.objectives[objective].to_numpy()
    training, crossed, error = selected.evidence.costs.iloc[0]
    edge: dict[str, Any] = {
        "marker": "*",
        "markersize": 13,
        "markeredgecolor": mpl.rcParams["text.color"],
        "markeredgewidth": 0.9,
        "linestyle": "none",
        "zorder": 5,
    }
    ax.plot(places, [training, crossed], color=HOLDOUT_COLOUR, linewidth=0.9, zorder=4)
    ax.plot(places[:1], [training], markerfacecolor=MARK_COLOURS[0], label="selected", **edge)
    ax.errorbar(
        places[1:],
        [crossed],
        [error],
        ecolor=HOLDOUT_COLOUR,
        elinewidth=0.9,
        capsize=3,
        markerfacecolor=mpl.rcParams["axes.facecolor"],
        label="selected, cross-validated",
        **edge,
    )


def _draw_trivial(ax: Axes, label: object, cost: float) -> None:
    """Draw the cost of the trivial class, out of sight if it would squeeze all the others."""
    low, high = ax.get_ylim()
    far = cost > high + (high - low)
    pointer = " \N{UPWARDS ARROW}" if far else ""
    ax.axhline(
        cost,
        color=mpl.rcParams["text.color"],
        linestyle="--",
        linewidth=0.9,
        alpha=0.6,
        label=f"always class {short_name(label)}: {cost:.3g}{pointer}",
    )
    if far:
        ax.set_ylim(low, high)
