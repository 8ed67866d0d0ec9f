"""The ordinal linear model: a direction of features and ascending thresholds along it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Transformer
from moselect.costs.decisions import Referral
from moselect.predictor.decisions import Thresholds
from moselect.predictor.model import Model
from moselect.predictor.score_calibration import ScoreCalibration
from moselect.predictor.scorers import WeightedSum


class OrdinalLinearClassifier(Model):
    """Frozen model ``f(x) = coef @ x``: class = 1 + number of thresholds strictly below f(x).

    It comes from a front or a file and only predicts; it cannot be fitted.

    Parameters
    ----------
    coef : array-like of shape (p,)
        Coefficients, in the units of the features.
    thresholds : array-like of shape (r - 1,)
        Ascending cut points of the score.
    classes : array-like of shape (r,)
        Class labels, lowest first.
    feature_names : sequence of str, optional
        Names of the p features. With them, columns of a DataFrame are matched by name.
    columns : transformer, optional
        Fitted transformer from a table to the p features, as in `moselect.preprocessing`.
    calibration : ScoreCalibration, optional
        Calibration of the score to class probabilities; required for ``predict_proba``.
    referral : Referral, optional
        The scores of rows under the reject option, and their label in `predict`.

    Attributes
    ----------
    coef_, thresholds_, classes_ : ndarray
        The parameters as arrays.
    n_features_in_ : int
        p.

    Notes
    -----
    Scores are sums in a fixed order with ``52 - ceil(log2 r)`` bits of mantissa: equal
    rows get equal scores wherever they stand, and ranking measures equal the values of the
    search to the last bit.

    Examples
    --------
    >>> model = OrdinalLinearClassifier([1.0, -1.0], [0.0, 2.0], ["low", "mid", "high"])
    >>> model.predict([[1.0, 3.0], [2.0, 1.0], [5.0, 0.0]])
    array(['low', 'mid', 'high'], dtype='<U4')
    """

    def __init__(
        self,
        coef: ArrayLike,
        thresholds: ArrayLike,
        classes: ArrayLike,
        feature_names: Sequence[str] | None = None,
        columns: Transformer | None = None,
        calibration: ScoreCalibration | None = None,
        referral: Referral | None = None,
    ) -> None:
        weights = np.asarray(coef, float)
        ascending = np.asarray(thresholds, float)
        vectors = weights, ascending
        if not all(each.ndim == 1 and np.isfinite(each).all() for each in vectors):
            raise ValueError("coef and thresholds must be lists of finite numbers")
        if feature_names is not None and len(feature_names) != len(weights):
            raise ValueError(
                f"{len(weights)} weights need as many feature_names, but there are "
                f"{len(feature_names)}"
            )
        scorer = WeightedSum(weights, np.size(classes), feature_names, calibration)
        super().__init__(scorer, classes, Thresholds(ascending, referral), columns)
