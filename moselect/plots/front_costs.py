"""What the models of a front cost, against one of their objectives."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from moselect.decision import Loss, costs_in_use
from moselect.plots.names import (
    HOLDOUT_COLOUR,
    MARK_COLOURS,
    OBJECTIVE_NAMES,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    short_name,
)
from moselect.plots.pairs import nondominated_in_pair
from moselect.search import Front, OrdinalProblem, SelectedClassifier
from moselect.search.cheapest import cheapest_thresholds
from moselect.search.front_objects import check_objective, front_objects

Floats = NDArray[np.float64]

RANKING_OBJECTIVES = ("vus", "u_cons", "u_ovo", "u_pairs")  # which no threshold changes


def front_costs(
    front: Front,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    class_costs: ArrayLike | None = None,
    loss: Loss = "absolute",
    *,
    cost_matrix: ArrayLike | None = None,
    priors: ArrayLike | None = None,
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
    class_costs, loss, cost_matrix, priors
        What mistakes cost, as in `Front.select`; without costs, a mistake costs 1 in every class.
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
    >>> ax = front_costs(front, X, y, class_costs=[1, 1, 1, 5, 5])
    >>> ax.get_ylabel()
    'expected cost'
    """
    check_objective(front, objective)
    values, codes = front_objects(front, X, y)
    masses = np.bincount(codes, minlength=len(front.classes)).astype(np.float64)
    matrix, costs = costs_in_use(front.classes, masses, class_costs, loss, cost_matrix, priors)
    if selected is not None:
        _check_selected(selected, matrix, values, codes, costs)

    problem = OrdinalProblem(values, codes, labels=range(len(costs)))
    confusions = problem.confusions(front.weights, front.thresholds)
    own = np.einsum("kij,ij->k", confusions, costs) / len(codes)

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
        _, least = cheapest_thresholds(problem, front.weights, costs)
        _draw_border(ax, x, least, MARK_COLOURS[1], "s", label)
    if selected is not None:
        _draw_selected(ax, selected, objective)
    constant = costs[codes].mean(axis=0)
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


def _check_selected(
    selected: SelectedClassifier,
    matrix: Floats,
    values: Floats,
    codes: NDArray[np.int64],
    costs: Floats,
) -> None:
    """Raise ValueError unless the report of a rule speaks of these objects and costs."""
    if selected.report is None:
        raise ValueError("selected has no report: give what select returned")
    if not np.array_equal(selected.report.cost_matrix, matrix):
        raise ValueError("selected was chosen for other costs: select it for those of the picture")
    scores = selected.decision_function(values)
    predicted = np.searchsorted(selected.thresholds_, scores, side="left")
    here, reported = costs[codes, predicted].mean(), selected.report.costs["training"].iloc[0]
    if not np.isclose(here, reported):
        raise ValueError(
            f"selected costs {here:.4g} on these objects, but its report says {reported:.4g}: give "
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
    assert selected.report is not None
    places = selected.report.objectives[objective].to_numpy()
    training, crossed, error = selected.report.costs.iloc[0]
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
        label="selected, cross-fitted",
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
