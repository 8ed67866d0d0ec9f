"""Optimisation problems of linear ordinal models, in either of two encodings."""

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import LabelOrder, Table
from moselect.metrics.objectives import OBJECTIVES, check_objectives
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import as_objective, with_metrics
from moselect.samples.samples import Samples
from moselect.search.direction_problem import DirectionProblem
from moselect.search.swarm import WeightProblem

Thresholds = Literal["exact", "search"]


Problem = DirectionProblem | WeightProblem


def OrdinalProblem(  # noqa: N802  # a factory named like a class
    X: Table,
    y: ArrayLike,
    *,
    thresholds: Thresholds = "exact",
    objectives: Sequence[object] = OBJECTIVES,
    labels: LabelOrder = None,
    n_jobs: int | None = None,
) -> Problem:
    """Build the optimisation problem of linear ordinal models for a table.

    Parameters
    ----------
    X : array-like of shape (n, p)
        Finite features, in any units.
    y : array-like of shape (n,)
        Ordinal labels of at least two classes.
    thresholds : {"exact", "search"}, default="exact"
        ``"exact"``: a position is a direction, with optimal thresholds by dynamic
        programming (`DirectionProblem`). ``"search"``: a position is p weights followed by r - 1
        thresholds (`WeightProblem`).
    objectives : sequence
        As in `moselect.ParetoSearch`; user-defined costs as an `Objective`.
    labels : sequence, optional
        Class labels, lowest first; by default the sorted labels of ``y``.
    n_jobs : int, optional
        Threads that share a batch: one by default, -1 for all cores. Results are the
        same, bit for bit, for any number.

    Raises
    ------
    ValueError
        If the data cannot be searched, or ``thresholds`` is unknown.

    Examples
    --------
    >>> problem = OrdinalProblem([[0.0], [1.0], [2.0], [3.0]], [1, 1, 2, 2])
    >>> problem.evaluate([[1.0]])[0, 0]
    array([1., 1., 1., 1., 1., 1.])
    """
    return make_problem(Samples.from_table(X, y, labels), thresholds, n_jobs, objectives)


def make_problem(
    data: Samples,
    thresholds: Thresholds,
    n_jobs: int | None = None,
    objectives: Sequence[object] = OBJECTIVES,
) -> Problem:
    """Build the optimisation problem of linear ordinal models for training data."""
    chosen = tuple(map(as_objective, check_objectives(objectives)))
    chosen = with_metrics(chosen, data.classes)
    if thresholds not in get_args(Thresholds):
        raise ValueError(f"unknown thresholds {thresholds!r}: choose 'exact' or 'search'")
    most = np.maximum(data.class_weights, data.class_sizes).tolist()
    if not math.isfinite(math.prod(most, start=1.0)):
        raise ValueError(
            f"{data.n_classes} classes of this size have more sequences than VUS can count: "
            "merge neighbouring classes"
        )
    batch = LinearBatch(data, n_jobs)
    problem = DirectionProblem if thresholds == "exact" else WeightProblem
    return problem(batch, chosen)
