"""Path of scorecards of 1, 2, ... conditions: their selection and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from scipy.special import expit

from moselect._types import Floats, Integers
from moselect.budgets import SCORECARD
from moselect.models import AdditiveOdds
from moselect.models.calibration import calibrate_score
from moselect.predictor.score_calibration import ScoreCalibration
from moselect.samples.parts import rows_to_fit
from moselect.samples.training import ObservedClasses

LONGEST = 20  # conditions of a path


class Card(NamedTuple):
    """Indices of conditions, their points (k,), and proportional odds of the sum."""

    conditions: Integers
    points: Integers
    line: ScoreCalibration

    def of_all_classes(self, observed: ObservedClasses) -> Card:
        """Extend a scorecard of the observed classes to all classes."""
        intercepts = observed.at_all_boundaries(np.array(self.line.intercepts))
        return self._replace(line=replace(self.line, intercepts=intercepts.tolist()))


def fit_path(
    values: Floats,
    met: Floats,
    codes: Integers,
    weights: Floats,
    n_conditions: int,
    most_points: int,
    signs: Integers,
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
    signs : ndarray of shape (m,)
        1 or -1 where points must be positive or negative, else 0.
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
    for fitted in select_conditions(met, targets, n_conditions, signs):
        chosen = np.array(fitted.support)
        expansion = expand(met[:, chosen], fitted.weights, fitted.intercepts, targets)
        points = integer_points(expansion, fitted.weights, most_points, signs[chosen])
        cards.append(Card(chosen, points, fit_line(met[:, chosen] @ points, targets)))
    return cards


def integer_points(
    quadratic: Quadratic, weights: Floats, most: int, signs: Integers
) -> Integers:
    """Maximise the likelihood over integer points (k,), with scale and intercepts free.

    Coefficients (k,) are rounded at the scale of greatest likelihood. Points are non-zero, at
    most ``most`` in absolute value, and obey ``signs`` of 1 or -1.
    """
    # Directions bound the points: a condition with a direction has at least one point of
    # its sign.
    low = np.where(signs > 0, 1, -most)
    high = np.where(signs < 0, -1, most)
    largest = np.abs(weights).max()
    # All scales at which the largest coefficient rounds to 1 .. most points.
    scales = np.arange(0.75, most + 0.5, 0.25) / largest
    points = np.clip(np.rint(weights * scales[:, None]), low, high)
    toward = np.where(signs != 0, signs, np.where(weights < 0.0, -1, 1))
    # A condition without points would not be on the card.
    points = np.where(points == 0.0, toward, points)
    return points[_likelihood(quadratic, points).argmax()].astype(int)


def _likelihood(quadratic: Quadratic, points: Floats) -> Floats:
    """Compute twice the gain in likelihood of each row of points (t, k) at its best scale."""
    # The scale of integer points is free: the likelihood at the best of them is (c s)^2 /
    # (s H s), signed, since a negative scale would turn the card around.
    slopes = points @ quadratic.linear
    return slopes * np.abs(slopes) / ((points @ quadratic.curvature) * points).sum(axis=1)


LEAST = 1e-12  # smallest probability in a denominator
RIDGE = 1.0  # of the coefficients of 0-1 conditions, on the scale of the log-likelihood
# unexplained share of a column's variance, below which it counts as collinear
COLLINEAR = 1e-3

Support = tuple[int, ...]


class Quadratic(NamedTuple):
    """Quadratic expansion of a log-likelihood: ``c . w - w . H w / 2``, up to a constant.

    Intercepts are profiled out: optimal for every w.
    """

    linear: Floats  # c, (m,)
    curvature: Floats  # H, (m, m), with the ridge penalty

    def solve(self, support: Support) -> Floats:
        """Solve for the optimal coefficients (k,) of a support."""
        curvature = self.curvature[np.ix_(support, support)]
        # Normal equations of the quadratic expansion restricted to the support.
        return np.asarray(np.linalg.solve(curvature, self.linear[list(support)]))

    def value(self, support: Support) -> float:
        """Compute the maximum likelihood of a support."""
        # c H^-1 c / 2, the maximum of c w - w H w / 2.
        return float(self.linear[list(support)] @ self.solve(support)) / 2.0

    def extensions(self, supports: Sequence[Support], signs: Integers) -> Floats:
        """Compute the likelihoods (t, m) of supports of one size, each with one more condition.

        A condition that the support has or explains, or whose points would have the wrong
        sign, is not admissible: -inf.
        """
        chosen = np.array(supports, int)
        rows = self.curvature[chosen]
        linear = self.linear[chosen][:, None]
        inverse = np.linalg.inv(self.curvature[chosen[:, :, None], chosen[:, None, :]])
        weights = linear @ inverse
        diagonal = self.curvature.diagonal()
        # Gradient and curvature that remain for a further condition, once the support is
        # fitted (Schur complement).
        score = self.linear - (weights @ rows)[:, 0]
        rest = diagonal - (rows * (inverse @ rows)).sum(axis=1)
        excluded = (rest < COLLINEAR * diagonal) | (signs * score < 0.0)
        for support, each in zip(supports, excluded, strict=True):
            each[list(support)] = True
        fitted = (linear * weights).sum(axis=2) / 2.0
        gains = score**2 / np.where(excluded, 1.0, rest) / 2.0
        return np.where(excluded, -np.inf, fitted + gains)

    def swapped(self, support: Support, signs: Integers) -> Support:
        """Swap conditions until no swap raises the likelihood, or 20 are made."""
        for _ in range(SCORECARD.swaps):
            # Each condition in turn leaves, and any other may take its place.
            rests = [support[:i] + support[i + 1 :] for i in range(len(support))]
            values = self.extensions(rests, signs)
            i, j = np.unravel_index(int(values.argmax()), values.shape)
            if values[i, j] <= self.value(support) * (1.0 + 1e-9):
                break
            support = tuple(sorted((*rests[int(i)], int(j))))
        return support


class Fitted(NamedTuple):
    """Support with coefficients (k,) and intercepts."""

    support: Support
    weights: Floats
    intercepts: Floats

    @classmethod
    def at(
        cls, met: Floats, support: Support, weights: Floats, targets: Floats
    ) -> Fitted:
        """Fit the scale of the coefficients and the intercepts."""
        scores = met[:, list(support)] @ weights
        # The coefficients keep their ratios: only the scale and the intercepts are fitted
        # anew.
        line = fit_line(scores, targets, RIDGE * float(weights @ weights))
        return cls(support, weights * line.slope, np.array(line.intercepts))


# Least gain in log-likelihood by one more condition.
LEAST_GAIN = 1e-9


def select_conditions(
    met: Floats, targets: Floats, most: int, signs: Integers
) -> list[Fitted]:
    """Select supports of 1, 2, ... ``most`` conditions, while the likelihood rises.

    The likelihood is expanded once around each support. This quadratic ranks the candidates
    of the next size: the best extension of the support, and then swaps of one condition for
    another.

    Parameters
    ----------
    met : ndarray of shape (n, m)
        Indicators of the conditions that samples meet, 0 or 1.
    targets : ndarray of shape (n, r)
        Target class probabilities, each row times its sample weight.
    most : int
        Conditions of the largest support.
    signs : ndarray of shape (m,)
        1 or -1 where coefficients must be positive or negative, else 0.
    """
    fitted = Fitted.at(met, (), np.zeros(0), targets)
    path: list[Fitted] = []
    while len(path) < most:
        weights = np.zeros(met.shape[1])
        weights[list(fitted.support)] = fitted.weights
        expansion = expand(met, weights, fitted.intercepts, targets)
        values = expansion.extensions([fitted.support], signs)[0]
        least = expansion.value(fitted.support) + LEAST_GAIN
        # Gains within rounding do not count: no condition tells classes apart.
        if values.max(initial=-np.inf) <= least:
            break
        best = int(values.argmax())
        # Swaps are judged by the expansion, the result by the likelihood itself.
        longer = tuple(sorted((*fitted.support, best)))
        support = expansion.swapped(longer, signs)
        fitted = Fitted.at(met, support, expansion.solve(support), targets)
        path.append(fitted)
    return path


def fit_line(scores: Floats, targets: Floats, ridge: float = 0.0) -> ScoreCalibration:
    """Fit proportional odds along scores (n,) to weighted class probabilities (n, r)."""
    distinct, index = np.unique(scores, return_inverse=True)
    table = np.zeros((len(distinct), targets.shape[1]))
    # Rows of equal score share one line of the table.
    np.add.at(table, index, targets)
    rows, codes = np.nonzero(table)
    return calibrate_score(
        distinct[rows], codes, table.shape[1], table[rows, codes], ridge
    )


def expand(
    met: Floats, weights: Floats, intercepts: Floats, targets: Floats
) -> Quadratic:
    """Expand the penalised log-likelihood around coefficients (m,) and optimal intercepts.

    ``met`` (n, m) has all columns; the curvature is the expected Fisher information.
    """
    within = expit(intercepts - (met @ weights)[:, None])
    # d P / d score is a difference of densities at neighbouring intercepts.
    density = within * (1.0 - within)  # of the score at each intercept
    sides = [(0, 0), (1, 1)]
    probabilities = np.diff(np.pad(within, sides, constant_values=(0.0, 1.0)), axis=1)
    np.maximum(probabilities, LEAST, out=probabilities)
    slopes = -np.diff(np.pad(density, sides), axis=1)  # of the probabilities by the score
    per_class = targets.sum(axis=1)[:, None] / probabilities
    gradient = met.T @ (targets * slopes / probabilities).sum(axis=1)
    # Fisher information; profiling subtracts the part that the intercepts explain.
    # Information of score, score and intercepts, and intercepts, which are profiled out.
    of_score = (slopes**2 * per_class).sum(axis=1)
    pulled = slopes * per_class
    across = met.T @ (density * (pulled[:, :-1] - pulled[:, 1:]))
    between = (density[:, :-1] * density[:, 1:] * per_class[:, 1:-1]).sum(axis=0)
    of_intercepts = np.diag(
        (density**2 * (per_class[:, :-1] + per_class[:, 1:])).sum(axis=0) + LEAST
    )
    of_intercepts -= np.diag(between, 1) + np.diag(between, -1)
    # a product with itself takes BLAS half the time
    weighted = met * np.sqrt(of_score)[:, None]
    information = weighted.T @ weighted - across @ np.linalg.solve(
        of_intercepts, across.T
    )
    # Gradient of the quadratic expansion at 0: that at the present weights plus H w.
    linear = gradient + information @ weights
    return Quadratic(linear, information + RIDGE * np.eye(len(weights)))
