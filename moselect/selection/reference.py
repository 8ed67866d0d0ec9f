"""Reference figures of a selected model, with column distributions but no rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.metrics.decision_metrics import count_cells
from moselect.metrics.decisions import costs_at
from moselect.predictor import Model
from moselect.predictor.predictions import SetWeights
from moselect.selection.conformal import calibrate_sets
from moselect.selection.limits import LimitReached, split_limit
from moselect.selection.profiles import SEED, Profile

if TYPE_CHECKING:  # slow to import
    from moselect.selection.evidence import Evidence


class Reference(msgspec.Struct, frozen=True):
    """Reference: cross-validated figures reported when the model was selected.

    ``cost`` is the expected cost per row, with standard error ``error``, for the cost
    matrix ``costs`` (r, r), or (r, r + 1) with a referral, under the priors if given.
    ``confusion``, of the same shape, has the shares of all rows under these priors.
    ``trained`` (r,) are the class shares under which the model's probabilities are
    calibrated. The figures are based on ``n_rows`` rows in ``n_units`` independent rows or groups;
    ``columns`` are the distributions of the table's columns, and ``sets`` calibrates
    prediction sets. The costs are the linearisation of a ``metric``, if the model was
    selected for one.
    """

    costs: list[list[float]] | None
    cost: float
    error: float
    confusion: list[list[float]]
    trained: list[float]
    limits: list[LimitReached]
    n_rows: int
    n_units: int
    columns: list[Profile]
    sets: SetWeights | None = None
    metric: str | None = None

    @classmethod
    def of(cls, evidence: Evidence, columns: list[Profile]) -> Reference:
        """Compute the figures under the class shares in use.

        ``columns`` are the distributions of the columns that the model uses.
        """
        criteria = evidence.criteria
        samples = evidence.samples
        metric = evidence.criteria.metric
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
            if metric is not None:
                # To first order the mean cost differs from the loss of the metric by a
                # constant.
                shown = evidence.candidates[evidence.value][evidence.selected]
                more = metric.value(expected) - metric.value(shown)
                expected = float((confusion * costs).sum() + more)
        in_use = samples.in_use(criteria.ratios)
        return cls(
            None if costs is None else costs.tolist(),
            expected,
            evidence.expected_se,
            confusion.tolist(),
            trained.tolist(),
            evidence.limits,
            len(samples),
            samples.n_units,
            columns,
            None if proba is None else calibrate_sets(in_use, proba),
            None if metric is None else evidence.value_label,
        )

    @property
    def by_columns(self) -> list[str]:
        """Columns in whose groups limits hold."""
        return sorted({split_limit(limit.words)[1] for limit in self.limits} - {""})

    def describe_cost(self, cost: float) -> str:
        """Describe a mean cost and the reference cost."""
        of_metric = "" if self.metric is None else f" (costs that optimise {self.metric})"
        return f"mean cost {cost:.3g}{of_metric}, {self.cost:.3g} at selection"

    def background(self) -> pd.DataFrame:
        """Draw background rows (100, m) from the marginal distributions of the columns."""
        rng = np.random.default_rng(SEED)
        n_drawn = 100
        return pd.DataFrame(
            {profile.name: profile.draw(n_drawn, rng) for profile in self.columns}
        )


def reference_of(model: Model) -> Reference:
    """Return the reference figures of a model; ValueError if they have no cost."""
    reference: Reference | None = model.reference
    if reference is None or reference.costs is None:
        raise ValueError(
            "no cost was reported of the model, so there is nothing to compare: select it for "
            "costs, and check the file that select writes"
        )
    return reference


def _mean_costs(evidence: Evidence, matrix: Floats, counts: Floats) -> Floats:
    """Return the cost matrix; of costs of each row their means by cell of the confusion."""
    samples = evidence.samples
    given = evidence.criteria.given_for(samples)
    if given.ndim == 2:
        return matrix
    predicted = evidence.evaluations[evidence.selected].out_of_fold.codes
    costs = costs_at(given, samples.codes, predicted)
    weighted = costs * samples.sample_weight_or_ones
    sums = count_cells(samples.codes, predicted, weighted, *counts.shape)
    return np.divide(sums, counts, out=matrix.copy(), where=counts > 0.0)
