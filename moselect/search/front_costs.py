"""What the models of a front cost on the objects whose predictions were counted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect.decision import Loss, costs_in_use

Floats = NDArray[np.float64]


def mean_costs(
    confusions: NDArray[np.int64],
    classes: NDArray[Any],
    class_costs: ArrayLike | None,
    loss: Loss,
    cost_matrix: ArrayLike | None,
    priors: ArrayLike | None,
) -> Floats:
    """Give the mean cost of an object under each model; arguments as in `Front.expected_costs`.

    The cells are added one by one, true classes in their order and predicted ones within them:
    whoever does the same elsewhere gets the same to the last bit, and so the same cheapest model.
    """
    masses = confusions[0].sum(axis=1).astype(np.float64)
    _, costs = costs_in_use(classes, masses, class_costs, loss, cost_matrix, priors)
    total = np.zeros(len(confusions))
    for true, predicted in np.ndindex(costs.shape):
        total += costs[true, predicted] * confusions[:, true, predicted]
    return total / masses.sum()
