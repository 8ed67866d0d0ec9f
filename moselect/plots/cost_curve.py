"""How the selected rule changes as mistakes on one class cost more."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import confusion_matrix

from moselect.decision import Loss, resolve_costs
from moselect.metrics import encode_labels
from moselect.plots.line_ends import name_line_ends
from moselect.plots.names import HOLDOUT_COLOUR, OTHERS_COLOUR, short_name
from moselect.search import Front
from moselect.search.selection import SELECTED, TRIVIAL

Floats = NDArray[np.float64]

FACTORS = tuple(np.geomspace(0.1, 10.0, 13))


def cost_curve(
    front: Front,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    label: Any,
    class_costs: ArrayLike | None = None,
    loss: Loss = "absolute",
    *,
    cost_matrix: ArrayLike | None = None,
    priors: ArrayLike | None = None,
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
        Whose `Front.select` is asked.
    X : array-like of shape (n, p)
        Features.
    y : array-like of shape (n,)
        Labels; every class of the front must be there.
    label : class label
        The class whose mistakes grow dearer.
    class_costs, loss, cost_matrix, priors
        Costs at factor 1, as in `Front.select`; without costs, a mistake costs 1 in every class.
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
    r = len(front.classes)
    if class_costs is None and cost_matrix is None:
        class_costs = np.ones(r)
    costs = resolve_costs(r, class_costs, loss, cost_matrix)
    if not costs[dearer].any():
        raise ValueError(f"mistakes on class {label} cost nothing: no factor changes that")
    choices = [_choose(front, X, y, costs, dearer, factor, priors) for factor in grid]
    recalls, predicted, relative_cost = map(np.array, zip(*choices, strict=True))

    if ax is None:
        ax = Figure(figsize=(7.0, 4.8), layout="constrained").subplots()
    lines = []
    for k, colour in enumerate(mpl.colormaps["viridis"](np.linspace(0.25, 0.8, r))):
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
    ax.set(
        xscale="log",
        xlim=grid[[0, -1]],
        ylim=(0.0, 1.05 * max(1.0, relative_cost.max())),
        xlabel=f"factor on the cost of mistakes on {name}",
        ylabel="recall of each class, cross-fitted",
    )
    ax.xaxis.set_major_formatter(LogFormatter())
    ax.xaxis.set_minor_formatter(LogFormatter())
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


def _choose(
    front: Front,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    costs: Floats,
    dearer: int,
    factor: float,
    priors: ArrayLike | None,
) -> tuple[Floats, float, float]:
    """Select a rule; give its recalls, how often it predicts the class, and its relative cost."""
    scaled = costs.copy()
    scaled[dearer] *= factor
    report = front.select(X, y, cost_matrix=scaled, priors=priors).report
    assert report is not None
    paid = report.costs["cross-fitted"]
    if paid[TRIVIAL] == 0.0:
        raise ValueError("one class can be predicted for all objects at no cost")
    codes = encode_labels(y, front.classes)
    predicted = encode_labels(report.predicted[SELECTED], front.classes)
    rates = confusion_matrix(codes, predicted, labels=range(len(costs)), normalize="true")
    shares = np.bincount(codes) / len(codes) if priors is None else np.asarray(priors)
    return rates.diagonal(), shares @ rates[:, dearer], paid[SELECTED] / paid[TRIVIAL]
