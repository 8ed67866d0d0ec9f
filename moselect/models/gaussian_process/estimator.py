"""`OrdinalGaussianProcess`: the scikit-learn estimator."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist
from scipy.special import ndtr
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from moselect._types import Floats, Integers
from moselect.models.class_probabilities import class_shares
from moselect.models.gaussian_process.evidence import Evidence, Hyperparameters, covariance
from moselect.models.threads import one_blas_thread
from moselect.models.training import (
    OrdinalClassifier,
    features_and_codes,
    features_to_predict,
    see_classes,
)

FEW = 500  # samples on which a climb begins
ROWS_AT_ONCE = 1_000  # of predictions


class OrdinalGaussianProcess(OrdinalClassifier):
    """Gaussian process with ordinal likelihood, by Laplace approximation and maximum evidence.

    A latent function f of prior covariance ``exp(-|x - x'|^2 / (2 l^2))``, l the length scale and
    x standardised, is seen with normal noise; the class is the interval between thresholds in
    which the noisy value falls. Length scale, noise and thresholds maximise the evidence.

    Parameters
    ----------
    max_samples : int, default=2000
        Time grows with the cube of the number of samples. Of more than ``max_samples``, a random
        part of that size is used and the others are ignored; every class has its share, and at
        least one sample.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical.
    random_state : int or Generator, optional
        Draws parts of the samples. Of up to 500 none is drawn.

    Attributes
    ----------
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    length_scale_, noise_ : float
        The length scale and the standard deviation of the noise; that of f is 1.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending, on the scale of f.
    log_evidence_ : float
        Approximate log probability of the labels in use.
    n_iter_ : int
        Steps of the climb, on the part and on all.
    rows_ : ndarray of int
        Indices of the samples in use.
    n_features_in_ : int
        p.

    Notes
    -----
    With more than 500 samples the climb begins on a stratified part of 500 and is finished on
    all: the result is a maximum of the evidence of all, found with fewer costly steps.

    The climb starts from a smooth f and much noise. There are no random restarts: where length
    scale and noise are both small, Laplace's approximation puts the evidence far too high, and
    restarts would end there.

    References
    ----------
    W. Chu and Z. Ghahramani (2005), Gaussian processes for ordinal regression, Journal of Machine
    Learning Research 6:1019-1041. Sommer (2015), eq. 1.1-1.10.

    Examples
    --------
    >>> X = np.linspace(0.0, 6.0, 60)[:, None]
    >>> model = OrdinalGaussianProcess().fit(X, np.digitize(np.sin(X[:, 0]), [-0.5, 0.5]))
    >>> model.predict([[1.5], [4.5]])
    array([2, 0])
    """

    def __init__(
        self,
        *,
        max_samples: int = 2_000,
        labels: Sequence[Any] | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.max_samples = max_samples
        self.labels = labels
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to finite features (n, p), in any units, and ordinal labels (n,).

        Warns
        -----
        ConvergenceWarning
            If the climb was stopped after 100 steps.
        """
        values, codes = features_and_codes(self, X, y)
        seen, codes = see_classes(self.classes_, codes)
        if self.max_samples < len(seen.indices):
            raise ValueError(f"max_samples is {self.max_samples}: give as many as classes or more")
        rng = np.random.default_rng(self.random_state)
        self.rows_ = stratified_rows(codes, self.max_samples, rng)
        self._scaler = StandardScaler()
        self._objects = self._scaler.fit_transform(values[self.rows_])
        with one_blas_thread():  # more threads give other last digits
            thresholds = self._fit_standardised(codes[self.rows_], rng)
        self.thresholds_ = seen.at_all_cuts(thresholds, -np.inf, np.inf)
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Score samples by the posterior mean of f, shape (n,); higher means a higher class.

        Of two classes, by its distance to the threshold in standard deviations, which orders
        samples by the probability of the higher class.
        """
        return np.concatenate([self._scores(k) for k in self._covariances(X)])

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute class probabilities (n, r), f integrated over its posterior (eq. 1.9)."""
        return np.concatenate([self._probabilities(k) for k in self._covariances(X)])

    def _fit_standardised(self, codes: Integers, rng: np.random.Generator) -> Floats:
        """Fit codes of classes that all have samples; return the thresholds between them."""
        squares = cdist(self._objects, self._objects, "sqeuclidean")
        few = stratified_rows(codes, FEW, rng)
        evidence = Evidence(squares[np.ix_(few, few)], codes[few])
        start = Hyperparameters.marginal(float(np.sqrt(self.n_features_in_)), 1.0, codes[few])
        best = evidence.maximise(start)
        self.n_iter_ = best.n_iter
        if len(few) < len(codes):
            evidence = Evidence(squares, codes)
            inverse_hessian = best.inverse_hessian * (len(few) / len(codes))
            best = evidence.maximise(best.values, inverse_hessian)
            self.n_iter_ += best.n_iter
        if not best.converged:
            warnings.warn(
                f"the evidence still rose after {best.n_iter} steps",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.length_scale_, self.noise_, thresholds = best.values
        self._posterior = evidence.approximate(best.values)
        self.log_evidence_ = self._posterior.log_evidence
        return thresholds

    def _covariances(self, X: ArrayLike) -> Iterator[Floats]:
        """Compute covariances with the samples in use, for some rows of X at a time."""
        check_is_fitted(self)
        values = features_to_predict(self, X)
        for at in range(0, len(values), ROWS_AT_ONCE):
            Z = self._scaler.transform(values[at : at + ROWS_AT_ONCE])
            yield covariance(cdist(Z, self._objects, "sqeuclidean"), self.length_scale_)

    def _scores(self, k: Floats) -> Floats:
        mean = self._mean(k)
        if len(self.classes_) > 2:
            return mean
        return (mean - self.thresholds_[0]) / self._spread(k)

    def _probabilities(self, k: Floats) -> Floats:
        above = (self._mean(k)[:, None] - self.thresholds_) / self._spread(k)[:, None]
        return class_shares(ndtr(above))

    def _mean(self, k: Floats) -> Floats:
        # Unlike a product of matrices, equal rows have equal sums wherever they stand.
        return np.asarray((k * self._posterior.alpha).sum(axis=1))

    def _spread(self, k: Floats) -> Floats:
        """Compute the standard deviation of f and noise together."""
        with one_blas_thread():
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
