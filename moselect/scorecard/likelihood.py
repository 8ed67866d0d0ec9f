"""The likelihood of proportional odds along a score, for targets that are class probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from moselect._types import Floats
from moselect.models.card import ScoreCalibration, calibrate_score

LEAST = 1e-12  # probability by which is divided


class Quadratic(NamedTuple):
    """What a log-likelihood is near a solution: ``c . w - w . H w / 2`` of weights w, but a sum.

    Cut points are at their best for every w.
    """

    linear: Floats  # c, (m,)
    curvature: Floats  # H, (m, m), with the ridge penalty


def fit_line(scores: Floats, targets: Floats, ridge: float = 0.0) -> ScoreCalibration:
    """Fit proportional odds along scores (n,) to weighted class probabilities (n, r)."""
    distinct, index = np.unique(scores, return_inverse=True)
    table = np.zeros((len(distinct), targets.shape[1]))
    np.add.at(table, index, targets)
    at, codes = np.nonzero(table)
    return calibrate_score(distinct[at], codes, table.shape[1], table[at, codes], ridge)


def expand(met: Floats, weights: Floats, cuts: Floats, targets: Floats, ridge: float) -> Quadratic:
    """Expand the penalised log-likelihood around weights (m,) and their best cut points.

    ``met`` (n, m) are all columns; the curvature is the expected one (Fisher's information).
    """
    within = expit(cuts - (met @ weights)[:, None])
    density = within * (1.0 - within)  # of the score at each cut point
    sides = [(0, 0), (1, 1)]
    probabilities = np.diff(np.pad(within, sides, constant_values=(0.0, 1.0)), axis=1)
    np.maximum(probabilities, LEAST, out=probabilities)
    slopes = -np.diff(np.pad(density, sides), axis=1)  # of the probabilities by the score
    per_class = targets.sum(axis=1)[:, None] / probabilities
    gradient = met.T @ (targets * slopes / probabilities).sum(axis=1)
    # Information of the score, of score and cut points, and of cut points, which are profiled out.
    own = (slopes**2 * per_class).sum(axis=1)
    pulled = slopes * per_class
    across = met.T @ (density * (pulled[:, :-1] - pulled[:, 1:]))
    between = (density[:, :-1] * density[:, 1:] * per_class[:, 1:-1]).sum(axis=0)
    of_cuts = np.diag((density**2 * (per_class[:, :-1] + per_class[:, 1:])).sum(axis=0) + LEAST)
    of_cuts -= np.diag(between, 1) + np.diag(between, -1)
    weighted = met * np.sqrt(own)[:, None]  # a product with itself takes BLAS half the time
    information = weighted.T @ weighted - across @ np.linalg.solve(of_cuts, across.T)
    linear = gradient + information @ weights
    return Quadratic(linear, information + ridge * np.eye(len(weights)))
