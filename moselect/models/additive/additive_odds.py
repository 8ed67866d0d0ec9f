"""`AdditiveOdds`: proportional odds of an additive spline score."""

from __future__ import annotations

from copy import copy

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline

from moselect._protocols import Directions
from moselect._types import Floats, Integers, LabelOrder
from moselect.models.penalties import PenalisedFits, choose_penalties
from moselect.models.proportional_odds import ScoreOdds
from moselect.operators.graph import Result
from moselect.preprocessing.spline_columns import SplineColumns
from moselect.samples.folds import Folds

GROUPS = ("features", "curves", "products")
CONVERGED = {"maxiter": 1000, "maxfun": 20_000, "gtol": 1e-6, "ftol": 1e-12}


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
    >>> from moselect.models import contributions
    >>> X, y = load_boston()
    >>> model = AdditiveOdds().fit(X, y)
    >>> model.predict_proba(X).shape
    (506, 5)
    >>> parts = contributions(model, X)
    >>> bool(np.allclose(parts.sum(axis=1), model.decision_function(X)))
    True
    """

    def __init__(
        self,
        *,
        n_products: int = 10,
        monotone: Directions = None,
        labels: LabelOrder = None,
    ) -> None:
        self.n_products = n_products
        self.monotone = monotone
        self.labels = labels

    def _fit(
        self, values: Floats, codes: Integers, weights: Floats, groups: Integers
    ) -> Floats:
        columns_ = SplineColumns(n_products=self.n_products, monotone=self._signs)
        self.columns_ = columns_.fit(values, codes, weights)
        columns = self._columns(values)
        column_groups = self.columns_.groups_
        signs = self.columns_.column_signs_
        # of the cross-validated penalties
        n_folds = 3
        folds = Folds.deal(groups, codes, n_folds, weights).index
        chosen = choose_penalties(columns, column_groups, codes, weights, folds, signs)
        self.alphas_ = dict.fromkeys(GROUPS, np.inf)
        # of the columns there are
        self.alphas_ |= dict(zip(GROUPS, chosen.tolist(), strict=False))
        fits = PenalisedFits(columns, codes, weights[None, :], signs)
        fits.fit(chosen[column_groups], CONVERGED)
        self.coef_ = fits.weights[0]
        return fits.intercepts[0]

    def transformer(self) -> Pipeline:
        """Return the fitted transformer from features to splines and products."""
        columns = copy(self.columns_)
        if hasattr(self, "feature_names_in_"):
            columns.feature_names_in_ = self.feature_names_in_
        return make_pipeline(columns)

    def _score_operators(self, X: Result) -> Result:
        return self.columns_.weighted_operators(X, self.coef_)

    def _columns(self, values: Floats) -> Floats:
        return self.columns_.columns_of(values)
