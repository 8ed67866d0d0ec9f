"""`SkordinalClassifier`: a classifier of skordinal on scaled features, with a score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.preprocessing import StandardScaler
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from moselect._types import Floats
from moselect.metrics import expected_class
from moselect.models.training import features_and_codes, features_to_predict, see_classes


class SkordinalClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit a classifier of skordinal (extra ``models``) to standardised features and any labels.

    Parameters
    ----------
    estimator : estimator
        Such as ``skordinal.classifiers.SVOR(C=10.0)``.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered
        Categorical. A class that no sample of the training data has is never predicted.

    Attributes
    ----------
    estimator_ : estimator
        The fitted estimator; its classes are 1, 2, ... .
    scaler_ : StandardScaler
        What gives it its features.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    References
    ----------
    Chu & Keerthi (2007), Support vector ordinal regression, Neural Computation
    19:792-815. Lin & Li (2012), Reduction from cost-sensitive ordinal ranking to weighted
    binary classification, Neural
    Computation 24:1329-1367. Gutierrez et al. (2016), Ordinal regression methods, IEEE
    Transactions on Knowledge and Data Engineering 28:127-146. Sommer (2015), section 1.3.

    Examples
    --------
    >>> from skordinal.classifiers import REDSVM
    >>> X, y = np.arange(20.0)[:, None], np.repeat(["low", "high"], 10)
    >>> model = SkordinalClassifier(REDSVM(), labels=["low", "high"]).fit(X, y)
    >>> model.predict([[2.0], [17.0]]).tolist()
    ['low', 'high']
    """

    def __init__(self, estimator: Any, *, labels: Sequence[Any] | None = None) -> None:
        self.estimator = estimator
        self.labels = labels

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to finite features (n, p), in any units, and ordinal labels (n,)."""
        values, codes = features_and_codes(self, X, y)
        self._seen, codes = see_classes(self.classes_, codes)
        self.scaler_ = StandardScaler().fit(values)
        self.estimator_ = clone(self.estimator).fit(
            self.scaler_.transform(values), codes + 1
        )
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Score samples by the projection that is cut into classes, or by the expected class."""
        Z = self._scaled(X)
        if hasattr(self.estimator_, "predict_projection"):
            return np.asarray(self.estimator_.predict_projection(Z), dtype=np.float64)
        return expected_class(self._seen.at_all_classes(self.estimator_.predict_proba(Z)))

    @available_if(lambda self: hasattr(self.estimator, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities (n, r), if the estimator has any."""
        Z = self._scaled(X)
        return self._seen.at_all_classes(self.estimator_.predict_proba(Z))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the class label of each row of X, shape (n,), as the estimator does."""
        Z = self._scaled(X)
        ranks = self.estimator_.predict(Z)
        return np.asarray(self.classes_[self._seen.indices[ranks - 1]])

    def _scaled(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        return np.asarray(self.scaler_.transform(features_to_predict(self, X)))
