"""Additive proportional odds: a score of splines and pairwise products."""

import numpy as np

from moselect._types import Directions, Floats, Integers, LabelOrder
from moselect.budgets import LINEAR
from moselect.models.linear_fits import choose_penalties
from moselect.models.maximum_likelihood import PenalisedFits
from moselect.models.proportional_odds import ScoreOdds
from moselect.operators.graph import Result
from moselect.preprocessing.spline_columns import SplineColumns
from moselect.preprocessing.splines import FURTHEST
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
    >>> X, y = load_boston()
    >>> model = AdditiveOdds().fit(X, y)
    >>> model.predict_proba(X).shape
    (506, 5)
    >>> frozen = model.to_predictor()
    >>> parts = frozen.parts(frozen.columns_of(X))  # contributions of the terms
    >>> bool(np.allclose(parts.sum(axis=1), model.decision_function(X)))
    True
    """

    columns_: SplineColumns

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
        splines = SplineColumns(n_products=self.n_products, monotone=self._signs)
        self.columns_ = splines.fit(values, codes, weights)
        columns = splines.columns_of(values)
        column_groups = splines.groups_
        signs = splines.column_signs_
        folds = Folds.deal(groups, codes, LINEAR.additive_folds, weights).index
        chosen = choose_penalties(columns, column_groups, codes, weights, folds, signs)
        self.alphas_ = dict.fromkeys(GROUPS, np.inf)
        # of the columns there are
        self.alphas_ |= dict(zip(GROUPS, chosen.tolist(), strict=False))
        fits = PenalisedFits(columns, codes, weights[None, :], signs)
        fits.fit(chosen[column_groups], CONVERGED)
        self.coef_ = fits.weights[0]
        return fits.intercepts[0]

    def _score_operators(self, X: Result) -> Result:
        """Convert the score to operators, from features (n, p) to (n, 1).

        All columns of a feature are one piecewise cubic polynomial; tables hold the pieces
        of all features.
        """
        columns = self.columns_
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
