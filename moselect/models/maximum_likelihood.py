"""Maximum likelihood of proportional odds (McCullagh 1980), by Newton's method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dposv
from scipy.special import expit, log_expit, logit

from moselect._types import Floats, Integers
from moselect.validation import weights_or_ones

# Ridge of standardised features that keeps collinear ones from dividing by zero.
FLAT = 1e-8
# Gap between the cut points at the start, also around a class without samples.
NARROWEST = 1e-6
# Gain in log-likelihood per unit of weight, as the quadratic expansion predicts it, of the last
# step; most fits need four to eight.
CONVERGED = 1e-8
# The same of a loose fit: out-of-fold likelihoods of penalties differ by far more, also where the
# Hessian is of an earlier step, and predicts too little.
CLOSE_ENOUGH = 3e-6
MOST_ITERATIONS = 200
# Share of the gain that the gradient predicts, which a step must reach (Armijo's rule).
SUFFICIENT = 1e-4
SHORTEST = 1e-8


class Fit(NamedTuple):
    """The weights and cut points of greatest penalised likelihood."""

    weights: Floats  # (p,)
    intercepts: Floats  # (r - 1,)
    n_iter: int = 0
    has_converged: bool = False
    # of the negative log-likelihood without the penalty, at one of the last steps
    hessian: Floats | None = None


class Likelihood:
    """Negative log-likelihood of proportional odds, of scores and cut points.

    The probability of a class between two cut points is F(u - s) F(s - l) (1 - exp(l - u)), with
    the logistic F: each sample is a case of up to two logistic regressions, and the last factor
    depends on their gap alone. ``increments`` (r - 1,) are the lowest cut point and the gaps.
    """

    def __init__(self, codes: Integers, weights: Floats, n_classes: int) -> None:
        self.n = len(codes)
        # A sample is a case of the cut points above and below its class, where there are any.
        below = np.flatnonzero(codes < n_classes - 1)
        above = np.flatnonzero(codes > 0)
        self.sample = np.concatenate([below, above])
        self.cut = np.concatenate([codes[below], codes[above] - 1])
        # Signed so that the case is likely where its margin is low.
        self.sign = np.repeat([1.0, -1.0], [len(below), len(above)])
        self.weights = weights[self.sample]
        self.of_gaps = np.bincount(codes, weights, minlength=n_classes)[1:-1]
        # A gap moves all cut points above it.
        self.cumulative = np.tri(n_classes - 1)

    def value(self, scores: Floats, increments: Floats) -> tuple[float, Floats]:
        """Compute the value, and the margin of each case."""
        margins = self.sign * (scores[self.sample] - np.cumsum(increments)[self.cut])
        fit = self.weights @ log_expit(-margins)
        fit += self.of_gaps @ np.log(-np.expm1(-increments[1:]))
        return -float(fit), margins

    def gradient(self, missed: Floats, increments: Floats) -> tuple[Floats, Floats]:
        """Compute the slopes by scores (n,) and by increments (r - 1,).

        ``missed`` are the probabilities ``expit(margins)`` of the opposite of each case.
        """
        pull = self.sign * self.weights * missed
        by_increments = -np.bincount(self.cut, pull, len(increments)) @ self.cumulative
        closed = np.exp(-increments[1:])
        by_increments[1:] -= self.of_gaps * closed / (1.0 - closed)
        return np.bincount(self.sample, pull, self.n), by_increments  # type: ignore[return-value]


def fit_proportional_odds(
    X: Floats,
    codes: Integers,
    n_classes: int,
    penalty: float | Floats,
    sample_weight: Floats | None = None,
    *,
    tolerance: float = CONVERGED,
    start: Fit | None = None,
    signs: Integers | None = None,
) -> Fit:
    """Fit ``P(y <= k | x) = expit(b_k - w @ x)`` with a ridge penalty ``penalty / 2 |w|^2``.

    By projected Newton steps (Bertsekas 1982, SIAM J. Control 20:221). In the lowest cut point
    and the gaps the loss is convex, and all constraints are bounds.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Features, standardised.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1.
    n_classes : int
        r.
    penalty : float, or ndarray of shape (p,)
        Weight of the ridge penalty, on the scale of the summed log-likelihood, or one for
        each feature; an infinite one leaves the feature out.
    sample_weight : ndarray of shape (n,), optional
        Weights of the samples.
    tolerance : float
        Predicted gain in log-likelihood of the last step, per unit of weight.
    start : Fit, optional
        Coefficients and cut points near the solution, to speed up convergence. A loose fit
        starts with its Hessian, of the same features.
    signs : ndarray of int, shape (p,), optional
        1 or -1 where a weight must not have the other sign, else 0.

    Returns
    -------
    Fit

    References
    ----------
    McCullagh (1980), Regression models for ordinal data, Journal of the Royal Statistical
    Society B 42:109-142.

    Examples
    --------
    >>> X, codes = np.array([[-1.0], [1.0], [-1.0], [1.0]]), np.array([0, 1, 1, 2])
    >>> fit = fit_proportional_odds(X, codes, 3, penalty=1e-3)
    >>> bool(fit.weights[0] > 0.0), bool(np.allclose(fit.intercepts.sum(), 0.0, atol=1e-4))
    (True, True)
    """
    n, p = X.shape
    sample_weight = weights_or_ones(sample_weight, n)
    if signs is None:
        signs = np.zeros(p, int)
    used = np.isfinite(penalty)
    if not used.all():
        fit = fit_proportional_odds(
            np.compress(used, X, axis=1),  # in the order of X, unlike X[:, used]
            codes,
            n_classes,
            np.asarray(penalty)[used],
            sample_weight,
            tolerance=tolerance,
            start=start and start._replace(weights=start.weights[used]),
            signs=signs[used],
        )
        weights = np.zeros(p)
        weights[used] = fit.weights
        return fit._replace(weights=weights)
    # By the representer theorem the optimum lies in the span of the samples.
    if p > n and np.ndim(penalty) == 0 and not signs.any():
        basis = sample_space(X)
        fit = fit_proportional_odds(
            X @ basis.T,
            codes,
            n_classes,
            penalty,
            sample_weight,
            tolerance=tolerance,
            start=start and start._replace(weights=basis @ start.weights),
        )
        return fit._replace(weights=fit.weights @ basis)
    if start is None:
        # At scores 0 the cut points are the log-odds of the cumulative class shares.
        start = Fit(np.zeros(p), marginal_intercepts(codes, n_classes, sample_weight))
    likelihood = Likelihood(codes, sample_weight, n_classes)
    total = float(sample_weight.sum())
    low = np.full(p + n_classes - 1, -np.inf)
    high = -low
    low[p + 1 :] = NARROWEST
    low[:p][signs > 0] = 0.0
    high[:p][signs < 0] = 0.0
    ridge = np.zeros(p + n_classes - 1)
    ridge[:p] = penalty

    def loss(parameters: Floats) -> tuple[float, Floats]:
        value, margins = likelihood.value(X @ parameters[:p], parameters[p:])
        return float(ridge @ parameters**2 / 2.0) + value, margins

    intercepts = start.intercepts
    parameters = np.concatenate([start.weights, intercepts[:1], np.diff(intercepts)])
    parameters = np.clip(parameters, low, high)
    value, margins = loss(parameters)
    gain, last_gain = np.inf, np.inf
    hessian = start.hessian
    has_converged = False
    n_iter = 0
    while not has_converged and n_iter < MOST_ITERATIONS:
        missed = expit(margins)
        by_scores, by_increments = likelihood.gradient(missed, parameters[p:])
        gradient = ridge * parameters
        gradient[:p] += by_scores @ X
        gradient[p:] += by_increments
        # The Hessian is most of the work: for a loose fit it serves while the gain halves.
        if hessian is None or tolerance <= CONVERGED or gain > last_gain / 2.0:
            curvatures = likelihood.weights * missed * (1.0 - missed)
            by_cut = np.zeros((n, n_classes - 1))
            by_cut[likelihood.sample, likelihood.cut] = curvatures
            scaled = X * np.sqrt(np.bincount(likelihood.sample, curvatures, n))[:, None]
            moved = by_cut.sum(axis=0) @ likelihood.cumulative
            hessian = np.empty((len(ridge), len(ridge)))
            hessian[:p, :p] = scaled.T @ scaled
            hessian[:p, p:] = -(X.T @ by_cut) @ likelihood.cumulative
            hessian[p:, :p] = hessian[:p, p:].T
            hessian[p:, p:] = np.minimum.outer(moved, moved)
            # Collinear features and distant cut points have no curvature of their own.
            curvature = np.full(len(ridge), FLAT * total)
            closed = np.exp(-parameters[p + 1 :])
            curvature[p + 1 :] += likelihood.of_gaps * closed / (1.0 - closed) ** 2
            hessian.flat[:: len(hessian) + 1] += curvature
        # A parameter at its bound stays there if the loss falls beyond it.
        stays = (parameters <= low) & (gradient > 0.0)
        stays |= (parameters >= high) & (gradient < 0.0)
        free = np.flatnonzero(~stays)
        step = np.zeros_like(parameters)
        penalised = hessian[np.ix_(free, free)]
        penalised.flat[:: len(free) + 1] += ridge[free]
        _, step[free], failed = dposv(penalised, -gradient[free])
        if failed:
            raise np.linalg.LinAlgError(
                "the likelihood is not concave: are values finite?"
            )
        # The last step is taken: it squares the distance to the optimum.
        last_gain = gain
        gain = -float(gradient @ step)
        has_converged = gain <= 2.0 * tolerance * total
        length = 1.0
        while length > SHORTEST:
            tried = np.clip(parameters + length * step, low, high)
            tried_value, tried_margins = loss(tried)
            if tried_value <= value + SUFFICIENT * gradient @ (tried - parameters):
                parameters, value, margins = tried, tried_value, tried_margins
                break
            length /= 2.0
        else:  # rounding leaves nothing to gain
            has_converged = True
        n_iter += 1
    intercepts = np.cumsum(parameters[p:])
    return Fit(parameters[:p], intercepts, n_iter, has_converged, hessian)


def sample_space(X: Floats) -> Floats:
    """Return an orthonormal basis (n, p) of the samples (n, p), n < p.

    Under a ridge penalty the best weights are a combination of the samples.
    """
    return np.linalg.qr(X.T)[0].T


def marginal_intercepts(codes: Integers, n_classes: int, weights: Floats) -> Floats:
    """Compute the cut points of the null model, with all scores 0."""
    class_weights = np.bincount(codes, weights=weights, minlength=n_classes)
    shares = np.cumsum(class_weights)[:-1] / class_weights.sum()
    return logit(np.clip(shares, NARROWEST, 1.0 - NARROWEST))


# Lower bound of probabilities, for classes that are absent from a training fold.
CLIP_PROBA = 1e-6


def log_likelihoods(proba: Floats, codes: Integers) -> Floats:
    """Compute the log-likelihood (..., n) of samples under class probabilities (..., n, r)."""
    of_true = proba[..., np.arange(len(codes)), codes]
    return np.log(np.maximum(of_true, CLIP_PROBA))
