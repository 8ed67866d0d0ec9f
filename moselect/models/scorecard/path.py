"""Path of scorecards of 1, 2, ... conditions, and the learner that selects one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from msgspec.structs import replace
from sklearn.base import clone

from moselect._types import Floats, Integers
from moselect.budgets import SCORECARD
from moselect.models import AdditiveOdds
from moselect.models.learner import Learner
from moselect.models.scorecard.selection import (
    Quadratic,
    Rules,
    expand,
    fit_line,
    select_conditions,
)
from moselect.predictor.score_calibration import ScoreCalibration
from moselect.samples.folds import Folds
from moselect.samples.parts import rows_to_fit
from moselect.samples.samples import Samples
from moselect.samples.training import ObservedClasses

LONGEST = 20  # conditions of a path, unless n_conditions is larger


class Card(NamedTuple):
    """Indices of conditions, their points (k,), and proportional odds of the sum."""

    conditions: Integers
    points: Integers
    line: ScoreCalibration

    def of_all_classes(self, observed: ObservedClasses) -> Card:
        """Extend a scorecard of the observed classes to all classes."""
        intercepts = observed.at_all_boundaries(
            np.array(self.line.intercepts), -np.inf, np.inf
        )
        return self._replace(line=replace(self.line, intercepts=intercepts.tolist()))


def fit_path(
    values: Floats,
    met: Floats,
    codes: Integers,
    weights: Floats,
    n_conditions: int,
    most_points: int,
    rules: Rules,
) -> list[Card]:
    """Fit scorecards of 1, 2, ... conditions while further ones raise the likelihood.

    The fitted target is the mean of the observed class and of its probabilities under an
    additive model: these have less noise than the class, which helps scorecards of few
    samples generalise. Larger data are subsampled to 5,000 samples.

    Parameters
    ----------
    values, met : ndarray of shape (n, p) and (n, m)
        Features, and indicators of the conditions met, 0 or 1.
    codes, weights : ndarray of shape (n,)
        Class codes 0 .. r - 1, each with samples, and weights.
    n_conditions, most_points : int
        Conditions on the longest scorecard, and largest number of points of one.
    rules : Rules
        Constraints on scorecards.
    """
    n_classes = int(codes.max()) + 1
    # Large tables are drawn by class: conditions need no more rows.
    some, drawn = rows_to_fit(codes, weights)
    if drawn is not None:
        weights = drawn
    values = values[some]
    met = met[some]
    codes = codes[some]
    # A smooth model of all features tempers the observed classes: selection follows less
    # noise.
    additive = AdditiveOdds(n_products=0).fit(values, codes, weights)
    # weight of the observed class in the fitted target; the additive model has the rest
    observed = 0.5
    targets = observed * np.eye(n_classes)[codes] + (
        1.0 - observed
    ) * additive.predict_proba(values)
    targets *= weights[:, None]
    cards = []
    for fitted in select_conditions(met, targets, n_conditions, rules):
        chosen = np.array(fitted.support)
        expansion = expand(met[:, chosen], fitted.weights, fitted.intercepts, targets)
        points = integer_points(
            expansion, fitted.weights, most_points, rules.signs[chosen]
        )
        cards.append(Card(chosen, points, fit_line(met[:, chosen] @ points, targets)))
    return cards


def integer_points(
    quadratic: Quadratic, weights: Floats, most: int, signs: Integers
) -> Integers:
    """Maximise the likelihood over integer points (k,), with scale and intercepts free.

    Coefficients (k,) are rounded at several scales; local search from the best of these
    changes one or two points at a time by one, until no change raises the likelihood.
    Points are non-zero, at most ``most`` in absolute value, and obey ``signs`` of 1 or -1.
    """
    # Directions bound the points: a condition with a direction has at least one point of
    # its sign.
    low = np.where(signs > 0, 1, -most)
    high = np.where(signs < 0, -1, most)
    largest = np.abs(weights).max()
    # All scales at which the largest coefficient rounds to 1 .. most points.
    scales = np.arange(0.75, most + 0.5, 0.25) / largest
    starts = np.clip(np.rint(weights * scales[:, None]), low, high)
    toward = np.where(signs != 0, signs, np.where(weights < 0.0, -1, 1))
    # A condition without points would not be on the card.
    starts = np.where(starts == 0.0, toward, starts)
    points = starts[_likelihood(quadratic, starts).argmax()]
    k = len(points)
    # Steps of one point for a condition, or for two at once.
    single = np.vstack([np.eye(k), -np.eye(k)])
    i, j = np.triu_indices(2 * k, k=1)
    moves = np.vstack([single, single[i] + single[j]])
    for _ in range(SCORECARD.point_steps):
        tried = points + moves
        tried = tried[((tried >= low) & (tried <= high) & (tried != 0.0)).all(axis=1)]
        gains = _likelihood(quadratic, np.vstack([points, tried]))
        best = int(gains.argmax())
        # Gains within rounding do not count: the search must end.
        if gains[best] - gains[0] <= abs(gains[0]) * 1e-9:
            break
        points = tried[best - 1]
    return points.astype(np.int64)


def _likelihood(quadratic: Quadratic, points: Floats) -> Floats:
    """Compute twice the gain in likelihood of each row of points (t, k) at its best scale."""
    # The scale of integer points is free: the likelihood at the best of them is (c s)^2 /
    # (s H s), signed, since a negative scale would turn the card around.
    slopes = points @ quadratic.linear
    return slopes * np.abs(slopes) / ((points @ quadratic.curvature) * points).sum(axis=1)


# lower bound of probabilities in the log loss
CLIP_PROBA = 1e-6


@dataclass(frozen=True, eq=False)
class CardLearner(Learner):
    """Learner of scorecards.

    Attributes
    ----------
    card : Scorecard
        Unfitted scorecard; ``labels`` come from the samples.
    """

    card: Any

    def fit(self, samples: Samples, criteria: Any = None) -> Any:
        """Fit the scorecard."""
        labels = list(range(samples.n_classes))
        fresh = clone(self.card).set_params(labels=labels)
        if samples.directions:
            fresh.set_params(monotone=samples.directions)
        return fresh.fit(samples.X, samples.codes, samples.weights, samples.groups)

    def log_losses(self, samples: Samples) -> pd.Series:
        """Compute the cross-validated log loss by the number of conditions."""
        codes = samples.codes
        weights = samples.weights
        # One fit has the scorecards of all numbers of conditions: five fits for twenty losses,
        # where `cross_validate` predicts by one scorecard a fit.
        proba = np.empty((LONGEST, len(codes), samples.n_classes))
        for train, test in Folds.deal(samples.cv_groups, codes, SCORECARD.folds, weights):
            model = self.fit(samples.take(train))
            proba[:, test] = model.path_probabilities(samples.take(test).X)
        of_true = np.maximum(proba[:, np.arange(len(codes)), codes], CLIP_PROBA)
        losses = np.average(-np.log(of_true), axis=1, weights=weights)
        return pd.Series(losses, pd.RangeIndex(1, LONGEST + 1, name="conditions"))
