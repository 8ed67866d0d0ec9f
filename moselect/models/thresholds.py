"""Cuts along a score that cost least: of given costs, or expected by calibrated probabilities."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from moselect._kernels.cutpoints import best_cuts, cuts_to_thresholds
from moselect._types import Floats
from moselect.models.card import ScoreCalibration
from moselect.models.referral import Referral, answers_in_turn

GRID = 4_001  # scores at which the cheapest class is looked up first
CERTAIN = 30.0  # logits beyond the outermost cuts, where only one class is left
MARGIN = 3.0  # standard deviations beyond all training scores


def cheapest_cuts(scores: Floats, object_costs: Floats) -> tuple[Floats, float]:
    """Find thresholds for samples that each have their own costs (n, r) of being predicted."""
    n, r = object_costs.shape
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    ends = np.append(ascending[1:] != ascending[:-1], True)
    cuts, counts = np.empty(r - 1, dtype=np.int64), np.ones(n, dtype=np.int64)
    total = best_cuts(
        np.arange(n), counts, np.ones(n), ends, n, object_costs[order], cuts
    )
    return cuts_to_thresholds(ascending, cuts), float(total)


def outer_scores(scores: Floats) -> Floats:
    """Return a score below and one above all scores (n,)."""
    margin = MARGIN * (scores.std() or 1.0)
    return np.array([scores.min() - margin, scores.max() + margin])


def cheapest_thresholds(
    scores: Floats, calibration: ScoreCalibration, costs: Floats
) -> Floats:
    """Return the thresholds (r - 1,) of least expected cost along a score, to the last digits.

    Those of classes that are never cheapest lie outside of all ``scores`` (n,).
    """
    return _cheapest_on(score_grid(scores, calibration), calibration, costs)


def cheapest_referral(
    scores: Floats, calibration: ScoreCalibration, costs: Floats, label: str
) -> Referral:
    """Return for which scores a row is left to a person, by costs (r, r + 1)."""
    grid = score_grid(scores, calibration)
    cuts = _cheapest_on(grid, calibration, answers_in_turn(costs))
    return Referral.along(label, grid, cuts)


def score_grid(scores: Floats, calibration: ScoreCalibration) -> Floats:
    """Return ascending scores between which the cheapest class changes at most once, or hardly."""
    grid = outer_scores(scores)
    if calibration.slope > 0.0:
        # Where probabilities change, wherever scores may lie.
        low, high = calibration.cuts[0] - CERTAIN, calibration.cuts[-1] + CERTAIN
        grid = np.union1d(grid, np.linspace(low, high, GRID) / calibration.slope)
    return grid


def _cheapest_on(grid: Floats, calibration: ScoreCalibration, costs: Floats) -> Floats:
    """Return the cuts (m - 1,) between answers of costs (r, m) that cost least along a grid."""
    thresholds = cheapest_cuts(grid, calibration.probabilities(grid) @ costs)[0]
    classes = (grid[:, None] > thresholds).sum(axis=1)
    for i in np.flatnonzero(np.diff(classes)):
        lower, upper = classes[i], classes[i + 1]

        def gain(
            score: float, beside: Floats = costs[:, lower] - costs[:, upper]
        ) -> float:
            return float((calibration.probabilities(np.array([score])) @ beside)[0])

        if (
            gain(grid[i]) < 0.0 < gain(grid[i + 1])
        ):  # between them both classes cost the same
            thresholds[lower:upper] = brentq(gain, grid[i], grid[i + 1], xtol=1e-300)
    return thresholds
