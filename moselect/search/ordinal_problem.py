"""Optimisation problems of linear ordinal models, in either of two encodings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.scores import linear_scores
from moselect._types import Floats, LabelOrder, Labels, Table
from moselect.costs.costs import Costs
from moselect.labels.labels import encode_labels
from moselect.metrics.class_pairs import check_sequences
from moselect.metrics.objective import Objective
from moselect.metrics.objectives import DEFAULT, OBJECTIVES, check_objectives
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import (
    as_objective,
    chance_levels,
    objective_values,
)
from moselect.samples.samples import Samples
from moselect.search.direction_problem import DirectionProblem
from moselect.search.whitening import Whitening, check_positions
from moselect.validation import check_choice

Thresholds = Literal["exact", "search"]


class WeightProblem:
    """Optimise weights and thresholds jointly (Waegeman et al. 2008, section 4.2).

    A position is p weights followed by r - 1 thresholds, in units of standardised
    features; thresholds may stand in any order. Weights of the wrong sign count as
    0. ``batch`` holds the samples, ``chance`` (m,) the objectives attained without
    features; ``n_dimensions`` is the length of a position.
    """

    n_scalarisations = 1

    def __init__(
        self, batch: LinearBatch, objectives: Sequence[Objective] = DEFAULT
    ) -> None:
        self.batch = batch
        self.objectives = tuple(objectives)
        self.chance = chance_levels(objectives, batch)
        whitening = Whitening(batch.features)
        self._mean = whitening.mean
        self._inverse_scale = whitening.inverse_scale
        self.n_dimensions = batch.n_features + batch.n_classes - 1

    def evaluate(self, positions: ArrayLike) -> Floats:
        """Evaluate positions (P, d); return their objectives, shape (P, m)."""
        return objective_values(self.objectives, self.batch, *self.models(positions))

    def feasible(self, positions: Floats) -> Floats:
        """Return positions with 0 in place of weights of the wrong sign."""
        signs = self.batch.signs
        if signs is None:
            return positions
        kept = positions.copy()
        weights = kept[:, : len(signs)]
        weights[weights * signs < 0.0] = 0.0
        return kept

    def ready_made(self) -> Floats:
        """Return no positions (0, d): the swarm of the paper starts at random."""
        return np.empty((0, self.n_dimensions))

    def models(
        self, positions: ArrayLike, scalarisations: ArrayLike = 0
    ) -> tuple[Floats, Floats]:
        """Return weights (P, p) and thresholds (P, r - 1) in units of the features."""
        checked = check_positions(positions, self.n_dimensions)
        p = self.batch.n_features
        weights = self.feasible(checked)[:, :p] * self._inverse_scale
        offset = linear_scores(self._mean[:, None], weights, 0)
        return weights, np.sort(checked[:, p:], axis=1) + offset


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
    check_choice("thresholds", thresholds, ("exact", "search"))
    samples = Samples.from_table(X, y, labels)
    chosen = resolve_objectives(check_objectives(objectives), samples.classes)
    return make_problem(samples, chosen, thresholds, n_jobs)


def make_problem(
    data: Samples,
    objectives: Sequence[Objective],
    thresholds: Thresholds = "exact",
    n_jobs: int | None = None,
) -> Problem:
    """Build the optimisation problem of linear ordinal models for training data."""
    # Rows and weights: counts of sequences are made of both.
    check_sequences(np.maximum(data.class_weights, data.class_sizes))
    problem = DirectionProblem if thresholds == "exact" else WeightProblem
    return problem(LinearBatch(data, n_jobs), objectives)


def resolve_objectives(
    objectives: Sequence[object],
    classes: Labels,
    scale: Labels | None = None,
    costs: Costs | None = None,
) -> tuple[Objective, ...]:
    """Resolve the objectives of a search, with the given costs for ``"cost"``.

    Distances between classes are measured on the ``scale``, which may have classes without
    samples. ``costs`` are by position, for the classes with samples.

    Examples
    --------
    >>> import numpy as np
    >>> classes = np.array(["no", "yes"])
    >>> resolve_objectives(("cost", "vus"), classes, costs=Costs([1, 5]))[0].costs([3, 2])
    array([[0., 1.],
           [5., 0.]])
    """
    if scale is None:
        scale = classes
    observed = encode_labels(classes, scale)
    chosen: list[Objective] = []
    for given in objectives:
        objective = as_objective(given, scale, observed)
        # Metrics are solved for the classes with samples already.
        if len(observed) < len(scale) and objective.solved is None:
            objective = objective.among(observed, len(scale))
        if objective.name == "cost" and costs is not None:
            objective = replace(objective, costs=costs.in_use)
        names = [each.name for each in chosen]
        if callable(given) and objective.name in names:
            # Functions of one name, such as lambda, and two scorers of one function.
            number = 2 + sum(name.startswith(f"{objective.name}_") for name in names)
            objective = replace(objective, name=f"{objective.name}_{number}")
        chosen.append(objective)
    names = [objective.name for objective in chosen]
    if len(set(names)) < len(names):
        raise ValueError(f"two objectives have one name: {', '.join(names)}")
    return tuple(chosen)
