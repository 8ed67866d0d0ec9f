"""Decision loss: expected cost plus a weighted ranking loss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from moselect._kernels.chain_counts import ranking_components
from moselect._types import Floats, Integers
from moselect.costs.decisions import Referral, costs_at, least_expected_cost
from moselect.costs.limits import Limit
from moselect.costs.row_costs import RowCosts
from moselect.costs.thresholds import exact_thresholds, metric_thresholds
from moselect.inference.covariance import draw_squares
from moselect.inference.standard_errors import max_mistakes
from moselect.metrics.class_pairs import weights_of_pairs
from moselect.metrics.decision_metrics import DecisionMetric, count_cells
from moselect.metrics.objective import Objective
from moselect.metrics.objectives import RANKING_OBJECTIVES
from moselect.samples.samples import Samples

LOWEST = np.zeros(1, np.int64)  # a prediction without referrals


@dataclass(frozen=True, eq=False)
class DecisionLoss:
    """Decision loss: expected misclassification cost plus a weighted ranking loss.

    loss = mean C[y, predicted] + sum_m ranking_m (1 - measure_m); preferences combine
    both. With a metric, the loss is that of the metric, and the costs its linearisation.

    Attributes
    ----------
    matrix : ndarray of shape (r, r), or (r, r + 1) with a referral
        Costs as given: rows true classes, columns predicted ones, and referral.
    ranking : ndarray of shape (4,)
        Weights of VUS, U_cons, U_ovo and U_pairs, 0 upwards.
    metric : DecisionMetric or None
        Metric that is measured in place of the mean cost.
    ratios : ndarray of shape (r,), or (1,) without priors
        Prior of each class over its share in the table, 1 without priors.
    referral : Referral or None
        Reject option: the answer for cases referred for review.
    rows : ndarray of shape (N, r, r) or (N, r, r + 1), or None
        Costs as given of each row of the table, or of each sample after `for_samples`,
        with the mean ``matrix`` given the true class.
    row_costs : RowCosts or None
        Costs of the rows of other tables; None if they are known for this table only.
    decides_by_row : bool
        Whether decisions are by the costs of the row, or by their mean.
    preferences : mapping of str to float, or None
        Weights of the objectives, if selection is by preferences.
    limits : sequence of Limit
        Maximum shares of mistakes.
    """

    matrix: Floats
    ranking: Floats = field(default_factory=lambda: np.zeros(4))
    metric: DecisionMetric | None = None
    ratios: Floats = field(default_factory=lambda: np.ones(1))
    referral: Referral | None = None
    rows: Floats | None = None
    row_costs: RowCosts | None = None
    decides_by_row: bool = False
    preferences: Mapping[str, float] | None = None
    limits: Sequence[Limit] = ()

    @cached_property
    def in_use(self) -> Floats:
        """Cost matrix times prior ratios: its mean over samples estimates the cost in use."""
        return self.matrix * self.ratios[:, None]

    @cached_property
    def cells(self) -> Floats:
        """Costs in use (r, a), or (n, r, a) of each sample."""
        return self.in_use if self.rows is None else self.rows * self.ratios[:, None]

    @property
    def has_priors(self) -> bool:
        """Whether the shares of the classes in use are given."""
        return bool((self.ratios != 1.0).any())

    @property
    def by_cost(self) -> bool:
        """Whether candidates are compared by their mean cost, not by a metric or utility."""
        return self.metric is None and self.preferences is None

    @property
    def of_classes(self) -> DecisionLoss:
        """The loss without the referral column."""
        r = len(self.matrix)
        rows = None if self.rows is None else self.rows[..., :r]
        return replace(self, matrix=self.matrix[:, :r], rows=rows)

    @property
    def key(self) -> bytes:
        """The loss as bytes, the key of cached fits."""
        return self.cells.tobytes() + self.ranking.tobytes() + repr(self.metric).encode()

    def given_for(self, samples: Samples) -> Floats:
        """Return the costs as given, of each sample if they differ."""
        rows = self.for_samples(samples).rows
        return self.matrix if rows is None else rows

    def for_samples(self, samples: Samples) -> DecisionLoss:
        """Return the loss with the costs of each of these samples."""
        rows = np.arange(len(samples)) if samples.rows is None else samples.rows
        return self.take(rows)

    def take(self, rows: Integers) -> DecisionLoss:
        """Return the loss with the costs of some rows, if these have their own."""
        return self if self.rows is None else replace(self, rows=self.rows[rows])

    def solved_costs(self, samples: Samples, proba: Floats | None) -> Floats:
        """Return the costs of decisions; for a metric, solved for out-of-fold ``proba`` (n, r)."""
        if self.metric is None or proba is None:
            return self.in_use

        def confusions_at(costs: Floats) -> Floats:
            predicted = least_expected_cost(proba, costs)
            return confusion_of(samples, predicted, samples.n_classes)

        masses = np.asarray(samples.class_weights, np.float64)
        return self.metric.solve(confusions_at, masses).costs

    def solved_for_scores(
        self, codes: Integers, scores: Floats, weights: Floats
    ) -> DecisionLoss:
        """Return the loss with the costs that optimise its metric along scores (n,)."""
        if self.metric is None:
            return self
        masses = np.eye(len(self.in_use))[codes] * weights[:, None]
        return replace(
            self, matrix=metric_thresholds(self.metric, scores, masses)[1].costs
        )

    def chance_loss(self, codes: Integers, weights: Floats) -> float:
        """Compute the loss without features: cheapest constant class, random ranking."""
        if self.metric is not None:
            sizes = np.bincount(codes, weights, minlength=len(self.in_use))
            return self.metric.chance_loss(sizes)
        label = float((weights @ costs_at(self.cells, codes)).min() / weights.sum())
        chance = np.array([1.0 / math.factorial(len(self.in_use)), 0.5, 0.5, 0.5])
        return label + float(self.ranking @ (1.0 - chance))

    def max_cost(self, samples: Samples, predicted: Integers) -> float:
        """Compute the increase in mean cost by one further mistake of maximum cost.

        The mistake is on one sample with the typical weight of its class, in the class
        where it costs most; if priors change the class shares, it is averaged over the
        classes in use, because otherwise one class that is rare in the table dominates.
        The increase is 0 if every sample is referred.
        """
        return self.of_one_row(samples, max_mistakes(self.in_use, samples, predicted))

    def of_one_row(self, samples: Samples, changes: Floats) -> float:
        """Compute the greatest change of the mean by one row, given that in each class (r,)."""
        change = changes.max()
        if self.has_priors:
            weights = samples.class_weights * self.ratios
            change = np.average(changes, weights=weights)
        return float(change / samples.sample_weight_or_ones.sum())

    def losses(
        self,
        codes: Integers,
        predicted: Integers,
        scores: Floats,
        weights: Floats,
        folds: Integers | None = None,
        units: Integers | None = None,
    ) -> tuple[float, Floats]:
        """Compute the loss of predictions and the influence (n,) of each sample on it.

        With the fold of each sample (n,), a ranking is measured within folds, as scores of
        fold models are not comparable. ``units`` (n,) are clusters, by default the samples.
        """
        if self.metric is not None:
            return self.metric.losses(codes, predicted, weights)
        total = weights.sum()
        costs = costs_at(self.cells, codes, predicted)
        label = float(weights @ costs) / total
        influence = costs - label
        if not self.ranking.any():
            return label, influence
        parts = codes, len(self.in_use), scores, weights, folds, units
        utility, components = cross_validated_utility(self.ranking, *parts)
        return label + float(self.ranking.sum()) - utility, influence - components

    def least_loss(self, codes: Integers, scores: Floats, weights: Floats) -> float:
        """Compute the loss of scores with thresholds that minimise the cost on them."""
        if self.metric is not None:
            masses = np.eye(len(self.in_use))[codes] * weights[:, None]
            solution = metric_thresholds(self.metric, scores, masses)[1]
            return float(self.metric.loss(solution.confusions))
        loss = 0.0
        if self.in_use.any():
            _, loss = exact_thresholds(scores, codes, self.cells, weights)
        if self.ranking.any():
            parts = codes, len(self.in_use), scores, weights
            utility, _ = ranking_utility(self.ranking, *parts)
            loss += float(self.ranking.sum()) - utility
        return loss


def objective_loss(objective: Objective, class_counts: Integers) -> DecisionLoss:
    """Build the decision loss of an objective that can be optimised."""
    if objective.costs is not None:
        return DecisionLoss(objective.costs(class_counts))
    nothing = np.zeros((len(class_counts), len(class_counts)))
    return DecisionLoss(nothing, np.eye(4)[RANKING_OBJECTIVES.index(objective.name)])


def confusion_of(samples: Samples, predicted: Integers, n_answers: int) -> Floats:
    """Compute the (weighted) confusion matrix: true classes by answers."""
    r = samples.n_classes
    return count_cells(samples.codes, predicted, samples.weights, r, max(r, n_answers))


def ranking_utility(
    ranking: Floats, codes: Integers, n_classes: int, scores: Floats, weights: Floats
) -> tuple[float, Floats]:
    """Compute the weighted sum of ranking measures, and the influence (n,) of each sample.

    Class sizes are fixed: the influences of the samples of each class have mean 0.
    """
    masses = np.bincount(codes, weights, minlength=n_classes).astype(np.float64)
    components = np.empty(len(codes))
    order = np.lexsort((-codes, scores))
    pair_weights = weights_of_pairs(ranking, masses)
    vus, pairs = ranking_components(
        order, codes, weights, pair_weights, float(ranking[0]), components
    )
    means = np.bincount(codes, weights * components, minlength=n_classes)
    means = np.divide(means, masses, out=np.zeros(n_classes), where=masses > 0.0)
    return float(ranking[0] * vus + pairs), weights.sum() * (components - means[codes])


SMALLEST_MASS = 1e-200  # avoids division by 0


def cross_validated_utility(
    ranking: Floats,
    codes: Integers,
    n_classes: int,
    scores: Floats,
    weights: Floats,
    folds: Integers | None = None,
    units: Integers | None = None,
) -> tuple[float, Floats]:
    """Compute the weighted ranking measures as a mean over folds with every class.

    The influence of each sample is its structural component over all folds, as a class may
    have a single sample in one. The remaining deviation of a fold (the higher-order terms
    of Hoeffding's decomposition) belongs to no sample: it is distributed over the clusters
    of the fold with alternating signs, so that the sum of squares is its variance.
    """
    n = len(codes)
    units = np.arange(n) if units is None else units
    _, fold = np.unique(np.zeros(n) if folds is None else folds, return_inverse=True)
    masses = np.bincount(
        fold * n_classes + codes, weights, minlength=(fold.max() + 1) * n_classes
    )
    masses = masses.reshape(-1, n_classes)
    complete = np.full(len(masses), folds is None) | masses.all(axis=1)
    if not complete.any():
        return math.nan, np.zeros(n)
    measured = np.zeros(len(masses))
    for j in np.flatnonzero(complete):
        rows = fold == j
        measured[j], _ = ranking_utility(
            ranking, codes[rows], n_classes, scores[rows], weights[rows]
        )
    shares = masses.sum(axis=1) * complete
    shares /= shares.sum()
    utility = float(shares @ measured)
    used = complete[fold]
    totals = masses[complete].sum(axis=0)
    influence = np.zeros(n)
    _, influence[used] = ranking_utility(
        ranking, codes[used], n_classes, scores[used], weights[used]
    )
    # In a fold, the samples of a class have the share of the fold between them.
    influence *= (shares[:, None] * totals / np.maximum(masses, SMALLEST_MASS))[
        fold, codes
    ]
    rest = shares * (measured - utility)
    rest -= np.bincount(fold, weights * influence) / totals.sum()
    rest *= np.sqrt(complete.sum() / max(1, complete.sum() - 1))
    # Deviations from a mean of N effective draws are too small by N / (N - 1).
    squares = draw_squares(codes[used], weights[used], units[used], n_classes)
    draws = totals**2 / np.maximum(squares, SMALLEST_MASS)
    influence *= np.sqrt(draws / np.maximum(draws - 1.0, 1.0))[codes]
    first = np.unique(units, return_index=True)[1]
    of_fold = np.bincount(fold[first], minlength=len(masses))
    dealt = rest / np.sqrt(np.maximum(of_fold, 1)) * totals.sum()
    mass = np.maximum(np.bincount(units, weights), SMALLEST_MASS)
    influence += dealt[fold] * used * (-1.0) ** units / mass[units]
    return utility, weights.sum() / totals.sum() * influence
