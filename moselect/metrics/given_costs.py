"""Costs from the arguments of functions."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect.metrics.costs import CostFunction, Costs, Loss


def as_costs(costs: Costs | ArrayLike | None) -> Costs:
    """Convert class costs (r,), a cost matrix (r, r) or costs of each row to `Costs`."""
    if costs is None:
        return Costs()
    if isinstance(costs, Costs):
        return costs
    return Costs(costs) if np.ndim(costs) == 1 else Costs(cost_matrix=costs)


def given_costs(
    class_costs: ArrayLike | None,
    loss: Loss,
    cost_matrix: ArrayLike | CostFunction | None,
    priors: ArrayLike | None,
    preferences: Mapping[str, float] | None,
    refer: float | ArrayLike | Mapping[str, object] | None = None,
    metric: str | None = None,
) -> Costs | None:
    """Combine cost arguments into `Costs`; None if a model is selected by preferences."""
    if metric is not None:
        if preferences is not None:
            raise ValueError("give either a metric or preferences")
        return Costs(class_costs, loss, cost_matrix, priors, refer, metric)
    if class_costs is None and cost_matrix is None:
        if priors is not None or refer is not None:
            what = "priors need" if refer is None else "a referral needs"
            raise ValueError(f"{what} costs: give class_costs or cost_matrix")
        return None
    if preferences is not None:
        raise ValueError("give either costs or preferences")
    if refer is None and cost_matrix is not None:
        cost_matrix, refer = _without_referral(cost_matrix)
    return Costs(class_costs, loss, cost_matrix, priors, refer)


def _without_referral(
    matrix: ArrayLike | CostFunction,
) -> tuple[ArrayLike | CostFunction, Mapping[str, Any] | None]:
    """Split a cost matrix (r, r + 1) into the classes' columns and the referral column.

    In a DataFrame the name of that column is the answer for referred cases.
    """
    table = matrix if isinstance(matrix, pd.DataFrame) else np.asarray(matrix)
    if table.ndim != 2 or table.shape[1] != len(table) + 1:
        return matrix, None
    if isinstance(table, pd.DataFrame):
        square = table.iloc[:, :-1]
        last = table.iloc[:, -1]
        return square, {str(last.name): last.to_numpy()}
    return table[:, :-1], {"refer": table[:, -1]}
