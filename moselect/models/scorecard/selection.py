"""Selection of conditions for scorecards by beam search and swaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from moselect._types import Array, Booleans, Floats, Integers
from moselect.budgets import SCORECARD
from moselect.models.calibration import calibrate_score
from moselect.predictor.score_calibration import ScoreCalibration

LEAST = 1e-12  # smallest probability in a denominator
RIDGE = 1.0  # of the coefficients of 0-1 conditions, on the scale of the log-likelihood
# unexplained share of a column's variance, below which it counts as collinear
COLLINEAR = 1e-3

Support = tuple[int, ...]


class Rules(NamedTuple):
    """Constraints on scorecards.

    Attributes
    ----------
    features : ndarray of shape (m,)
        Source column of each condition.
    signs : ndarray of shape (m,)
        1 or -1 where points must be positive or negative, else 0.
    included : ndarray
        Columns that the scorecard must contain.
    """

    features: Array
    signs: Integers
    included: Array

    def allowed(self, support: Support) -> Booleans:
        """Flag admissible next conditions: included features come first."""
        wanted = set(self.included.tolist()) - set(self.features[list(support)].tolist())
        # A feature that must be on the card comes before all others.
        if not wanted:
            return np.ones(len(self.features), dtype=bool)
        return np.isin(self.features, list(wanted))


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

    def extensions(self, supports: Sequence[Support], rules: Rules) -> Floats:
        """Compute the likelihoods (t, m) of supports of one size, each with one more condition.

        A condition that the support has or explains, or whose points would have the wrong
        sign, is not admissible: -inf.
        """
        chosen = np.array(supports, dtype=np.int64)
        rows = self.curvature[chosen]
        linear = self.linear[chosen][:, None]
        inverse = np.linalg.inv(self.curvature[chosen[:, :, None], chosen[:, None, :]])
        weights = linear @ inverse
        diagonal = self.curvature.diagonal()
        # Gradient and curvature that remain for a further condition, once the support is
        # fitted (Schur complement).
        score = self.linear - (weights @ rows)[:, 0]
        rest = diagonal - (rows * (inverse @ rows)).sum(axis=1)
        excluded = (rest < COLLINEAR * diagonal) | (rules.signs * score < 0.0)
        for support, each in zip(supports, excluded, strict=True):
            each[~rules.allowed(support)] = True
            each[list(support)] = True
        fitted = (linear * weights).sum(axis=2) / 2.0
        gains = score**2 / np.where(excluded, 1.0, rest) / 2.0
        return np.where(excluded, -np.inf, fitted + gains)

    def swapped(self, support: Support, rules: Rules) -> Support:
        """Swap conditions until no swap raises the likelihood, or 20 are made."""
        for _ in range(SCORECARD.swaps):
            # Each condition in turn leaves, and any other may take its place.
            rests = [support[:i] + support[i + 1 :] for i in range(len(support))]
            values = self.extensions(rests, rules)
            i, j = np.unravel_index(int(values.argmax()), values.shape)
            if values[i, j] <= self.value(support) * (1.0 + 1e-9):
                break
            support = tuple(sorted((*rests[int(i)], int(j))))
        return support


class Fitted(NamedTuple):
    """Support with coefficients (k,), intercepts and penalised likelihood."""

    support: Support
    weights: Floats
    intercepts: Floats
    likelihood: float

    @classmethod
    def at(
        cls, met: Floats, support: Support, weights: Floats, targets: Floats
    ) -> Fitted:
        """Fit the scale of the coefficients and the intercepts."""
        scores = met[:, list(support)] @ weights
        # The coefficients keep their ratios: only the scale and the intercepts are fitted
        # anew.
        line = fit_line(scores, targets, RIDGE * float(weights @ weights))
        stated = np.maximum(line.probabilities(scores), LEAST)
        scaled = weights * line.slope
        likelihood = float(
            (targets * np.log(stated)).sum() - RIDGE / 2.0 * (scaled @ scaled)
        )
        return cls(support, scaled, np.array(line.intercepts), likelihood)


# Least gain in log-likelihood by one more condition, and by one more round of swaps.
LEAST_GAIN = 1e-9
LIKELIHOOD_TOLERANCE = 0.01


def select_conditions(
    met: Floats, targets: Floats, most: int, rules: Rules
) -> list[Fitted]:
    """Select supports of 1, 2, ... ``most`` conditions, while the likelihood rises.

    The likelihood is expanded once around each support. This quadratic ranks all
    candidates of the next size: the best extensions of the supports in the beam, and then
    swaps of one condition for another.

    Parameters
    ----------
    met : ndarray of shape (n, m)
        Indicators of the conditions that samples meet, 0 or 1.
    targets : ndarray of shape (n, r)
        Target class probabilities, each row times its sample weight.
    most : int
        Conditions of the largest support.
    rules : Rules
        Constraints on scorecards.
    """

    def expanded(around: Fitted) -> Quadratic:
        weights = np.zeros(met.shape[1])
        weights[list(around.support)] = around.weights
        return expand(met, weights, around.intercepts, targets)

    def swapped(at: Quadratic, support: Support) -> Fitted:
        # Swaps are judged by the expansion, the result by the likelihood itself.
        best = at.swapped(support, rules)
        return Fitted.at(met, best, at.solve(best), targets)

    best_yet = Fitted.at(met, (), np.zeros(0), targets)
    expansion = expanded(best_yet)
    beam: list[Support] = [()]
    path: list[Fitted] = []
    while len(path) < most:
        # Supports that several members of the beam lead to count once.
        extended: dict[Support, float] = {}
        for support, values in zip(beam, expansion.extensions(beam, rules), strict=True):
            fitted = expansion.value(support)
            for j in np.argsort(-values, kind="stable")[: SCORECARD.beam].tolist():
                # Gains within rounding do not count: no condition tells classes apart.
                if values[j] > fitted + LEAST_GAIN:
                    extended[tuple(sorted((*support, j)))] = values[j]
        if not extended:
            break
        beam = sorted(extended, key=lambda support: -extended[support])[: SCORECARD.beam]
        best_yet = swapped(expansion, beam[0])
        expansion = expanded(best_yet)
        # The likelihood is expanded around the new support, whose best swaps may differ.
        for _ in range(SCORECARD.swap_rounds):
            new = swapped(expansion, best_yet.support)
            if new.likelihood < best_yet.likelihood + LIKELIHOOD_TOLERANCE:
                break
            best_yet = new
            expansion = expanded(new)
        # The best support of this length heads the beam of the next.
        beam = list(dict.fromkeys([best_yet.support, *beam]))[: SCORECARD.beam]
        path.append(best_yet)
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
