"""Direction of a linear rule, fitted to standardised samples for a decision loss."""

from typing import NamedTuple, Self

import numpy as np
from scipy.linalg import cholesky, inv
from scipy.optimize import Bounds, minimize
from scipy.special import expit

from moselect._types import Floats, Integers
from moselect.budgets import LINEAR
from moselect.costs.decisions import costs_at, least_expected_cost
from moselect.costs.priced import Priced
from moselect.metrics.class_pairs import weights_of_pairs
from moselect.models.linear.smoothed_ranking import smoothed_ranking
from moselect.models.maximum_likelihood import (
    CONVERGED,
    FLAT,
    NARROWEST,
    Fit,
    Likelihood,
    fit_proportional_odds,
)
from moselect.predictor import class_probabilities
from moselect.samples.parts import rows_to_fit
from moselect.samples.samples import Samples
from moselect.samples.training import location_and_scale


class Part(NamedTuple):
    """Training subset, with all samples in columns that are fitted to the subset."""

    Z: Floats  # (n, p), standardised
    rows: Integers  # (k,) of the training samples
    codes: Integers  # (k,) their classes
    sample_weights: Floats  # (k,)
    n_classes: int
    offset: Floats  # (p,) means
    inverse_scale: Floats  # (p,) inverse standard deviations, 0 for a constant column
    signs: Integers | None = None  # (p,) directions of the columns, 0 for any
    basis: Floats | None = None  # (p, n) basis of the row space if Z is expressed in it

    @classmethod
    def of(
        cls,
        X: Floats,
        signs: Integers | None,
        codes: Integers,
        weights: Floats,
        n_classes: int,
    ) -> Self:
        """Standardise columns (n, p); all samples are training samples."""
        offset, scale = location_and_scale(X, weights)
        inverse_scale = (np.ptp(X, axis=0) > 0.0) / scale
        Z = (X - offset) * inverse_scale
        basis = None
        if X.shape[1] > len(X) and signs is None:
            # A ridge solution lies in the row space of the samples.
            U, lengths, Vt = np.linalg.svd(Z, full_matrices=False)
            Z = U * lengths
            basis = Vt.T
        rows = np.arange(len(X))
        known = rows, codes, weights, n_classes
        return cls(Z, *known, offset, inverse_scale, signs, basis)

    def take(self, rows: Integers, most: int) -> Self:
        """Return the part with at most so many training samples, of all samples before."""
        codes = self.codes[rows]
        some, weights = rows_to_fit(codes, self.sample_weights[rows], most)
        assert weights is not None
        return self._replace(rows=rows[some], codes=codes[some], sample_weights=weights)

    def proportional_odds(
        self, penalty: float, start: Fit | None = None, tolerance: float = CONVERGED
    ) -> Fit:
        """Fit weights (p,) and cut points (r - 1,)."""
        return fit_proportional_odds(
            self.train,
            self.codes,
            self.n_classes,
            penalty,
            self.sample_weights,
            tolerance=tolerance,
            start=start,
            signs=self.signs,
        )

    def weights(self, direction: Floats) -> Floats:
        """Convert a direction of Z to coefficients (p,) in the units of the columns."""
        spread = direction if self.basis is None else self.basis @ direction
        return spread * self.inverse_scale

    def unit(self, direction: Floats) -> Floats:
        """Scale a direction (p,) to a standard deviation of 1 of its training scores.

        Constant scores are left unscaled.
        """
        scores = self.train @ direction
        return direction / location_and_scale(scores, self.sample_weights)[1]

    @property
    def train(self) -> Floats:
        """Standardised columns of the training samples."""
        return self.Z[self.rows]


# A relative gain of 1e-5 is about a hundredth of a unit of log-likelihood:
# predictions do not change.
FUNCTION_TOLERANCE = 1e-5


def tune_direction(
    part: Part,
    criteria: Priced,
    penalty: float,
    emphasis: float,
    start: Fit,
) -> Floats:
    """Minimise the proportional-odds loss plus a smoothed decision loss.

    The objective is NLL(w, theta) + penalty / 2 |w|^2 + emphasis n / L0 * L(w, b), over
    w, theta and b. In the decision loss L, the indicator that a sample exceeds threshold
    b_k is smoothed to s(w . x_i - b_k), with the logistic function s, and the indicator
    that it ranks above another sample to F(w . (x_i - x_j) / 2), with the Laplace
    distribution function F. L0 is the loss of the plug-in rule of the initial model.

    Parameters
    ----------
    part : Part
        Training samples.
    criteria : Priced
        The decision loss L, with the costs of all samples.
    penalty, emphasis : float
        Weights of |w|^2 / 2 and of L.
    start : Fit
        Initial w and theta.
    """
    X = part.train
    codes = part.codes
    weights = part.sample_weights
    r = len(criteria.in_use)
    samples = Samples(X, codes, np.arange(r), weights=weights, rows=part.rows)
    criteria = criteria.of(samples)
    scores = X @ start.weights
    plugged = least_expected_cost(
        class_probabilities(scores, start.intercepts), criteria.in_use
    )
    base, _ = criteria.loss.estimate(criteria.cells, samples, plugged, scores)
    if base == 0.0:
        return start.weights
    # Between the highest score of each class and the next.
    lowest = scores.min() - 1.0
    thresholds = [scores[plugged <= k].max(initial=lowest) for k in range(r - 1)]
    share = emphasis / base
    # Change of the cost of each sample at each threshold.
    steps = np.diff(costs_at(criteria.cells, codes), axis=1) * share * weights[:, None]
    ranking = criteria.loss.ranking * (share * weights.sum())
    masses = np.bincount(codes, weights, minlength=r).astype(float)
    pair_weights = weights_of_pairs(ranking, masses)
    likelihood = Likelihood(codes, weights, r)
    p = X.shape[1]
    last = p + r - 1
    root, low, high = _coordinates(part, penalty)
    basis = inv(root)

    def loss(packed: Floats) -> tuple[float, Floats]:
        """Compute the objective of coordinates of w, increments of theta, and b."""
        coef = basis @ packed[:p]
        scores = X @ coef
        value, margins = likelihood.value(scores, packed[p:last])
        d_scores, d_increments = likelihood.gradient(expit(margins), packed[p:last])
        passed = expit(scores[:, None] - packed[last:])
        slopes = steps * passed * (1.0 - passed)
        value += float(np.vdot(steps, passed))
        d_scores += slopes.sum(axis=1)
        if ranking.any():
            # the difference of two logistic errors is about Laplace with this scale
            pair_scale = 2.0
            gain, d_ranking = smoothed_ranking(
                scores, codes, weights, pair_weights, float(ranking[0]), pair_scale
            )
            value -= gain
            d_scores -= d_ranking
        value += float(penalty * coef @ coef) / 2.0
        d_coef = (d_scores @ X + penalty * coef) @ basis
        return value, np.concatenate([d_coef, d_increments, -slopes.sum(axis=0)])

    increments = np.diff(start.intercepts, prepend=0.0)
    best = minimize(
        loss,
        np.concatenate([root @ start.weights, increments, thresholds]),
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(low, high),
        options={"maxiter": LINEAR.direction_steps, "ftol": FUNCTION_TOLERANCE},
    )
    return basis @ best.x[:p]


def _coordinates(part: Part, penalty: float) -> tuple[Floats, Floats, Floats]:
    """Return coordinates of the weights that speed up convergence, and bounds of parameters.

    The coordinates ``root @ w`` are of whitened features, or, with signs, of scaled ones.
    """
    X = part.train
    weights = part.sample_weights
    total = weights.sum()
    p = X.shape[1]
    low = np.full(p + 2 * (part.n_classes - 1), -np.inf)
    high = -low
    low[p + 1 : p + part.n_classes - 1] = NARROWEST
    # Second moments of the features: with the penalty, a bound of the Hessian.
    spread = (X * weights[:, None]).T @ X / total
    spread += (penalty / total + FLAT) * np.eye(p)
    root = cholesky(spread)
    if part.signs is not None and part.signs.any():
        root = np.diag(np.sqrt(spread.diagonal()))  # keeps the signs of coordinates
        low[:p][part.signs > 0] = 0.0
        high[:p][part.signs < 0] = 0.0
    return root, low, high
