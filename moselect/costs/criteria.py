"""Selection criteria from costs or preferences: one decision loss that all models take."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from msgspec import structs
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers, Labels, Table
from moselect.costs.costs import Costs, combined_costs, cost_parameters
from moselect.costs.decisions import read_referral
from moselect.costs.losses import CostLoss, MetricLoss, PreferenceLoss
from moselect.costs.priced import Priced, objective_costs
from moselect.costs.row_costs import RowCosts
from moselect.labels.labels import as_label_array, order_is_guessed
from moselect.metrics.decision_metrics import DecisionMetric
from moselect.metrics.objective import Objective
from moselect.metrics.objectives import DEFAULT, RANKING_OBJECTIVES
from moselect.samples.samples import Samples
from moselect.tables.cells import as_frame
from moselect.validation import require_samples


def resolve(costs: Costs, classes: ArrayLike, class_weights: ArrayLike) -> Priced:
    """Resolve costs for classes with these total weights, including priors and referral.

    Importance weighting: if the priors differ from the class shares, each row of the
    matrix is multiplied by ``prior / share``, because P'(y | s) is proportional to
    P(y | s) prior / share.
    """
    labels = as_label_array(classes)
    totals = np.asarray(class_weights, float)
    require_samples(totals, labels, "a rule for given costs")
    stated = costs.in_order(labels)
    ratios = stated.ratios(totals)
    if isinstance(stated.metric, DecisionMetric):
        return Priced(stated.metric.start(totals), MetricLoss(stated.metric), ratios)
    matrix, referral = stated.with_referral(labels)
    return Priced(matrix, ratios=ratios, referral=referral)


def resolve_costs(
    costs: Costs, samples: Samples, tables: Sequence[pd.DataFrame] = ()
) -> Priced:
    """Resolve costs for training samples.

    Costs of each row are computed for the rows of the ``tables``, which are indexed by row
    of the user's table, as are samples. Their matrix is the mean given the true class: by
    this matrix decide models that do not know the costs of new rows.
    """
    classes = samples.classes
    r = samples.n_classes
    if not costs.by_row:
        return resolve(costs, classes, samples.class_weights)
    require_samples(samples.class_weights, classes, "a rule for given costs")
    ordered = costs.in_order(classes)
    row_costs = row_costs_of(ordered, classes)
    matrix: Any = ordered.cost_matrix
    is_array = np.ndim(matrix) == 3
    if is_array:
        row_costs = structs.replace(row_costs, cost_matrix=lambda table: matrix)
        tables = [pd.DataFrame(index=range(len(matrix)))]
    table = pd.concat(tables)
    of_table = row_costs(table)
    rows = np.zeros((1 + table.index.max(), *of_table.shape[1:]))
    rows[table.index] = of_table
    places = np.arange(len(samples)) if samples.rows is None else samples.rows
    if rows.shape[1] != r or len(rows) <= places.max():
        raise ValueError(
            f"the costs of each row have shape {rows.shape}: {r} classes need (n, {r}, {r}), a "
            "matrix for each row of the table"
        )
    weights = samples.sample_weight_or_ones
    # Mean cost of each decision for each true class.
    means = [
        np.average(rows[places[own], k], axis=0, weights=weights[own])
        for k, own in enumerate(np.arange(r)[:, None] == samples.codes)
    ]
    of_means = replace(ordered, cost_matrix=np.array(means)[:, :r])
    resolved = resolve(of_means, classes, samples.class_weights)
    # An array has no costs for the rows of other tables.
    if is_array:
        return replace(resolved, rows=rows)
    row_costs = structs.replace(row_costs, ratios=resolved.ratios.tolist())
    return replace(resolved, rows=rows, row_costs=row_costs, decides_by_row=True)


def row_costs_of(ordered: Costs, classes: Labels) -> RowCosts:
    """Return the costs of each row, in order of the classes, with the costs of a referral."""
    referral = read_referral(ordered.refer, classes)
    matrix: Any = ordered.cost_matrix
    return RowCosts(matrix, None if referral is None else referral[1].tolist())


def costs_of_known_rows(
    costs: Costs, train: Samples, tested: Samples, table: pd.DataFrame
) -> Priced:
    """Resolve costs for the evaluation of models on rows of the table alone.

    Decisions for these are by the costs of the row, if rows have their own. ValueError if
    priors give a share to a class that no sample tests.
    """
    criteria = resolve_costs(costs, train, [table] if costs.by_row else ())
    if criteria.has_priors:
        in_use = criteria.ratios > 0.0
        needed = "the cost under these priors"
        require_samples(tested.class_weights[in_use], train.classes[in_use], needed)
    return replace(criteria, decides_by_row=costs.by_row)


def estimator_costs(
    estimator: Any, X: Table, y: ArrayLike, scale: Labels, samples: Samples
) -> Priced:
    """Resolve the costs of an estimator for its training samples, rows of the table X.

    The labels y are of the classes of a ``scale``, some without samples.
    """
    guessed = order_is_guessed(y, estimator.labels)
    given = combined_costs(
        estimator.costs, **cost_parameters(estimator), metric=estimator.metric
    )
    stated = given.for_observed(samples.classes, scale, guessed=guessed)
    tables = [as_frame(X).reset_index(drop=True)] if stated.by_row else []
    return resolve_costs(stated, samples, tables)


def preference_weights(
    preferences: Mapping[str, Any] | None, objectives: Sequence[Objective]
) -> dict[str, float]:
    """Normalise preferences to weights, of sum 1, of all objectives that can be optimised."""
    names = [objective.name for objective in objectives if not objective.measured]
    if preferences is None:
        return dict.fromkeys(names, 1.0 / max(1, len(names)))
    if not isinstance(preferences, Mapping):
        raise TypeError(
            f"preferences is {preferences!r}: give weights of objectives, such as {{'vus': 2.0}}"
        )
    for name, weight in preferences.items():
        if name not in names:
            known = ", ".join(names) or "costs and metrics"
            raise ValueError(f"objective {name!r} was not searched: choose from {known}")
        if not isinstance(weight, Real) or not 0.0 <= float(weight) < math.inf:
            raise ValueError(
                f"the weight of {name!r} is {weight!r}: give a number of at least 0"
            )
    total = sum(preferences.values())
    if total == 0.0:
        raise ValueError(
            "all preferences are 0: give at least one objective a weight above 0"
        )
    return {name: float(preferences.get(name, 0.0)) / total for name in names}


# If a preference ignores predicted classes, a small weight of plain errors
# determines them.
TIE_BREAK = 1e-6


def preference_loss(
    weights: Mapping[str, float],
    gains: Mapping[str, float],
    objectives: Sequence[Objective],
    class_counts: Integers,
) -> Priced:
    """Build the decision loss of preferences: weighted gains, in units of the best gain."""
    unit_weights = {
        name: weights.get(name, 0.0) / gains[name] for name in gains if gains[name] > 0.0
    }
    r = len(class_counts)
    costs: Floats = np.zeros((r, r))
    ranking: Floats = np.zeros(len(RANKING_OBJECTIVES))
    for objective in objectives:
        weight = unit_weights.get(objective.name, 0.0)
        if not objective.measured:
            own = objective_costs(objective, class_counts)
            costs = costs + weight * own.in_use
            ranking = ranking + weight * own.loss.ranking
    if not costs.any():
        errors = (objective_costs(each, class_counts) for each in DEFAULT[:2])
        costs = costs + TIE_BREAK * sum(each.in_use for each in errors)
    chance = CostLoss(ranking).of_constant(costs, class_counts)
    return Priced(costs, PreferenceLoss(ranking, weights, chance), np.ones(r))
