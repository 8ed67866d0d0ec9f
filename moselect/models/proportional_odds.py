"""`ProportionalOdds`: one score, and thresholds along it, by maximum likelihood."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from moselect._types import Floats, Integers
from moselect._validation import check_choice, check_weights
from moselect.folds import Folds
from moselect.models.class_probabilities import class_probabilities
from moselect.models.linear import finite_scores
from moselect.models.maximum_likelihood import maximise_likelihood
from moselect.models.penalties import PENALTIES, choose_penalties
from moselect.models.threads import one_blas_thread
from moselect.models.training import (
    OrdinalClassifier,
    features_and_codes,
    features_to_predict,
    merge_equal,
    see_classes,
)
from moselect.samples import equal_rows


class ProportionalOdds(OrdinalClassifier):
    """Fit ``P(y <= k | x) = F(b_k - w @ x)`` with the logistic F: all classes share the weights w.

    Minimised is, over w and ascending thresholds b::

        - sum_i v_i log P(y_i | x_i) + alpha / 2 * |w|^2,

    where v are the weights of the samples and w those of the features *in their standard
    deviations*; thresholds are not penalised.

    Parameters
    ----------
    alpha : float, "cv" or sequence of float, default=1.0
        Strength of the penalty, not negative; 0 is plain maximum likelihood. With two classes this
        is `sklearn.linear_model.LogisticRegression` with ``C=1/alpha`` behind a `StandardScaler`.
        Of a sequence the one of greatest cross-validated likelihood is taken, tried from the
        strongest until two in a row are worse than the best so far; ``"cv"``: from 0.3 to 3,000.
    cv : int, splitter or iterable, default=5
        Number of folds, stratified by class; or splits that hold every sample out once.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical. A class
        that no sample of the training data has gets the probability 0.
    max_iter : int, default=1000
        Most iterations of L-BFGS.
    tol : float, default=1e-6
        The fit has converged when no component of the gradient is greater than ``tol`` times the
        total weight of the samples.

    Attributes
    ----------
    alpha_ : float
        The penalty, given or chosen.
    coef_ : ndarray of shape (p,)
        Weights, in the units of the features; 0 for constant ones.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending. Equal ones enclose a class without samples; infinite ones cut off such a class
        at an end.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_iter_ : int
        Iterations of L-BFGS.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Notes
    -----
    The result depends on nothing but the samples and their weights: not on their order, and a
    weight of 2 is a sample that is there twice.

    References
    ----------
    McCullagh (1980), Regression models for ordinal data, Journal of the Royal Statistical Society
    B 42:109-142. Sommer (2015), section 1.2.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = ProportionalOdds().fit(X, y)
    >>> model.predict_proba(X).shape, model.thresholds_.shape
    ((506, 5), (4,))
    """

    def __init__(
        self,
        *,
        alpha: float | Literal["cv"] | Sequence[float] = 1.0,
        cv: Any = 5,
        labels: Sequence[Any] | None = None,
        max_iter: int = 1000,
        tol: float = 1e-6,
    ) -> None:
        self.alpha = alpha
        self.cv = cv
        self.labels = labels
        self.max_iter = max_iter
        self.tol = tol

    @one_blas_thread()
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to finite features (n, p), in any units, ordinal labels (n,) and weights (n,).

        Warns
        -----
        ConvergenceWarning
            If there is no greatest likelihood, because ``alpha`` is 0 and the classes can be
            separated, or the fit stopped at ``max_iter``.
        """
        penalties = self._penalties()
        if not (self.max_iter >= 1 and self.tol > 0.0):
            raise ValueError(
                f"max_iter is {self.max_iter} and tol {self.tol}: both must be positive"
            )
        values, codes = features_and_codes(self, X, y)
        given = check_weights(sample_weight, len(codes))
        self.alpha_ = penalties[0]
        if len(penalties) > 1:
            self.alpha_ = self._best_penalty(values, codes, given, penalties)
        rows, codes, weights, _ = merge_equal(values, codes, given)
        seen, codes = see_classes(self.classes_, codes)
        scaler = StandardScaler().fit(rows, sample_weight=weights)
        Z, n_seen, total = scaler.transform(rows), len(seen.indices), weights.sum()
        options = {
            "maxiter": self.max_iter,
            "maxfun": 20 * self.max_iter,
            "gtol": self.tol * total,
            "ftol": 0.0,
        }
        fit = maximise_likelihood(Z, codes, n_seen, self.alpha_, weights, options=options)
        self.n_iter_ = fit.n_iter
        self.coef_ = fit.weights / scaler.scale_
        cuts = fit.cuts + scaler.mean_ @ self.coef_
        self.thresholds_ = seen.at_all_cuts(cuts, -np.inf, np.inf)
        if self.alpha_ == 0.0 and can_be_separated(Z, codes, n_seen):
            _warn("the classes can be separated, and likelihood grows with the weights for ever")
        elif fit.steepest > self.tol * total:
            _warn(f"the fit stopped after {fit.n_iter} iterations, before it converged")
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Score samples, ``w . x``, shape (n,); higher means a higher class."""
        check_is_fitted(self)
        values = features_to_predict(self, X)
        return finite_scores(values, self.coef_, len(self.classes_))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities (n, r)."""
        return class_probabilities(self.decision_function(X), self.thresholds_)

    def _penalties(self) -> list[float]:
        """Return the penalties to choose from, strongest first."""
        if isinstance(self.alpha, str):
            check_choice("alpha", self.alpha, ("cv",))
            return list(PENALTIES)
        penalties = np.sort(np.atleast_1d(np.asarray(self.alpha, dtype=np.float64)))[::-1]
        least_allowed = 0.0 if np.ndim(self.alpha) == 0 else np.nextafter(0.0, 1.0)
        if not (penalties.size and np.isfinite(penalties).all() and penalties[-1] >= least_allowed):
            raise ValueError(f"alpha is {self.alpha}: give 0, a positive number, or several")
        return penalties.tolist()

    def _best_penalty(
        self, values: Floats, codes: Integers, given: Floats | None, penalties: list[float]
    ) -> float:
        """Return the penalty under which samples that were not fitted are most likely."""
        if isinstance(self.cv, int | np.integer):
            values, codes, weights, _ = merge_equal(values, codes, given)
            folds = Folds.deal(equal_rows(values), codes, int(self.cv), weights).index
        else:
            folds = Folds.of(self.cv, values, equal_rows(values), codes).index
            weights = np.ones(len(codes)) if given is None else given
            counted = weights > 0.0
            values, codes, weights = values[counted], codes[counted], weights[counted]
            folds = folds[counted]
        _, codes = see_classes(self.classes_, codes)
        Z = StandardScaler().fit(values, sample_weight=weights).transform(values)
        groups = np.zeros(Z.shape[1], dtype=np.int64)
        return float(choose_penalties(Z, groups, codes, weights, folds, penalties)[0])


def can_be_separated(Z: Floats, codes: NDArray[np.int64], n_classes: int) -> bool:
    """Return whether the likelihood increases without bound in some direction.

    That is, whether some direction of weights and cut points moves no sample towards the wrong
    side of a cut point next to its class, and at least one to the right side (Albert & Anderson
    1984, for two classes). A linear program finds how far all samples can be moved, each by 1 at
    most: by 0, or by 1.

    """
    cuts = np.eye(n_classes - 1)
    below, above = codes < n_classes - 1, codes > 0
    moves = np.vstack(
        [
            np.hstack([-Z[below], cuts[codes[below]]]),
            np.hstack([Z[above], -cuts[codes[above] - 1]]),
        ]
    )
    limits = np.repeat([1.0, 0.0], len(moves))
    both = np.vstack([moves, -moves])
    found = linprog(-moves.sum(axis=0), A_ub=both, b_ub=limits, bounds=(None, None))
    return found.fun is not None and found.fun < -0.5


def _warn(what: str) -> None:
    warnings.warn(f"{what}: raise alpha or max_iter", ConvergenceWarning, stacklevel=3)
