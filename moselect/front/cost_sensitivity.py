"""How the rule for given costs changes as mistakes on one class cost more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import confusion_matrix

from moselect._types import Floats
from moselect.decision import Costs, Goal, LinearRuleFitter, as_costs, trivial_classes
from moselect.front.front import Front
from moselect.labels import as_label_array, encode_labels
from moselect.models.linear_batch import LinearBatch
from moselect.samples import Samples

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

    Examples
    --------
    >>> X, y = [[0.0], [2.0], [1.0], [3.0]] * 10, [1, 1, 2, 2] * 10
    >>> found = cost_sensitivity(X, y, 2, factors=[0.1, 10])
    >>> found.factors, found.recalls.shape
    (array([ 0.1, 10. ]), (2, 2))
    """

    label: Any
    classes: NDArray[Any]
    factors: Floats
    recalls: Floats
    predicted: Floats
    relative_cost: Floats


def cost_sensitivity(
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    label: Any,
    costs: Costs | ArrayLike | None = None,
    *,
    labels: ArrayLike | None = None,
    factors: ArrayLike = FACTORS,
) -> CostSensitivity:
    """Fit the linear rules for costs of one class that grow by factors.

    For each factor the costs of that class are multiplied by it and a rule is fitted, as
    `moselect.CostSensitiveOrdinalClassifier` does. All figures are cross-validated: they come from
    rules that were fitted without the sample.

    Parameters
    ----------
    X : array-like of shape (n, p)
        Features.
    y : array-like of shape (n,)
        Labels.
    label : class label
        The class whose mistakes cost more.
    costs : Costs or array-like, optional
        Costs at factor 1, as in `Front.training_costs`.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical.
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
    >>> found = cost_sensitivity(X, y, 5, factors=[1, 10])
    >>> bool(found.recalls[1, 4] > found.recalls[0, 4])
    True
    """
    given = None if labels is None else as_label_array(labels)
    data = Samples.from_table(X, y, given)
    codes, r = data.codes, data.n_classes
    (dearer,) = encode_labels([label], data.classes)
    grid = _check_factors(factors)
    stated = as_costs(costs)
    in_use = stated.resolve(data.classes, data.class_counts).in_use
    if not in_use[dearer].any():
        raise ValueError(f"mistakes on class {label} cost nothing: no factor changes that")
    priors = data.class_counts / len(data) if stated.priors is None else stated.priors
    fitter = LinearRuleFitter(data.X, codes, r)
    recalls = np.empty((len(grid), r))
    predicted, relative_cost = np.empty((2, len(grid)))
    for i, factor in enumerate(grid):
        scaled = in_use.copy()
        scaled[dearer] *= factor
        chosen = fitter.fit(Goal(scaled)).cross_fitted
        trivial = scaled[codes, trivial_classes(codes, fitter.folds, scaled)].mean()
        if trivial == 0.0:
            raise ValueError("one class can be predicted for all samples at no cost")
        relative_cost[i] = scaled[codes, chosen].mean() / trivial
        rates = confusion_matrix(codes, chosen, labels=range(r), normalize="true")
        recalls[i], predicted[i] = rates.diagonal(), np.dot(priors, rates[:, dearer])
    return CostSensitivity(
        data.classes[dearer], data.classes, grid, recalls, predicted, relative_cost
    )


def solved_costs(
    front: Front,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    costs: Costs | ArrayLike | None = None,
) -> Floats:
    """Compute the least cost of each model's score on some samples, over all thresholds.

    Parameters
    ----------
    front : Front
        The models; of many thousands of samples, take ``front.subset(1000)``.
    X : array-like of shape (n, p)
        Features.
    y : array-like of shape (n,)
        Labels; every class of the front must be there.
    costs : Costs or array-like, optional
        As in `Front.training_costs`.

    Returns
    -------
    ndarray of shape (k,)
        Mean cost of a sample under the thresholds that cost least.

    Examples
    --------
    >>> from moselect.front import Front
    >>> objectives, chance = pd.DataFrame({"accuracy": [0.9]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(objectives, np.eye(1), np.array([[2.5]]), np.array([1, 2]), None, chance)
    >>> solved_costs(front, [[0.0], [2.0], [1.0], [3.0]], [1, 1, 2, 2], [1, 5])
    array([0.25])
    """
    data = Samples.from_table(X, y, front.classes, names=front.feature_names)
    in_use = as_costs(costs).resolve(data.classes, data.class_counts).in_use
    return LinearBatch(data).exact_thresholds(front.weights, in_use)[1] / len(data)


def _check_factors(factors: ArrayLike) -> Floats:
    grid = np.asarray(factors, dtype=np.float64)
    fits = grid.ndim == 1 and len(grid) > 1 and grid[0] > 0.0 and grid[-1] < np.inf
    if not (fits and (grid[1:] > grid[:-1]).all()):
        raise ValueError(
            f"factors must be at least two positive ascending numbers, got {grid.tolist()}"
        )
    return grid
