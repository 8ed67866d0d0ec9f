"""Costs of each decision, resolved once: all that is known of their price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np

from moselect._types import Floats, Integers, record
from moselect.costs.decisions import Referral
from moselect.costs.limits import Limit
from moselect.costs.losses import CostLoss, MetricLoss
from moselect.costs.row_costs import RowCosts
from moselect.inference.covariance import measure_weights
from moselect.inference.standard_errors import max_mistakes
from moselect.metrics.objective import Objective
from moselect.samples.samples import Samples


@record
class Priced:
    """Costs of each decision, resolved once: in class order, with priors, limits, referral.

    Attributes
    ----------
    matrix : ndarray of shape (r, r), or (r, r + 1) with a referral
        Costs as given, of rows with their own the mean given the true class: rows true
        classes, columns predicted ones, and referral. Of a metric, its linearisation.
    loss : CostLoss
        Loss of predictions under these costs.
    ratios : ndarray of shape (r,), or (1,) without priors
        Prior of each class over its share in the table, 1 without priors.
    referral : Referral or None
        Reject option: the answer for cases referred for review.
    limits : sequence of Limit
        Maximum shares of mistakes.
    rows : ndarray of shape (N, r, r) or (N, r, r + 1), or None
        Costs as given of each row of the table, or of each sample after `of`, if rows
        have their own.
    row_costs : RowCosts or None
        Costs of the rows of other tables; None if they are known for this table only.
    decides_by_row : bool
        Whether decisions are by the costs of the row, or by their mean.
    """

    matrix: Floats
    loss: CostLoss = field(default_factory=CostLoss)
    ratios: Floats = field(default_factory=lambda: np.ones(1))
    referral: Referral | None = None
    limits: Sequence[Limit] = ()
    rows: Floats | None = None
    row_costs: RowCosts | None = None
    decides_by_row: bool = False

    @cached_property
    def in_use(self) -> Floats:
        """Cost matrix times prior ratios: its mean over samples estimates the cost in use."""
        return self.matrix * self.ratios[:, None]

    @cached_property
    def cells(self) -> Floats:
        """Costs in use (r, a), or (n, r, a) of each sample."""
        return self.given * self.ratios[:, None]

    @property
    def given(self) -> Floats:
        """Costs as given (r, a), or (n, r, a) of each sample."""
        return self.matrix if self.rows is None else self.rows

    @property
    def has_priors(self) -> bool:
        """Whether the shares of the classes in use are given."""
        return (self.ratios != 1.0).any()

    @property
    def of_classes(self) -> Priced:
        """The costs without the referral column."""
        r = len(self.matrix)
        rows = None if self.rows is None else self.rows[..., :r]
        return replace(self, matrix=self.matrix[:, :r], rows=rows)

    @property
    def key(self) -> bytes:
        """The costs and their loss as bytes, the key of cached fits."""
        loss = self.loss.ranking.tobytes() + repr(self.loss.metric).encode()
        return self.cells.tobytes() + loss

    def of(self, samples: Samples) -> Priced:
        """Return the costs of each of these samples, if rows of the table have their own."""
        if self.rows is None or samples.rows is None:
            return self
        return replace(self, rows=self.rows[samples.rows])

    def solved_for_scores(
        self, codes: Integers, scores: Floats, weights: Floats
    ) -> Priced:
        """Return the costs, or the costs that optimise a metric along scores (n,)."""
        matrix = self.loss.solve_for_scores(self.matrix, codes, scores, weights)
        return replace(self, matrix=matrix)

    def max_cost(self, samples: Samples) -> float:
        """Compute the increase in mean cost by one further mistake of maximum cost.

        The mistake is on one sample with the typical weight of its class, in the class
        where it costs most; if priors change the class shares, it is averaged over the
        classes in use, because otherwise one class that is rare in the table dominates.
        """
        return self.of_one_row(samples, max_mistakes(self.in_use, samples))

    def of_one_row(self, samples: Samples, changes: Floats) -> float:
        """Compute the greatest change of the mean by one row, given that in each class (r,)."""
        change = changes.max()
        if self.has_priors:
            weights = samples.class_weights * self.ratios
            change = np.average(changes, weights=weights)
        return change / samples.sample_weight_or_ones.sum()


def objective_costs(objective: Objective, class_counts: Integers) -> Priced:
    """Return the costs, or the ranking loss, of an objective that can be optimised."""
    if objective.costs is not None:
        return Priced(objective.costs(class_counts))
    if objective.solved is not None:
        return Priced(objective.solved.start(class_counts), MetricLoss(objective.solved))
    nothing = np.zeros((len(class_counts), len(class_counts)))
    return Priced(nothing, CostLoss(measure_weights(objective.name)))
