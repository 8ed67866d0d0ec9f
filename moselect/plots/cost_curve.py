"""How the selected rule changes as mistakes on one class cost more."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import confusion_matrix

from moselect.datasets import TrainingData
from moselect.decision import Costs, LinearRuleFitter, as_costs
from moselect.front import Front, trivial_classes
from moselect.labels import encode_labels
from moselect.plots.line_ends import name_line_ends
from moselect.plots.log_axis import set_log_x
from moselect.plots.names import HOLDOUT_COLOUR, OTHERS_COLOUR, short_name

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FACTORS = tuple(np.geomspace(0.1, 10.0, 13))


def cost_curve(
    front: Front,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    label: Any,
    costs: Costs | ArrayLike | None = None,
    *,
    factors: ArrayLike = FACTORS,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the rule that a front hands over moves as mistakes on one class cost more.

    For each factor the costs of that class are multiplied by it and a rule is selected. Lines show
    the recall of every class, the share of objects that are predicted as the class that grows
    dearer, and the expected cost as a share of that of the trivial class. All is cross-fitted:
    what the rule does to objects to which it was not fitted.

    Parameters
    ----------
    front : Front
        The models.
    X : array-like of shape (n, p)
        Features.
    y : array-like of shape (n,)
        Labels; every class of the front must be there.
    label : class label
        The class whose mistakes grow dearer.
    costs : Costs or array-like, optional
        Costs at factor 1, as in `Front.training_costs`.
    factors : array-like, optional
        At least two positive numbers, ascending; by default 13 from 0.1 to 10.
    ax : Axes, optional
        Where to draw, instead of a new figure that pyplot does not know. Names of the lines stand
        to its right; ``layout="constrained"`` makes room for them.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there is no such class or its mistakes cost nothing, factors are not positive and
        ascending, or costs, priors or data do not fit.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> front = moselect.ParetoSearch(n_iterations=2, random_state=1).fit(X, y).front_
    >>> ax = cost_curve(front, X, y, 5, factors=[1, 10])
    >>> recall = ax.lines[4].get_ydata()
    >>> bool(recall[1] > recall[0])
    True
    """
    (dearer,) = encode_labels([label], front.classes)
    grid = _check_factors(factors)
    data = TrainingData.from_table(
        X, y, front.classes, names=front.feature_names, n_features=front.weights.shape[1]
    )
    codes, r = data.codes, data.n_classes
    stated = as_costs(costs)
    in_use = stated.resolve(data.classes, data.class_counts).in_use
    if not in_use[dearer].any():
        raise ValueError(f"mistakes on class {label} cost nothing: no factor changes that")
    shares = data.class_counts / len(codes) if stated.priors is None else stated.priors
    fitter = LinearRuleFitter(data.X, codes, r)
    recalls = np.empty((len(grid), r))
    predicted, relative_cost = np.empty((2, len(grid)))
    for i, factor in enumerate(grid):
        scaled = in_use.copy()
        scaled[dearer] *= factor
        chosen, relative_cost[i] = _choose(fitter, codes, scaled)
        rates = confusion_matrix(codes, chosen, labels=range(r), normalize="true")
        recalls[i], predicted[i] = rates.diagonal(), np.dot(shares, rates[:, dearer])

    if ax is None:
        ax = Figure(figsize=(7.0, 4.8), layout="constrained").subplots()
    lines = []
    for k, colour in enumerate(mpl.colormaps["viridis"](np.linspace(0.33, 0.75, r))):
        style: dict[str, Any] = {"color": colour, "linewidth": 1.3}
        if k == dearer:
            style = {"color": HOLDOUT_COLOUR, "linewidth": 2.6, "zorder": 3}
        name = f"class {short_name(front.classes[k])}"
        lines += ax.plot(grid, recalls[:, k], label=name, **style)
    name = f"class {short_name(front.classes[dearer])}"
    style = {"color": HOLDOUT_COLOUR, "linestyle": "--"}
    lines += ax.plot(grid, predicted, label=f"predicted as {name}", **style)
    style = {"color": OTHERS_COLOUR, "linestyle": ":", "linewidth": 2.0}
    lines += ax.plot(grid, relative_cost, label="cost / trivial cost", **style)
    set_log_x(ax, *grid[[0, -1]])
    ax.set(
        xlim=grid[[0, -1]],
        ylim=(0.0, 1.05 * max(1.0, relative_cost.max())),
        xlabel=f"factor on the cost of mistakes on {name}",
        ylabel="recall of each class, cross-fitted",
    )
    name_line_ends(ax, lines)
    return ax


def _check_factors(factors: ArrayLike) -> Floats:
    grid = np.asarray(factors, dtype=np.float64)
    fits = grid.ndim == 1 and len(grid) > 1 and grid[0] > 0.0 and grid[-1] < np.inf
    if not (fits and (grid[1:] > grid[:-1]).all()):
        raise ValueError(
            f"factors must be at least two positive ascending numbers, got {grid.tolist()}"
        )
    return grid


def _choose(fitter: LinearRuleFitter, codes: Integers, costs: Floats) -> tuple[Integers, float]:
    """Fit a rule; give what it predicts cross-fitted, and its cost as a share of the trivial."""
    chosen = fitter.fit(costs).cross_validated
    trivial = costs[codes, trivial_classes(codes, fitter.folds, costs)].mean()
    if trivial == 0.0:
        raise ValueError("one class can be predicted for all objects at no cost")
    return chosen, float(costs[codes, chosen].mean() / trivial)
