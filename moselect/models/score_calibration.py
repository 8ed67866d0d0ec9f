"""Calibration of a score: class probabilities by proportional odds along it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from moselect.models.maximum_likelihood import fit_proportional_odds
from moselect.predictor.card import ScoreCalibration
from moselect.samples.training import moments


def calibrate_score(
    scores: NDArray[np.float64],
    codes: NDArray[np.int64],
    n_classes: int,
    weights: NDArray[np.float64] | None = None,
    ridge: float = 0.0,
    *,
    rising: bool = False,
) -> ScoreCalibration:
    """Calibrate out-of-fold scores to class probabilities by proportional odds.

    With in-sample scores the probabilities would be too extreme. ``ridge`` is the
    penalty of the square of the slope; ``rising`` keeps it from being negative.
    """
    centre, spread = map(float, moments(scores, weights))
    spread = spread or 1.0
    standard = (scores - centre) / spread
    # Ridge penalty that keeps the slope finite if scores separate the classes.
    steady = 1e-6
    # The ridge is stated for the raw score: its slope is smaller by the spread.
    penalty = steady + ridge / spread**2
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
