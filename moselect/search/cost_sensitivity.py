"""How the rule for given costs changes as mistakes on one class cost more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import confusion_matrix
from threadpoolctl import threadpool_limits

from moselect.decision import LinearRuleFitter, Loss, costs_in_use
from moselect.metrics import encode_labels
from moselect.search.cheapest import cheapest_thresholds
from moselect.search.front_objects import front_objects
from moselect.search.problem import OrdinalProblem
from moselect.search.selection import make_fitter, trivial_classes

if TYPE_CHECKING:
    from moselect.search.front import Front

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FACTORS = tuple(np.geomspace(0.1, 10.0, 13))


@dataclass(frozen=True, eq=False)
class CostSensitivity:
    """Cross-validated figures of the rules for costs of one class that grow by factors.

    Attributes
    ----------
    label : class label
        The class whose mistakes cost more.
    classes : ndarray of shape (r,)
        All classes, lowest first.
    factors : ndarray of shape (f,)
        The factors, ascending.
    recalls : ndarray of shape (f, r)
        Share of the samples of each class that are predicted as that class.
    predicted : ndarray of shape (f,)
        Share of all samples that are predicted as ``label``.
    relative_cost : ndarray of shape (f,)
        Mean cost as a share of that of the trivial class.
    """

    label: Any
    classes: NDArray[Any]
    factors: Floats
    recalls: Floats
    predicted: Floats
    relative_cost: Floats


def cost_sensitivity(
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
) -> CostSensitivity:
    """Fit the rules for costs of one class that grow by factors.

    For each factor the costs of that class are multiplied by it and a rule is selected, as
    `Front.select` does. All figures are cross-validated: what the rule does to samples to which it
    was not fitted.

    Parameters
    ----------
    front : Front
        The front.
    X : array-like of shape (n, p)
        Features.
    y : array-like of shape (n,)
        Labels; every class of the front must be there.
    label : class label
        The class whose mistakes cost more.
    class_costs, loss, cost_matrix, priors
        Costs at factor 1, as in `Front.select`; without costs, a mistake costs 1 in every class.
    factors : array-like, optional
        At least two positive numbers, ascending; by default 13 from 0.1 to 10.

    Returns
    -------
    CostSensitivity

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
    >>> found = cost_sensitivity(front, X, y, 5, factors=[1, 10])
    >>> bool(found.recalls[1, 4] > found.recalls[0, 4])
    True
    """
    (dearer,) = encode_labels([label], front.classes)
    grid = _check_factors(factors)
    values, codes = front_objects(front, X, y)
    r = len(front.classes)
    masses = np.bincount(codes, minlength=r).astype(np.float64)
    _, costs = costs_in_use(front.classes, masses, class_costs, loss, cost_matrix, priors)
    if not costs[dearer].any():
        raise ValueError(f"mistakes on class {label} cost nothing: no factor changes that")
    shares = masses / len(codes) if priors is None else np.asarray(priors, dtype=np.float64)
    fitter = make_fitter(values, codes, r)
    recalls = np.empty((len(grid), r))
    predicted, relative_cost = np.empty((2, len(grid)))
    for i, factor in enumerate(grid):
        scaled = costs.copy()
        scaled[dearer] *= factor
        chosen, relative_cost[i] = _choose(fitter, codes, scaled)
        rates = confusion_matrix(codes, chosen, labels=range(r), normalize="true")
        recalls[i], predicted[i] = rates.diagonal(), shares @ rates[:, dearer]
    return CostSensitivity(
        front.classes[dearer], front.classes, grid, recalls, predicted, relative_cost
    )


def solved_costs(
    front: Front,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    class_costs: ArrayLike | None = None,
    loss: Loss = "absolute",
    *,
    cost_matrix: ArrayLike | None = None,
    priors: ArrayLike | None = None,
) -> Floats:
    """Compute the least cost of each model's score on some samples, over all thresholds.

    Parameters
    ----------
    front : Front
        The models; of many thousands of samples, take ``front.subset(1000)``.
    X, y, class_costs, loss, cost_matrix, priors
        As in `cost_sensitivity`.

    Returns
    -------
    ndarray of shape (k,)
        Mean cost of a sample under the thresholds that cost least.
    """
    values, codes = front_objects(front, X, y)
    masses = np.bincount(codes, minlength=len(front.classes)).astype(np.float64)
    _, costs = costs_in_use(front.classes, masses, class_costs, loss, cost_matrix, priors)
    problem = OrdinalProblem(values, codes, labels=range(len(costs)))
    _, least = cheapest_thresholds(problem, front.weights, costs)
    return least


def _check_factors(factors: ArrayLike) -> Floats:
    grid = np.asarray(factors, dtype=np.float64)
    fits = grid.ndim == 1 and len(grid) > 1 and grid[0] > 0.0 and grid[-1] < np.inf
    if not (fits and (grid[1:] > grid[:-1]).all()):
        raise ValueError(
            f"factors must be at least two positive ascending numbers, got {grid.tolist()}"
        )
    return grid


def _choose(fitter: LinearRuleFitter, codes: Integers, costs: Floats) -> tuple[Integers, float]:
    """Fit a rule; return its cross-validated predictions and its cost relative to the trivial."""
    # One thread for BLAS: its sums depend on how many share them, and ours must not.
    with threadpool_limits(limits=1, user_api="blas"):
        chosen = fitter.fit(costs).cross_fitted
    trivial = costs[codes, trivial_classes(codes, fitter.folds, costs)].mean()
    if trivial == 0.0:
        raise ValueError("one class can be predicted for all objects at no cost")
    return chosen, float(costs[codes, chosen].mean() / trivial)
