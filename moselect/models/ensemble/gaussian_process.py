"""Gaussian process regression on the ranks of the classes."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve
from scipy.optimize import Bounds, minimize
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.utils import check_random_state, gen_batches

from moselect._types import Floats, RandomState
from moselect.budgets import ENSEMBLE, MEMORY
from moselect.operators.graph import Result
from moselect.samples.training import RankRegressor, location_and_scale

FURTHEST = 4.0  # standard deviations at which features are clipped by the process
# jitter relative to the trace, which keeps a matrix positive definite
JITTER = 1e-12


class Kernel(NamedTuple):
    """``smooth exp(-|a - b|^2 / (2 length^2)) + linear (1 + a . b)`` of two rows a and b."""

    smooth: float
    length: float
    linear: float


class GaussianProcessRanks(RankRegressor):
    """Fit the mean of a Gaussian process with a smooth, a linear and a noise part.

    Features are standardised and clipped at 4 standard deviations. The variances and the
    length scale of the kernel maximise the marginal likelihood on a hundred random rows, where
    the scale is at least the median distance to the nearest row. With them the posterior mean
    is exact up to a thousand rows, and above projected on the values of the process at a
    thousand of them.

    Parameters
    ----------
    random_state : int, RandomState or None, default=None
        Seed of the choice of rows.

    Attributes
    ----------
    kernel_ : Kernel
        Variances of the smooth and the linear part, and the length scale.
    noise_ : float
        Variance of the noise, for standardised ranks.
    rows_, dual_coef_ : ndarray of shape (m, p) and (m,)
        Standardised inducing points, and their coefficients in the posterior mean.
    centre_, scale_ : ndarray of shape (p,)
        Mean and standard deviation of the features.
    mean_, spread_ : float
        Mean and standard deviation of the ranks.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    References
    ----------
    Rasmussen & Williams (2006), Gaussian processes for machine learning, equations 2.25,
    5.8 and 8.14.

    Examples
    --------
    >>> X, ranks = np.linspace(0.0, 4.0, 60)[:, None], np.repeat([1, 2, 3], 20)
    >>> GaussianProcessRanks(random_state=1).fit(X, ranks).predict([[0.3], [3.7]]).round()
    array([1., 3.])
    """

    def __init__(self, *, random_state: RandomState = None) -> None:
        self.random_state = random_state

    def _fit(self, values: Floats, ranks: Floats, weights: Floats | None) -> None:
        """Fit; weights divide the variance of noise."""
        if weights is None:
            weights = np.ones(len(ranks))
        order = check_random_state(self.random_state).permutation(len(ranks))
        # An infinite noise variance: samples of weight 0 say nothing.
        order = order[weights[order] > 0.0]
        self.centre_, self.scale_ = location_and_scale(values, weights)
        self.mean_, self.spread_ = map(float, location_and_scale(ranks, weights))
        targets = (ranks - self.mean_) / self.spread_
        Z = self._standardised(values)

        tuned = order[: ENSEMBLE.kernel_rows]
        # The marginal likelihood costs O(n^3): a small random part is enough for four
        # numbers.
        self.kernel_, self.noise_ = _most_evident_kernel(Z[tuned], targets[tuned])
        centres = order[: ENSEMBLE.inducing_rows]
        fitted = order[: ENSEMBLE.rows]
        self.rows_ = Z[centres]
        right = targets[centres]
        covariance = _covariances(self.kernel_, self.rows_, self.rows_)
        diagonal = np.diag_indices_from(covariance)
        if len(fitted) > len(centres):
            # Subset of regressors: n samples, m inducing points, O(n m^2).
            precision = np.sqrt(weights[fitted] / self.noise_)
            across = (
                _covariances(self.kernel_, Z[fitted], self.rows_) * precision[:, None]
            )
            covariance += across.T @ across
            covariance[diagonal] += JITTER * np.trace(covariance)
            right = across.T @ (precision * targets[fitted])
        else:
            # All samples are inducing points: the exact posterior mean.
            covariance[diagonal] += self.noise_ / weights[centres]
        self.dual_coef_ = solve(covariance, right, assume_a="pos", overwrite_a=True)

    def _predict(self, values: Floats) -> Floats:
        Z = self._standardised(values)
        means = [
            _covariances(self.kernel_, Z[rows], self.rows_) @ self.dual_coef_
            for rows in gen_batches(len(Z), MEMORY.covariance_rows)
        ]
        return self.mean_ + self.spread_ * np.concatenate(means)

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to ranks (n, 1)."""
        rows = self.rows_
        centred = (X - self.centre_[None, :]) / self.scale_[None, :]
        Z = centred.clip(-FURTHEST, FURTHEST)
        # -|a - b|^2 / 2 = a.b - |a|^2 / 2 - |b|^2 / 2 in units of the length scale: few
        # operations on arrays (n, m), which take the time of a prediction.
        scaled = Z * (1.0 / self.kernel_.length)
        others = rows / self.kernel_.length
        exponents = scaled @ others.T.copy() - (scaled * scaled).total() * 0.5
        exponents = (exponents - (others**2).sum(axis=1)[None, :] / 2.0).apply("Min", 0.0)
        smooth_means = (
            exponents.apply("Exp") @ (self.dual_coef_ * self.kernel_.smooth)[:, None]
        )
        # The linear kernel c (1 + a.b) is linear in a.
        dual = self.dual_coef_ * self.kernel_.linear
        means = smooth_means + Z @ (rows.T @ dual)[:, None] + float(dual.sum())
        return means * self.spread_ + self.mean_

    def _standardised(self, values: Floats) -> Floats:
        return np.clip((values - self.centre_) / self.scale_, -FURTHEST, FURTHEST)


def _most_evident_kernel(Z: Floats, targets: Floats) -> tuple[Kernel, float]:
    """Return the kernel of greatest marginal likelihood, and the noise variance."""
    identity = np.eye(len(Z))
    squares = euclidean_distances(Z, squared=True)
    products = 1.0 + Z @ Z.T
    # A smooth part that is shorter than the distance of neighbours is noise on these rows, and
    # on more rows the process would follow the noise.
    start = np.sqrt(Z.shape[1])
    distances = np.sqrt(squares)
    np.fill_diagonal(distances, 2.0 * start)
    shortest = np.median(distances.min(axis=1)).clip(0.1, start)

    def loss(logarithms: Floats) -> tuple[float, Floats]:
        """Compute minus the log-likelihood of the targets, and its gradient."""
        smooth, length, linear, noise = np.exp(logarithms)
        smooth_part = smooth * np.exp(-squares / (2.0 * length**2))
        # derivatives of the covariances by the logarithms
        parts = [
            smooth_part,
            smooth_part * squares / length**2,
            linear * products,
            noise * identity,
        ]
        factor = cho_factor(smooth_part + parts[2] + parts[3])
        inverse = cho_solve(factor, identity)
        fitted = inverse @ targets
        roots = factor[0].diagonal() * np.sqrt(2.0 * np.pi)
        value = targets @ fitted / 2.0 + np.log(roots).sum()
        by_covariance = (inverse - np.outer(fitted, fitted)) / 2.0
        gradient = [(by_covariance * part).sum() for part in parts]
        return value, np.array(gradient)

    # Amplitudes start where a standardised target has them.
    starts = [0.5, start, 0.1, 0.3]
    low = [1e-3, shortest, 1e-5, 1e-3]
    high = [1e3, 1e3, 1e2, 1e1]
    bounds = Bounds(np.log(low), np.log(high))
    best = minimize(loss, np.log(starts), jac=True, method="L-BFGS-B", bounds=bounds)
    *kernel, noise = np.exp(best.x).tolist()
    return Kernel(*kernel), noise


def _covariances(kernel: Kernel, rows: Floats, others: Floats) -> Floats:
    """Compute the kernel between rows (n, p) and (m, p)."""
    values = rbf_kernel(rows, others, 0.5 / kernel.length**2) * kernel.smooth
    values += kernel.linear * (1.0 + rows @ others.T)
    return values
