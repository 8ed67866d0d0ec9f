"""Calibration of a score, smooth or by proportional odds, and thresholds of least cost under it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from moselect._types import Floats, Integers
from moselect.costs.decisions import (
    cheapest_thresholds_of_costs,
    expected_costs,
)
from moselect.costs.thresholds import check_scored
from moselect.models.maximum_likelihood import fit_proportional_odds
from moselect.operators.graph import Result, proportional_odds
from moselect.predictor.score_calibration import (
    ScoreCalibration,
    class_probabilities,
    class_shares,
    probabilities_above,
)
from moselect.samples.training import location_and_scale
from moselect.validation import weights_or_ones

PENALTY = 1e-6  # keeps slopes finite where the score separates the classes


@dataclass(frozen=True)
class Calibration:
    """Proportional odds of P(y | score), with a correction by their residuals.

    The correction are the residuals, smoothed along the score. Proportional odds have low
    variance where samples are few; the correction makes the estimate consistent for any shape
    where they are many.

    Attributes
    ----------
    centre, spread : float
        Mean and standard deviation of the scores; the other attributes refer to
        standardised scores.
    slope, thresholds : float, ndarray of shape (r - 1,)
        Proportional odds.
    positions, corrections : ndarray of shape (m,) and (m, r)
        Smoothed residuals, linear between the positions and constant outside.

    Examples
    --------
    >>> scores, codes = np.repeat([-1.0, 1.0], 100), np.tile([0, 0, 0, 1], 50)
    >>> codes[100:] = 1 - codes[100:]
    >>> calibrate(scores, codes, 2)(np.array([-1.0, 1.0])).round(1)
    array([[0.7, 0.3],
           [0.3, 0.7]])
    """

    centre: float
    spread: float
    slope: float
    thresholds: Floats
    positions: Floats
    corrections: Floats

    def __call__(self, scores: Floats) -> Floats:
        """Compute the class probabilities (n, r) at some scores (n,)."""
        standardised = (scores - self.centre) / self.spread
        predicted = self.parametric(standardised)
        for k, correction in enumerate(self.corrections.T):
            # Interpolated corrections keep their sum of 0 over the classes.
            predicted[:, k] += np.interp(standardised, self.positions, correction)
        # A correction may exceed a small probability: cut at 0 and divided by the sum.
        predicted = np.maximum(predicted, 0.0)
        return predicted / predicted.sum(axis=1, keepdims=True)

    def operators(self, scores: Result) -> Result:
        """Convert to operators, from scores (n, 1) to class probabilities (n, r)."""
        z = (scores - self.centre) / self.spread
        common = proportional_odds(z * self.slope, self.thresholds)
        # One line between two positions each, and constant ones outside.
        lines = np.diff(self.corrections, axis=0) / np.diff(self.positions)[:, None]
        slopes = np.pad(lines, [(1, 1), (0, 0)])
        starts = np.append(self.positions[0], self.positions)
        values = np.vstack([self.corrections[0], self.corrections])
        piece = z.count_below(self.positions)
        flat = piece.apply("Reshape", np.array([-1]))
        start = z.graph.add("Gather", starts, piece)
        value, slope = (z.graph.add("Gather", table, flat) for table in (values, slopes))
        proba = (common + (value + slope * (z - start))).apply("Max", 0.0)
        return proba / proba.total()

    def rising(self, weights: Floats) -> Calibration:
        """Return a similar calibration whose P(y > k) never fall as the score rises.

        Isotonic regression of each P(y > k) at the positions (m,) with their weights (m,);
        linear between the positions and constant outside: a constant parametric model,
        and all else in the corrections.
        """
        # Isotonic regression of each cumulative probability along the score.
        proba = self(self.centre + self.spread * self.positions)
        above = probabilities_above(proba).T
        fitted = [isotonic_regression(column, weights=weights).x for column in above]
        shares = class_shares(np.minimum.accumulate(np.column_stack(fitted), axis=1))
        # With a slope of 0 the parametric part is constant, and corrections carry the
        # whole shape.
        flat = replace(self, slope=0.0)
        return replace(flat, corrections=shares - flat.parametric(self.positions))

    def parametric(self, scores: Floats) -> Floats:
        """Compute the proportional odds (n, r) at standardised scores."""
        return class_probabilities(self.slope * scores, self.thresholds)


# prior weight of the parametric model in a window, in samples
PRIOR_COUNT = 20.0
WINDOW = 6.0  # standard deviations beyond which the window weighs less than 2e-8


def smoothed_residuals(
    positions: Floats, class_weights: Floats, predicted: Floats
) -> Floats:
    """Average observed less predicted class shares around each score, (m, r).

    By a Gaussian window of standard deviation 1 on scores (m,); samples of residual 0 shrink
    the averages. ``class_weights`` (m, r) are the samples of each class at a score, and
    ``predicted`` (m, r) their probabilities.
    """
    squares = np.subtract.outer(positions, positions) ** 2
    squares[squares > WINDOW**2] = np.inf
    window = np.exp(squares / -2.0)
    totals = class_weights.sum(axis=1)
    residuals = class_weights - totals[:, None] * predicted
    # A shrunk Nadaraya-Watson average.
    return window @ residuals / (window @ totals + PRIOR_COUNT)[:, None]


def calibrate(
    scores: Floats,
    codes: Integers,
    n_classes: int,
    weights: Floats | None = None,
    *,
    rising: bool = False,
) -> Calibration:
    """Estimate P(y | score) from scores and class codes.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Finite scores, of any scale.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1; a class may be missing.
    n_classes : int
        r.
    weights : ndarray of shape (n,), optional
        Weights of the samples.
    rising : bool, default=False
        Whether no P(y > k) may fall as the score rises (`Calibration.rising`).

    Returns
    -------
    Calibration

    """
    w = weights_or_ones(weights, len(scores))
    scores = scores[w > 0.0]
    codes = codes[w > 0.0]
    w = w[w > 0.0]
    centre, spread = map(float, location_and_scale(scores, w))
    positions, class_weights = tabulate((scores - centre) / spread, codes, n_classes, w)
    # Each score once for every class that has samples there.
    row, code = np.nonzero(class_weights)
    common = fit_proportional_odds(
        positions[row, None], code, n_classes, PENALTY, class_weights[row, code]
    )
    # The corrections are residuals of the parametric model, which has none yet.
    none = np.zeros_like(class_weights)
    slope = float(common.weights[0])
    plain = Calibration(centre, spread, slope, common.intercepts, positions, none)
    # Of the Gaussian window, in standard deviations of the score: the rate n^(-1/5) balances
    # squared bias and variance of a kernel estimate.
    bandwidth = 0.6 * class_weights.sum() ** -0.2
    corrections = smoothed_residuals(
        positions / bandwidth, class_weights, plain.parametric(positions)
    )
    calibration = replace(plain, corrections=corrections)
    if rising:
        return calibration.rising(class_weights.sum(axis=1))
    return calibration


def calibrate_score(
    scores: Floats,
    codes: Integers,
    n_classes: int,
    weights: Floats | None = None,
    ridge: float = 0.0,
    *,
    rising: bool = False,
) -> ScoreCalibration:
    """Calibrate out-of-fold scores to class probabilities by proportional odds.

    With in-sample scores the probabilities would be too extreme. ``ridge`` is the
    penalty of the square of the slope; ``rising`` keeps it from being negative.
    """
    centre, spread = map(float, location_and_scale(scores, weights))
    standard = (scores - centre) / spread
    # The ridge is stated for the raw score: its slope is smaller by the spread.
    penalty = PENALTY + ridge / spread**2
    fit = fit_proportional_odds(
        standard[:, None],
        codes,
        n_classes,
        penalty,
        weights,
        signs=np.array([int(rising)]),
    )
    # Back to the units of the score: P(y > k) = s(slope score - intercept).
    slope = float(fit.weights[0]) / spread
    return ScoreCalibration(
        slope=slope, intercepts=(fit.intercepts + slope * centre).tolist()
    )


# Above this number distinct scores are binned, equally many a bin.
MAX_POSITIONS = 2_048


def tabulate(
    scores: Floats, codes: Integers, n_classes: int, weights: Floats
) -> tuple[Floats, Floats]:
    """Aggregate samples to ascending scores or bins (m,), with class weights (m, r)."""
    distinct, position = np.unique(scores, return_inverse=True)
    m = len(distinct)
    if m > MAX_POSITIONS:
        # Ranks of the distinct scores, cut into bins of equally many.
        position = position * MAX_POSITIONS // m
        m = MAX_POSITIONS
    class_weights = np.zeros((m, n_classes))
    np.add.at(class_weights, (position, codes), weights)
    totals = np.bincount(position, weights, minlength=m)
    # A bin stands at the mean score of its samples.
    positions = np.bincount(position, weights * scores, minlength=m) / totals
    return positions, class_weights


def smooth_thresholds(
    scores: ArrayLike,
    codes: ArrayLike,
    costs: ArrayLike,
    weights: ArrayLike | None = None,
) -> Floats:
    """Find thresholds of least expected cost under calibrated class probabilities.

    Observed costs are replaced by their expectation at each score: thresholds that follow
    the noise of single samples cost 2 to 4 % more in test samples.

    Parameters
    ----------
    scores, codes, costs, weights
        As in `exact_thresholds`. A class may be missing.

    Returns
    -------
    ndarray of shape (r - 1,)
        Ascending, each half-way between two neighbouring scores.

    Raises
    ------
    ValueError
        If scores, codes, costs and weights do not fit each other.

    Examples
    --------
    >>> scores = np.arange(100.0)
    >>> codes = np.where(scores < 50, 0, 1)
    >>> codes[10] = 1
    >>> equal, skewed = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[0.0, 1.0], [9.0, 0.0]])
    >>> bool(smooth_thresholds(scores, codes, equal) > smooth_thresholds(scores, codes, skewed))
    True
    """
    return thresholds_of_calibration(*check_scored(scores, codes, costs, weights))


def thresholds_of_calibration(
    scores: Floats, codes: Integers, costs: Floats, weights: Floats
) -> Floats:
    """Find the thresholds of `smooth_thresholds`, of arrays that fit each other."""
    proba = calibrate(scores, codes, len(costs.T), weights)(scores)
    expected = expected_costs(proba, costs) * weights[:, None]
    return cheapest_thresholds_of_costs(scores, expected)[0]
