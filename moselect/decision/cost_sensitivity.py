"""How the rule for given costs changes as mistakes on one class cost more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import confusion_matrix

from moselect._types import Floats
from moselect.columns.training import unprepared_samples
from moselect.decision.costs import Costs, as_costs
from moselect.decision.decision import Decision
from moselect.decision.goal import Goal
from moselect.decision.kinds import KindMaker
from moselect.labels import as_label_array, class_labels, encode_labels

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
    kind: str = "curves",
    factors: ArrayLike = FACTORS,
) -> CostSensitivity:
    """Decide by a kind of model for costs of one class that grow by factors.

    For each factor the costs of that class are multiplied by it, and the class of least expected
    cost is taken. All figures are cross-validated: probabilities come from models that were fitted
    without the sample's fold.

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
    kind : {"curves", "pool", "proportional odds"}, default="curves"
        The kind of model.
    factors : array-like, optional
        Positive numbers, ascending; by default 13 from 0.1 to 10.

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
    classes = class_labels(y, None if labels is None else as_label_array(labels))
    samples = unprepared_samples(X, encode_labels(y, classes), classes)
    codes, r = samples.codes, samples.n_classes
    (dearer,) = encode_labels([label], classes)
    grid = np.asarray(factors, dtype=np.float64)
    if not ((grid > 0.0).all() and (np.diff(grid) > 0.0).all()):
        raise ValueError(f"factors must be positive and ascending, got {grid.tolist()}")
    stated = as_costs(costs)
    in_use = stated.resolve(classes, samples.class_counts).in_use
    if not in_use[dearer].any():
        raise ValueError(f"mistakes on class {label} cost nothing: no factor changes that")
    priors = samples.class_counts / len(samples) if stated.priors is None else stated.priors
    decision = Decision(samples, KindMaker(samples.X, random_state=0))
    proba = decision.fits(kind, Goal(in_use)).new_data.proba
    assert proba is not None
    recalls = np.empty((len(grid), r))
    predicted, relative_cost = np.empty((2, len(grid)))
    for i, factor in enumerate(grid):
        scaled = in_use.copy()
        scaled[dearer] *= factor
        chosen = (proba @ scaled).argmin(axis=1)
        trivial = scaled[codes].mean(axis=0).min()
        if trivial == 0.0:
            raise ValueError("one class can be predicted for all samples at no cost")
        relative_cost[i] = scaled[codes, chosen].mean() / trivial
        rates = confusion_matrix(codes, chosen, labels=range(r), normalize="true")
        recalls[i], predicted[i] = rates.diagonal(), np.dot(priors, rates[:, dearer])
    return CostSensitivity(classes[dearer], classes, grid, recalls, predicted, relative_cost)
