"""Ordinal logistic regression by maximum likelihood: `ProportionalOdds` and `AdditiveOdds`."""

from __future__ import annotations

import warnings
from copy import copy
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from moselect._parallel import one_blas_thread
from moselect._types import Directions, Floats, Integers, LabelOrder
from moselect.budgets import LINEAR
from moselect.models.linear_fits import choose_penalties
from moselect.models.maximum_likelihood import fit_proportional_odds, sample_space
from moselect.models.ordinal_classifier import OrdinalClassifier
from moselect.operators.graph import Result, proportional_odds
from moselect.predictor.linear import OrdinalLinearClassifier
from moselect.predictor.score_calibration import ScoreCalibration, class_probabilities
from moselect.predictor.scorers import score_rows
from moselect.preprocessing.spline_columns import SplineColumns
from moselect.preprocessing.splines import FURTHEST
from moselect.samples.folds import Folds
from moselect.samples.training import (
    features_to_predict,
    merge_within,
    observed_classes,
    validated_samples,
)
from moselect.tables.features import fitted_names
from moselect.validation import check_choice


class ScoreOdds(OrdinalClassifier):
    """Base class of proportional-odds models on columns derived from the features.

    ``P(y <= k | x) = F(b_k - w . x)`` with the logistic F.
    """

    labels: LabelOrder
    coef_: Floats
    # Decisions along one score rise with all P(y > k) anyway.
    _in_order = False
    thresholds_: Floats
    columns_: SplineColumns | None = None  # None: the features themselves

    @one_blas_thread()
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Fit to finite features (n, p), in any units, ordinal labels (n,) and weights (n,).

        Folds keep ``groups`` (n,) together, by default duplicates.

        Raises
        ------
        ValueError
            If features are not finite, weights are negative, labels have no known order
            or are of one class only, or a parameter is out of range.

        Warns
        -----
        ConvergenceWarning
            If the optimiser stopped before convergence.
        """
        samples = validated_samples(self, X, y, sample_weight, groups)
        # Equal samples are merged first: the fit depends on neither their order nor their
        # copies.
        values, codes, weights, together = merge_within(samples)
        observed, codes = observed_classes(self.classes_, codes)
        intercepts = self._fit(values, codes, weights, together)
        # Boundaries to classes without samples coincide with a neighbour, or lie at
        # infinity.
        self.thresholds_ = observed.at_all_boundaries(intercepts)
        return self

    def _fit(
        self, values: Floats, codes: Integers, weights: Floats, groups: Integers
    ) -> Floats:
        """Fit to merged samples, and return the cut points between the classes with samples."""
        raise NotImplementedError

    def decision_function(self, X: ArrayLike) -> Floats:
        """Score samples, ``w . x``, shape (n,); higher means a higher class."""
        values = features_to_predict(self, X)
        if self.columns_ is not None:
            values = self.columns_.columns_of(values)
        return score_rows(values, self.coef_, len(self.classes_))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities (n, r)."""
        return class_probabilities(self.decision_function(X), self.thresholds_)

    def to_predictor(self) -> OrdinalLinearClassifier:
        """Convert to a frozen linear model with the cut points as its thresholds."""
        # Infinite thresholds exclude a class without samples; so does the largest float,
        # which no score exceeds and whose logistic is exactly 1.
        thresholds = np.nan_to_num(self.thresholds_)
        columns = None
        names = fitted_names(self)
        if self.columns_ is not None:
            named = copy(self.columns_)
            if names is not None:
                named.feature_names_in_ = self.feature_names_in_
            columns = make_pipeline(named)
            names = columns.get_feature_names_out().tolist()
        return OrdinalLinearClassifier(
            self.coef_,
            thresholds,
            self.classes_,
            names,
            columns,
            ScoreCalibration(slope=1.0, intercepts=thresholds.tolist()),
        )

    def operators(self, X: Result) -> Result:
        """Convert to operators, from features (n, p) to class probabilities (n, r)."""
        return proportional_odds(self._score_operators(X), self.thresholds_)

    def _score_operators(self, X: Result) -> Result:
        return X @ self.coef_[:, None]


@dataclass(eq=False, repr=False, kw_only=True)
class ProportionalOdds(ScoreOdds):
    """Fit ``P(y <= k | x) = F(b_k - w @ x)`` with the logistic F: all classes share the weights w.

    The objective, minimised over w and ascending thresholds b, is::

        - sum_i v_i log P(y_i | x_i) + alpha / 2 * |w|^2,

    where v are sample weights and w the coefficients of *standardised* features;
    thresholds are not penalised.

    Parameters
    ----------
    alpha : float or "cv", default=1.0
        Strength of the penalty, not negative; 0 is plain maximum likelihood. With two
        classes this is `sklearn.linear_model.LogisticRegression` with ``C=1/alpha``
        after a `StandardScaler`. ``"cv"``: the penalty of greatest likelihood in five
        folds, tried from the strongest until one is worse than the best so far.
    monotone : mapping of str to {1, -1}, or sequence of {1, -1, 0}, optional
        Features, by name, with which the class may only rise (1) or fall (-1), or a
        direction for each feature: bounds of the coefficients.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical. Classes without training samples get probability 0.

    Attributes
    ----------
    alpha_ : float
        The penalty, given or chosen.
    coef_ : ndarray of shape (p,)
        Weights, in the units of the features; 0 for constant ones.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending. Equal ones enclose a class without samples; infinite ones cut off such
        a class at an end.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_iter_ : int
        Iterations of Newton's method.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Notes
    -----
    The result does not depend on the order of the samples, and a weight of 2 is
    equivalent to a repeated sample.

    References
    ----------
    McCullagh (1980), Regression models for ordinal data, Journal of the Royal Statistical
    Society B 42:109-142.
    Sommer (2015), section 1.2.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = ProportionalOdds().fit(X, y)
    >>> model.predict_proba(X).shape, model.thresholds_.shape
    ((506, 5), (4,))
    """

    alpha: float | Literal["cv"] = 1.0
    monotone: Directions = None
    labels: LabelOrder = None

    def _fit(
        self, values: Floats, codes: Integers, weights: Floats, groups: Integers
    ) -> Floats:
        scaler = StandardScaler().set_output(transform="default")
        scaler.fit(values, sample_weight=weights)
        Z = scaler.transform(values)
        self.alpha_ = self._penalty(Z, codes, weights, groups)
        r = int(codes.max()) + 1
        fit = fit_proportional_odds(Z, codes, r, self.alpha_, weights, signs=self._signs)
        self.n_iter_ = fit.n_iter
        # Back from standardised columns to the units of X: coefficients divide by the
        # scales.
        self.coef_ = fit.weights / scaler.scale_
        if not fit.has_converged:
            warnings.warn(
                f"the fit stopped after {fit.n_iter} iterations, before it converged: raise alpha",
                ConvergenceWarning,
                stacklevel=4,
            )
        # Standardised scores are lower by mean . coef: the cut points rise by as much.
        return fit.intercepts + scaler.mean_ @ self.coef_

    def _penalty(
        self, Z: Floats, codes: Integers, weights: Floats, groups: Integers
    ) -> float:
        """Return the penalty, given or chosen by cross-validated likelihood."""
        if isinstance(self.alpha, str):
            check_choice("alpha", self.alpha, ("cv",))
            folds = Folds.deal(groups, codes, LINEAR.penalty_folds, weights).index
            signs = self._signs
            # With more columns than samples only their span matters, unless signs bind
            # single columns.
            if Z.shape[1] > len(Z) and not signs.any():
                Z = Z @ sample_space(Z).T
                signs = signs[: Z.shape[1]]
            one_group = np.zeros_like(signs)
            return float(choose_penalties(Z, one_group, codes, weights, folds, signs)[0])
        if not 0.0 <= self.alpha < np.inf:
            raise ValueError(f"alpha is {self.alpha}: give 'cv', 0 or a positive number")
        return float(self.alpha)


GROUPS = ("features", "curves", "products")


@dataclass(eq=False, repr=False, kw_only=True)
class AdditiveOdds(ScoreOdds):
    """Fit proportional odds with an additive score of splines and pairwise products.

    ``P(y <= k | x) = F(b_k - f(x))`` with the logistic F and f(x) = sum_j f_j(x_j) + sum
    w_ij z_i z_j, interpretable term by term. `SplineColumns` makes the columns. Linear
    terms, splines and products have a ridge penalty each, chosen by cross-validated
    likelihood; splines, and then products, enter only if they raise it.

    Parameters
    ----------
    n_products : int, default=10
        Number of features in pairwise products; 0: none.
    monotone : mapping of str to {1, -1}, or sequence of {1, -1, 0}, optional
        Features, by name, with which the class may only rise (1) or fall (-1), or a
        direction for each feature: their splines have integrated bases, and their
        products two mirrored parts, with coefficients of one sign.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical.

    Attributes
    ----------
    columns_ : SplineColumns
        Transformer from features to columns.
    alphas_ : dict of str to float
        Ridge penalties of ``"features"``, ``"curves"`` and ``"products"``, on coefficients
        of standardised columns; infinite for a group that is left out.
    coef_ : ndarray of shape (q,)
        Coefficients of the columns.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    thresholds_ : ndarray of shape (r - 1,)
        Ascending cut points of the score.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    References
    ----------
    Hastie & Tibshirani (1987), Non-parametric logistic and proportional odds regression,
    Applied Statistics 36:260-276.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = AdditiveOdds().fit(X, y)
    >>> model.predict_proba(X).shape
    (506, 5)
    >>> frozen = model.to_predictor()
    >>> parts = frozen.parts(frozen.columns_of(X))  # contributions of the terms
    >>> bool(np.allclose(parts.sum(axis=1), model.decision_function(X)))
    True
    """

    n_products: int = 10
    monotone: Directions = None
    labels: LabelOrder = None

    def _fit(
        self, values: Floats, codes: Integers, weights: Floats, groups: Integers
    ) -> Floats:
        splines = SplineColumns(n_products=self.n_products, monotone=self._signs)
        columns = splines.fit_transform(values, codes, weights)
        self.columns_ = splines
        column_groups = splines.groups_
        signs = splines.column_signs_
        folds = Folds.deal(groups, codes, LINEAR.additive_folds, weights).index
        chosen = choose_penalties(columns, column_groups, codes, weights, folds, signs)
        self.alphas_ = dict.fromkeys(GROUPS, np.inf)
        # of the columns there are
        self.alphas_ |= dict(zip(GROUPS, chosen.tolist(), strict=False))
        r = int(codes.max()) + 1
        fit = fit_proportional_odds(
            columns, codes, r, chosen[column_groups], weights, signs=signs
        )
        self.coef_ = fit.weights
        return fit.intercepts

    def _score_operators(self, X: Result) -> Result:
        """Convert the score to operators, from features (n, p) to (n, 1).

        All columns of a feature are one piecewise cubic polynomial; tables hold the pieces
        of all features.
        """
        columns = self.columns_
        assert columns is not None
        weights = self.coef_ / columns.column_scale_
        p = len(columns.knots_)
        constant = -float(weights @ columns.column_centre_)
        centres = []
        coefficients = []
        for feature, pieces in enumerate(columns.pieces()):
            linear, *of_splines = weights[columns.terms_ == feature]
            polynomial = pieces.coefficients @ np.array(of_splines)
            polynomial[-1] += linear * pieces.centres  # w x = w u + w centre
            polynomial[-2] += linear
            centres.append(pieces.centres)
            coefficients.append(polynomial)
        first = np.cumsum([0, *map(len, centres[:-1])])
        piece = X.count_below(*columns.knots_, equal=True, first=first)

        def at_piece(values: Floats) -> Result:
            return X.graph.add("Gather", values, piece)

        u = X - at_piece(np.concatenate(centres))
        highest, *others = np.concatenate(coefficients, axis=1)
        polynomials = at_piece(highest)
        for power in others:
            polynomials = polynomials * u + at_piece(power)
        score = polynomials.total() + constant
        if len(columns.pairs_):
            Z = (X - columns.centre_[None, :]) / columns.scale_[None, :]
            Z = Z.clip(-FURTHEST, FURTHEST)
            factors = columns.factors()
            pairs = np.repeat(columns.pairs_, [*map(len, factors)], axis=0)
            lines = np.concatenate(factors)  # (columns, 2 factors, offset and slope)
            factor, other = (
                Z.columns(pairs[:, k]) * lines[None, :, k, 1] + lines[None, :, k, 0]
                for k in range(2)
            )
            score = score + (factor * other) @ weights[columns.terms_ >= p][:, None]
        return score
