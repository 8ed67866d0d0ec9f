"""Reference figures of a selected model, from its evidence."""

import numpy as np

from moselect._types import Floats
from moselect.metrics.decision_metrics import count_cells
from moselect.metrics.decisions import costs_at
from moselect.selection.conformal import calibrate_sets
from moselect.selection.evidence import Evidence
from moselect.selection.group_members import columns_of_groups
from moselect.selection.reference import Profile, Reference


def reference_from(evidence: Evidence, columns: list[Profile]) -> Reference:
    """Compute the figures for the model's file, under the class shares in use.

    ``columns`` are the distributions of the columns that the model uses.
    """
    criteria = evidence.criteria
    proba = evidence.probabilities.get(evidence.selected)
    counts = evidence.confusion.to_numpy(dtype=np.float64)
    confusion = counts / counts.sum()
    trained = confusion.sum(axis=1)
    # The mean cost in use is the sum of plain costs times this confusion.
    confusion = confusion * criteria.ratios[:, None]
    expected = evidence.expected
    costs = None
    if evidence.costs is not None:
        costs = _mean_costs(evidence, evidence.costs.matrix, counts)
        if evidence.metric is not None:
            # To first order the mean cost differs from the loss of the metric by a
            # constant.
            shown = evidence.candidates[evidence.value][evidence.selected]
            more = evidence.metric.value(expected) - evidence.metric.value(shown)
            expected = float((confusion * costs).sum() + more)
    in_use = evidence.samples.in_use(criteria.ratios)
    return Reference(
        None if costs is None else costs.tolist(),
        expected,
        evidence.expected_se,
        confusion.tolist(),
        trained.tolist(),
        evidence.limits,
        len(evidence.samples),
        evidence.samples.n_units,
        columns,
        None if proba is None else calibrate_sets(in_use, proba),
        columns_of_groups(evidence.limits),
        None if evidence.metric is None else evidence.value_label,
    )


def _mean_costs(evidence: Evidence, matrix: Floats, counts: Floats) -> Floats:
    """Return the cost matrix; of costs of each row their means by cell of the confusion."""
    samples = evidence.samples
    given = evidence.criteria.given_for(samples)
    if given.ndim == 2:
        return matrix
    predicted = evidence.predicted_codes[evidence.selected]
    costs = costs_at(given, samples.codes, predicted)
    weighted = costs * samples.sample_weight_or_ones
    sums = count_cells(samples.codes, predicted, weighted, *counts.shape)
    return np.divide(sums, counts, out=matrix.copy(), where=counts > 0.0)
