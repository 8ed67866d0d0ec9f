"""`SkordinalClassifier`: the ordinal classifiers of skordinal, with a score and a time limit."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.preprocessing import StandardScaler
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from moselect._types import Floats
from moselect._validation import check_choice
from moselect.metrics import expected_class
from moselect.models.processes import fit_within
from moselect.models.training import features_and_codes, features_to_predict, see_classes

NAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "svor_explicit": ("SVOR", {"constraints": "explicit"}),
    "svor_implicit": ("SVOR", {"constraints": "implicit"}),
    "redsvm": ("REDSVM", {}),
    "nnop": ("NNOP", {}),
    "nnpom": ("NNPOM", {}),
    "orboost": ("ORBoost", {}),
    "ordinal_probit": ("POM", {"link": "probit", "alpha": 1.0}),
    "frank_hall": ("OrdinalDecomposition", {}),
}


def _has_probabilities(self: SkordinalClassifier) -> bool:
    return hasattr(getattr(self, "estimator_", None) or self._estimator(), "predict_proba")


class SkordinalClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit a classifier of skordinal (extra ``models``) on standardised features.

    Parameters
    ----------
    estimator : str or estimator, default="svor_explicit"
        ``"svor_explicit"`` and ``"svor_implicit"``: support vector ordinal regression with explicit
        or implicit constraints on the thresholds; ``"redsvm"``: its reduction to a binary support
        vector machine; ``"nnop"``, ``"nnpom"``: neural networks with ordered partitions or
        proportional odds; ``"orboost"``: boosting; ``"ordinal_probit"``: cumulative probits with
        a ridge penalty; ``"frank_hall"``: a logistic regression for each cut. For other settings
        give one of skordinal's estimators, such as ``SVOR(C=10.0)``.
    max_seconds : float, optional, default=60
        When fitting is stopped. Fits are done in another process, whose start does not count, since
        compiled loops can be stopped only with theirs. None: no limit, and no other process.
    random_state : int, optional
        Seed, for those that have one.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical. A class
        that no sample of the training data has is never predicted.

    Attributes
    ----------
    estimator_ : estimator
        The fitted estimator of skordinal; its classes are 1, 2, ... .
    scaler_ : StandardScaler
        What gives it its features.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    References
    ----------
    Chu & Keerthi (2007), Support vector ordinal regression, Neural Computation 19:792-815. Lin & Li
    (2012), Reduction from cost-sensitive ordinal ranking to weighted binary classification, Neural
    Computation 24:1329-1367. Lin & Li (2006), Large-margin thresholded ensembles for ordinal
    regression, ALT, 319-333. Gutierrez et al. (2016), Ordinal regression methods, IEEE Transactions
    on Knowledge and Data Engineering 28:127-146. Sommer (2015), section 1.3.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> model = SkordinalClassifier("redsvm").fit(X, y)
    >>> model.decision_function(X).shape
    (506,)
    """

    def __init__(
        self,
        estimator: Any = "svor_explicit",
        *,
        max_seconds: float | None = 60.0,
        random_state: int | None = None,
        labels: Sequence[Any] | None = None,
    ) -> None:
        self.estimator = estimator
        self.max_seconds = max_seconds
        self.random_state = random_state
        self.labels = labels

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to finite features (n, p), in any units, and ordinal labels (n,).

        Raises
        ------
        TimeoutError
            If the time is up.
        ImportError
            If skordinal is not installed.
        """
        if self.max_seconds is not None and not self.max_seconds > 0.0:
            raise ValueError(f"max_seconds is {self.max_seconds}: it must be positive, or None")
        estimator = self._estimator()
        values, codes = features_and_codes(self, X, y)
        self._seen, codes = see_classes(self.classes_, codes)
        self.scaler_ = StandardScaler().fit(values)
        Z = self.scaler_.transform(values)
        if self.max_seconds is None:
            self.estimator_ = estimator.fit(Z, codes + 1)
        else:
            self.estimator_ = fit_within(estimator, Z, codes + 1, self.max_seconds)
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Score samples by the projection that is cut into classes, or by the expected class."""
        Z = self._scaled(X)
        if hasattr(self.estimator_, "predict_projection"):
            return np.asarray(self.estimator_.predict_projection(Z), dtype=np.float64)
        return expected_class(self._seen.at_all_classes(self.estimator_.predict_proba(Z)))

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
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
        values = features_to_predict(self, X)
        return np.asarray(self.scaler_.transform(values))

    def _estimator(self) -> Any:
        """Return a new estimator of skordinal."""
        if isinstance(self.estimator, str):
            check_choice("estimator", self.estimator, tuple(NAMES))
            try:
                classifiers = import_module("skordinal.classifiers")
            except ImportError:
                raise ImportError(
                    f"{self.estimator} needs skordinal: pip install 'moselect[models]'"
                ) from None
            name, settings = NAMES[self.estimator]
            estimator = getattr(classifiers, name)(**settings)
        else:
            estimator = clone(self.estimator)
        if self.random_state is not None and "random_state" in estimator.get_params():
            estimator.set_params(random_state=self.random_state)
        return estimator
