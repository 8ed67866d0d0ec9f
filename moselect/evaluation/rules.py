"""Decision rules on the predictions of a candidate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

import numpy as np
from msgspec import structs

from moselect._types import Floats, record
from moselect.candidates.cross_validation import Fitted
from moselect.costs.decisions import costs_in_order, expected_costs
from moselect.costs.limits import Limit
from moselect.costs.priced import Priced
from moselect.costs.row_costs import RowCosts
from moselect.models.learner import Predictions
from moselect.predictor.decisions import LeastCost
from moselect.samples.samples import Samples

# Lagrange multiplier of a limit, in units of the mean cost, beyond which decisions are
# constant
LARGEST_PRICE = 2.0**24


# Coordinate-wise passes over all limits, and bisections of the price of one.
PRICE_ROUNDS = 5


def limit_prices(
    limits: Sequence[Limit], costs: Floats, samples: Samples, probabilities: Floats
) -> Floats:
    """Find the least prices (k,) of the limited mistakes at which all limits hold.

    A limit holds with its margin. If it does at no price, as too few rows show none, the
    price is the least at which the rate itself is below the limit, or else 0. A price is
    paid by the rows of the limit's group alone. ``costs`` are (r, a), or (n, r, a) of each
    sample.
    """
    unit = costs.mean() or 1.0
    prices = np.zeros(len(limits))
    expected = expected_costs(probabilities, costs)
    rows = [limit.rows_of(samples) for limit in limits]
    parts = [limit.part_of(samples) for limit in limits]
    # Expected cost (n, a) of each decision, by the price of a limited mistake.
    increases = [
        own[:, None] * (probabilities @ limit.frequencies(costs.shape[-1]))
        for own, limit in zip(rows, limits, strict=True)
    ]

    def holds(index: int, by_rate: bool, price: float) -> bool:
        limit = limits[index]
        tried = expected + (price - prices[index]) * increases[index]
        rate = limit.rate(parts[index], tried.argmin(axis=1)[rows[index]])
        return rate.share <= limit.most if by_rate else limit.allows(rate)

    for _ in range(PRICE_ROUNDS):
        before = prices.copy()
        for index, increase in enumerate(increases):
            tried = (
                least_price(partial(holds, index, by_rate), prices[index], unit)
                for by_rate in (False, True)
            )
            price = next((found for found in tried if found is not None), prices[index])
            expected = expected + (price - prices[index]) * increase
            prices[index] = price
        if np.array_equal(before, prices):
            break
    return prices


PRICE_BISECTIONS = 20


def least_price(
    holds: Callable[[float], bool], start: float, unit: float
) -> float | None:
    """Bisect the least price from ``start`` on at which a limit holds; None if at none."""
    if holds(start):
        return start
    low = start
    high = unit
    while not holds(high):
        if high >= LARGEST_PRICE * unit:
            return None
        low = high
        high = 2.0 * high
    for _ in range(PRICE_BISECTIONS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


@record
class LeastExpectedCost:
    """Decisions of least expected cost by class probabilities.

    Attributes
    ----------
    priced : Priced
        The costs in use.
    costs : ndarray of shape (r, r), or (r, r + 1) with a referral
        Costs that decide: those that optimise a metric, increased by the prices of limits.
    by_row : bool
        Whether each row has costs of its own, with the same increase.
    of_groups : mapping of Limit to ndarray of shape (r, a)
        Increases of the costs of the rows of a group, by limits in groups.
    """

    priced: Priced
    costs: Floats
    by_row: bool = False
    of_groups: Mapping[Limit, Floats] = field(default_factory=dict)

    def costs_for(self, samples: Samples) -> Floats:
        """Return the costs (r, a) of decisions, or (n, r, a) of each sample."""
        costs = self.costs
        if self.by_row:
            increase = costs - self.priced.in_use
            costs = self.priced.of(samples).cells + increase
        for limit, increase in self.of_groups.items():
            costs = costs + limit.rows_of(samples)[:, None, None] * increase
        return costs

    def decide(self, samples: Samples, predictions: Predictions) -> Predictions:
        """Return the predictions with the decisions of this rule."""
        return predictions.with_decision(self.costs_for(samples))

    def within_limits(self, samples: Samples, proba: Floats) -> LeastExpectedCost:
        """Return the rule with the costs of limited mistakes raised until limits hold."""
        limits = self.priced.limits
        prices = limit_prices(limits, self.costs_for(samples), samples, proba)
        costs = self.costs
        of_groups = {}
        for limit, price in zip(limits, prices, strict=True):
            increase = price * limit.frequencies(costs.shape[-1])
            if limit.members is None:
                costs = costs + increase
            else:
                of_groups[limit] = increase
        if not any(increase.any() for increase in of_groups.values()):
            of_groups = {}
        return replace(self, costs=costs, of_groups=of_groups)

    def in_order(
        self, samples: Samples, directions: Mapping[str, int]
    ) -> tuple[LeastExpectedCost, bool]:
        """Return a rule near this one that keeps known directions, and whether it does."""
        ordered = replace(self, costs=costs_in_order(self.costs))
        if not self.of_groups:
            return ordered, True
        columns = {limit.column for limit in self.of_groups}
        are_in_order = columns.isdisjoint(directions) and all(
            np.array_equal(costs, costs_in_order(costs))
            for costs in np.unique(ordered.costs_for(samples), axis=0)
        )
        return ordered, are_in_order

    def keeps_order_by_row(self, samples: Samples) -> bool:
        """Whether the costs of all rows are positive multiples of one matrix in order.

        A factor of a row changes no decision.
        """
        costs = self.costs_for(samples)
        factors = costs.mean(axis=(1, 2), keepdims=True)
        if not factors.all():
            return False
        common = costs[0] / factors[0]
        are_multiples = np.allclose(costs / factors, common, rtol=1e-9, atol=1e-12)
        return are_multiples and bool(np.allclose(common, costs_in_order(common)))

    def of_model(self, model: Any, samples: Samples) -> Any:
        """Return the decision of the deployable model, fitted to these samples."""
        if not model.has_probabilities:
            return OwnThresholds(self.priced, self.costs).of_model(model, samples)
        referral = self.priced.referral
        row_costs = self._row_costs
        if row_costs is not None:
            return LeastCost(None, referral, row_costs)
        # The outermost thresholds must lie beyond all training scores.
        has_score = model.calibration is not None
        scores = model.decision_function(samples.X) if has_score else None
        return model.scorer.decision(self.costs, referral, scores)

    @property
    def _row_costs(self) -> RowCosts | None:
        """Costs of the rows of other tables, if rows or groups have their own."""
        priced = self.priced
        row_costs = priced.row_costs
        if row_costs is None and not self.of_groups:
            return None
        if row_costs is None:
            cells, refer = np.split(priced.matrix, [len(priced.matrix)], axis=1)
            ratios = priced.ratios.tolist()
            row_costs = RowCosts(cells.tolist(), refer.ravel().tolist() or None, ratios)
        groups: dict[str, dict[str, list[list[float]]]] = {}
        for limit, of_group in self.of_groups.items():
            known = groups.setdefault(limit.column, {})
            before = known.get(limit.group, 0.0)
            known[limit.group] = np.add(of_group, before).tolist()
        increase = self.costs - priced.in_use
        return structs.replace(row_costs, prices=increase.tolist(), groups=groups)


class OwnThresholds(LeastExpectedCost):
    """Decisions that the model has taken: by thresholds that minimise costs along its score."""

    def decide(self, samples: Samples, predictions: Predictions) -> Predictions:
        """Return the predictions unchanged."""
        return predictions

    def of_model(self, model: Any, samples: Samples) -> Any:
        """Return the decision of the model."""
        decision = model.decision
        if self.priced.referral is None:
            return decision
        # No row needs a review: the score has the ranges of the classes.
        thresholds, codes = (part.tolist() for part in decision.breakpoints)
        ranges = structs.replace(self.priced.referral, thresholds=thresholds, codes=codes)
        return replace(decision, referral=ranges)


def decision_rule(fit: Fitted, priced: Priced, tested: Samples) -> LeastExpectedCost:
    """Return the decision rule of a candidate without limits.

    Models for costs, and the linear rule, have thresholds that minimise the costs along
    their score; limits that these miss, and referrals, need the probabilities. A constant
    prediction is the class of least mean cost, whatever a row costs.
    """
    costs = priced.loss.solve(priced.in_use, tested, fit.cv.proba)
    by_row = priced.decides_by_row and not fit.is_constant
    rule = LeastExpectedCost(priced, costs, by_row)
    if by_row or not fit.has_thresholds:
        return rule
    is_any_referred = priced.referral is not None and bool(
        (rule.decide(tested, fit.cv).codes >= len(costs)).any()
    )
    if is_any_referred or not all(
        limit.reached(tested, fit.cv.codes).holds for limit in priced.limits
    ):
        return rule
    return OwnThresholds(priced, costs)
