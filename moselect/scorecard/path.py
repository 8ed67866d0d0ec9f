"""Cards of 1, 2, ... conditions from one fit, and how many conditions are best on new data."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from moselect._types import Booleans, Floats, Integers
from moselect.folds import Folds
from moselect.models import AdditiveOdds
from moselect.models.card import ScoreCalibration
from moselect.models.ready_made import rows_to_fit
from moselect.samples import equal_rows
from moselect.scorecard.likelihood import fit_line
from moselect.scorecard.points import whole_points
from moselect.scorecard.selection import Rules, select_conditions

LONGEST = 20  # conditions of a path, unless more are asked for
UNLIKELY = 1e-6  # least probability counted


class Rows(NamedTuple):
    """Samples: features (n, p), conditions met (n, m), classes 0 .. s - 1 and weights (n,)."""

    values: Floats
    met: Booleans
    codes: Integers
    weights: Floats

    def take(self, chosen: Booleans) -> Rows:
        """Return some of them."""
        return Rows(self.values[chosen], self.met[chosen], self.codes[chosen], self.weights[chosen])


class Settings(NamedTuple):
    """How many conditions and points, the weight of the curves, and what else a card keeps to."""

    n_conditions: int
    points: int
    smoothing: float
    rules: Rules


class Card(NamedTuple):
    """Conditions, by their indices, their points (k,), and proportional odds along the sum."""

    conditions: Integers
    points: Integers
    line: ScoreCalibration

    def probabilities(self, met: Booleans) -> Floats:
        """Compute the class probabilities (n, s) of samples by all conditions that they meet."""
        sums = (met[:, self.conditions] @ self.points).astype(np.float64)
        return self.line.probabilities(sums)


def fit_path(rows: Rows, n_classes: int, settings: Settings) -> list[Card]:
    """Return cards of 1, 2, ... conditions, as many as there are to be if so many gain anything.

    What is fitted is a mean of the observed class and of its probabilities by a sum of curves:
    these have less noise than the class, so that a card of few samples is nearer to what holds.
    Of many samples 5,000 are enough.
    """
    some = np.zeros(len(rows.codes), dtype=bool)
    some[rows_to_fit(rows.codes)] = True
    part = rows.take(some)
    targets = np.zeros((len(part.codes), n_classes))
    if settings.smoothing > 0.0:
        curves = AdditiveOdds(n_products=0, labels=list(range(n_classes)))
        curves.fit(part.values, part.codes, part.weights)
        targets += settings.smoothing * curves.predict_proba(part.values)
    targets[np.arange(len(targets)), part.codes] += 1.0 - settings.smoothing
    targets *= part.weights[:, None]
    met = part.met.astype(np.float64)
    cards = []
    for step in select_conditions(met, targets, settings.n_conditions, settings.rules):
        signs = settings.rules.signs[step.support]
        whole = whole_points(step.quadratic, step.weights, settings.points, signs)
        cards.append(Card(step.support, whole, fit_line(met[:, step.support] @ whole, targets)))
    return cards


def held_out_losses(rows: Rows, n_classes: int, settings: Settings, n_folds: int) -> Floats:
    """Return the log loss of cards of 1, 2, ... conditions on samples not fitted, shape (k,)."""
    folds = Folds.deal(equal_rows(rows.values), rows.codes, n_folds, rows.weights).index
    losses = np.zeros((settings.n_conditions, len(folds)))
    for fold in np.unique(folds):
        out = folds == fold
        inside, outside = rows.take(~out), rows.take(out)
        seen, codes = np.unique(inside.codes, return_inverse=True)
        if len(seen) < 2:
            continue
        cards = fit_path(inside._replace(codes=codes), len(seen), settings)
        own = np.searchsorted(seen, outside.codes).clip(max=len(seen) - 1)
        known = seen[own] == outside.codes
        for k in range(settings.n_conditions):
            card = cards[min(k, len(cards) - 1)]
            stated = card.probabilities(outside.met)[np.arange(len(own)), own] * known
            losses[k, out] = -np.log(np.maximum(stated, UNLIKELY))
    return losses @ rows.weights / rows.weights.sum()
