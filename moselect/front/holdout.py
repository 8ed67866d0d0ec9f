"""What the models of a front reach on other samples than those of the search."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect.decision.costs import Costs, as_costs
from moselect.front.front import Front
from moselect.metrics import OBJECTIVES
from moselect.models.linear_batch import LinearBatch
from moselect.samples import Samples


def measure_holdout(front: Front, data: Samples) -> Front:
    """Return the front with the objectives and confusions of its models on held-out samples.

    Examples
    --------
    >>> import numpy as np
    >>> from moselect.samples import Samples
    >>> held_out = Samples.from_table([[0.0], [2.0], [1.0], [3.0]], [1, 1, 2, 2])
    >>> objectives, chance = pd.DataFrame({"accuracy": [0.9]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(objectives, np.eye(1), np.array([[0.5]]), held_out.classes, None, chance)
    >>> measure_holdout(front, held_out).holdout
       accuracy
    0      0.75
    """
    batch = LinearBatch(data)
    measured = batch.objectives(front.weights, front.thresholds)
    return replace(
        front,
        holdout=pd.DataFrame(measured, columns=list(OBJECTIVES))[list(front.objectives.columns)],
        holdout_confusions=batch.confusions(front.weights, front.thresholds),
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
    >>> import numpy as np
    >>> from moselect.front import Front
    >>> objectives, chance = pd.DataFrame({"accuracy": [0.9]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(objectives, np.eye(1), np.array([[2.5]]), np.array([1, 2]), None, chance)
    >>> solved_costs(front, [[0.0], [2.0], [1.0], [3.0]], [1, 1, 2, 2], [1, 5])
    array([0.25])
    """
    data = Samples.from_table(X, y, front.classes, names=front.feature_names)
    in_use = as_costs(costs).resolve(data.classes, data.class_counts).in_use
    return LinearBatch(data).exact_thresholds(front.weights, in_use)[1] / len(data)
