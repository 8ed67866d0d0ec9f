"""`OrdinalGaussianProcess`: the scikit-learn estimator."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from experiments.sommer2015.gaussian_process.evidence import (
    Evidence,
    Hyperparameters,
    covariance,
)

Floats, Integers = NDArray[np.float64], NDArray[np.int64]

FEW = 500  # samples on which a climb begins
ROWS_AT_ONCE = 1_000  # of predictions


class OrdinalGaussianProcess(ClassifierMixin, BaseEstimator):
    """Gaussian process with ordinal likelihood, by Laplace approximation and maximum evidence.

    A latent function f of prior covariance ``exp(-|x - x'|^2 / (2 l^2))``, l the length scale and
    x standardised, is seen with normal noise; the class is the interval between thresholds in
    which the noisy value falls. Length scale, noise and thresholds maximise the evidence (Chu and
    Ghahramani 2005; Sommer 2015, eq. 1.1-1.10). Of more than ``max_samples`` samples a random part
    of that size is used; every class has its share, and at least one sample.

    With more than 500 samples the climb begins on a stratified part of 500 and is finished on
    all: the result is a maximum of the evidence of all, found with fewer costly steps. It starts
    from a smooth f and much noise. There are no random restarts: where length scale and noise are
    both small, Laplace's approximation puts the evidence far too high, and restarts would end
    there.
    """

    def __init__(self, max_samples: int = 2_000, random_state: int | None = None) -> None:
        self.max_samples = max_samples
        self.random_state = random_state

    def fit(self, X: Floats, y: Integers) -> OrdinalGaussianProcess:
        """Fit to features (n, p) and class codes (n,), 0 .. r - 1, each with samples."""
        self.classes_ = np.unique(y)
        rng = np.random.default_rng(self.random_state)
        rows = stratified_rows(y, self.max_samples, rng)
        self._scaler = StandardScaler()
        self._objects = self._scaler.fit_transform(X[rows])
        with threadpool_limits(1, "blas"):  # more threads give other last digits
            self._fit_standardised(y[rows], rng)
        return self

    def decision_function(self, X: Floats) -> Floats:
        """Score samples by the posterior mean of f, shape (n,); higher means a higher class.

        Of two classes, by its distance to the threshold in standard deviations, which orders
        samples by the probability of the higher class.
        """
        return np.concatenate([self._scores(k) for k in self._covariances(X)])

    def predict_proba(self, X: Floats) -> Floats:
        """Compute class probabilities (n, r), f integrated over its posterior (eq. 1.9)."""
        return np.concatenate([self._probabilities(k) for k in self._covariances(X)])

    def predict(self, X: Floats) -> Integers:
        """Predict the most probable class, (n,)."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def _fit_standardised(self, codes: Integers, rng: np.random.Generator) -> None:
        """Fit to codes of classes that all have samples."""
        squares = cdist(self._objects, self._objects, "sqeuclidean")
        few = stratified_rows(codes, FEW, rng)
        evidence = Evidence(squares[np.ix_(few, few)], codes[few])
        start = Hyperparameters.marginal(
            float(np.sqrt(self._objects.shape[1])), 1.0, codes[few]
        )
        best = evidence.maximise(start)
        if len(few) < len(codes):
            evidence = Evidence(squares, codes)
            inverse_hessian = best.inverse_hessian * (len(few) / len(codes))
            best = evidence.maximise(best.values, inverse_hessian)
        if not best.converged:
            warnings.warn(
                f"the evidence still rose after {best.n_iter} steps",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.length_scale_, self.noise_, self.thresholds_ = best.values
        self._posterior = evidence.approximate(best.values)
        self.log_evidence_ = self._posterior.log_evidence

    def _covariances(self, X: Floats) -> Iterator[Floats]:
        """Compute covariances with the samples in use, for some rows of X at a time."""
        for at in range(0, len(X), ROWS_AT_ONCE):
            Z = self._scaler.transform(X[at : at + ROWS_AT_ONCE])
            yield covariance(cdist(Z, self._objects, "sqeuclidean"), self.length_scale_)

    def _scores(self, k: Floats) -> Floats:
        mean = self._mean(k)
        if len(self.classes_) > 2:
            return mean
        return (mean - self.thresholds_[0]) / self._spread(k)

    def _probabilities(self, k: Floats) -> Floats:
        above = (self._mean(k)[:, None] - self.thresholds_) / self._spread(k)[:, None]
        ends = np.pad(ndtr(above), [(0, 0), (1, 1)], constant_values=(1.0, 0.0))
        return ends[:, :-1] - ends[:, 1:]

    def _mean(self, k: Floats) -> Floats:
        # Unlike a product of matrices, equal rows have equal sums wherever they stand.
        return np.asarray((k * self._posterior.alpha).sum(axis=1))

    def _spread(self, k: Floats) -> Floats:
        """Compute the standard deviation of f and noise together."""
        with threadpool_limits(1, "blas"):
            variance = self._posterior.variance(k.T)
        return np.asarray(np.sqrt(self.noise_**2 + variance))


def stratified_rows(codes: Integers, size: int, rng: np.random.Generator) -> Integers:
    """Draw samples, ascending, so that each class has its share, and at least one.

    ``size`` is at least the number of classes; all are drawn if there are not more.
    """
    if len(codes) <= size:
        return np.arange(len(codes))
    order = rng.permutation(len(codes))
    turn = np.empty(len(codes))
    for k in np.unique(codes):
        members = order[codes[order] == k]
        turn[members] = np.arange(len(members)) / len(members)
    return np.sort(np.argsort(turn, kind="stable")[:size])
