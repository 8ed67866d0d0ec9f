"""Adapters for classifiers of other packages."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.preprocessing import StandardScaler
from sklearn.utils.metaestimators import available_if

from moselect._types import Array, Estimator, Floats, LabelOrder
from moselect.metrics.scorers import predicted_probabilities
from moselect.models.ordinal_classifier import OrdinalClassifier
from moselect.samples.samples import Samples
from moselect.samples.training import (
    features_to_predict,
    fit_parameters,
    observed_classes,
    unrouted,
    validated_samples,
)
from moselect.validation import check_probabilities


@dataclass(eq=False, repr=False)
class WrappedClassifier(OrdinalClassifier):
    """Fit any classifier to class codes, with probabilities in the order of the classes.

    Parameters
    ----------
    estimator : classifier
        Classifier with ``predict_proba``; cloned before the fit.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to the class codes 0 .. r - 1.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[0.0], [1.0], [4.0], [5.0]], ["low", "low", "high", "high"]
    >>> model = WrappedClassifier(GaussianNB(), labels=["low", "high"]).fit(X, y)
    >>> model.predict([[4.2]])
    array(['high'], dtype='<U4')
    """

    estimator: Estimator
    labels: LabelOrder = None

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Fit to features (n, p) and labels (n,), with weights if supported.

        Raises
        ------
        ValueError
            If features or labels are invalid.
        TypeError
            If the classifier has no probabilities.
        """
        samples = validated_samples(self, X, y, sample_weight, groups)
        if not hasattr(self.estimator, "predict_proba"):
            raise TypeError(
                f"{type(self.estimator).__name__} has no predict_proba: put it into a "
                "CalibratedClassifierCV of scikit-learn"
            )
        self.estimator_ = fit_to_target(clone(self.estimator), samples, samples.codes)
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities (n, r)."""
        values = features_to_predict(self, X)
        codes = np.arange(len(self.classes_))
        return check_probabilities(
            predicted_probabilities(self.estimator_, values, codes), len(values)
        )


@dataclass(eq=False, repr=False)
class SkordinalClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit a classifier of skordinal (extra ``models``) to standardised features.

    Parameters
    ----------
    estimator : estimator
        Such as ``skordinal.classifiers.SVOR(C=10.0)``.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical. Classes without training samples are never predicted.

    Attributes
    ----------
    estimator_ : estimator
        The fitted estimator; its classes are 1, 2, ... .
    scaler_ : StandardScaler
        Standardises the features.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    References
    ----------
    Chu & Keerthi (2007), Support vector ordinal regression, Neural Computation
    19:792-815.
    Lin & Li (2012), Reduction from cost-sensitive ordinal ranking to weighted binary
    classification, Neural Computation 24:1329-1367.
    Gutierrez et al. (2016), Ordinal regression methods, IEEE Transactions on Knowledge
    and Data Engineering 28:127-146.
    Sommer (2015), sections 1.3 and 1.4.

    Examples
    --------
    >>> from skordinal.classifiers import REDSVM
    >>> X, y = np.arange(20.0)[:, None], np.repeat(["low", "high"], 10)
    >>> model = SkordinalClassifier(REDSVM(), labels=["low", "high"]).fit(X, y)
    >>> model.predict([[2.0], [17.0]]).tolist()
    ['low', 'high']
    """

    estimator: Estimator
    _: KW_ONLY
    labels: LabelOrder = None

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to finite features (n, p), in any units, and ordinal labels (n,).

        Raises
        ------
        ValueError
            If features or labels are invalid.
        """
        samples = validated_samples(self, X, y)
        self._observed, codes = observed_classes(self.classes_, samples.codes)
        self.scaler_ = StandardScaler().set_output(transform="default").fit(samples.X)
        self.estimator_ = clone(self.estimator).fit(
            self.scaler_.transform(samples.X), codes + 1
        )
        return self

    @available_if(lambda self: hasattr(self.estimator, "predict_projection"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: ArrayLike) -> Floats:
        """Score samples by the projection of a threshold model, if the estimator is one."""
        Z = self._scaled(X)
        scores = self.estimator_.predict_projection(Z)
        return np.asarray(scores, float)

    @available_if(lambda self: hasattr(self.estimator, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: ArrayLike) -> Floats:
        """Compute the class probabilities (n, r), if the estimator has any."""
        Z = self._scaled(X)
        return self._observed.at_all_classes(self.estimator_.predict_proba(Z))

    def predict(self, X: ArrayLike) -> Array:
        """Predict the class label of each row of X, shape (n,), as the estimator does."""
        Z = self._scaled(X)
        observed_codes = self.estimator_.predict(Z) - 1
        return self.classes_[self._observed.indices[observed_codes]]

    def _scaled(self, X: ArrayLike) -> Floats:
        values = features_to_predict(self, X)  # raises NotFittedError
        return self.scaler_.transform(values)


Fittable = TypeVar("Fittable", bound=Estimator)


@unrouted()
def fit_to_target(model: Fittable, samples: Samples, target: Array) -> Fittable:
    """Fit a model to features and a target, with sample weights if supported.

    Raises ValueError if a fitted classifier lacks a class of the target.
    """
    parameters = fit_parameters(model, samples)
    if samples.weights is not None and not any(
        name.endswith("sample_weight") for name in parameters
    ):
        warnings.warn("it takes no sample_weight: it is fitted without", stacklevel=3)
    fitted = model.fit(samples.X, target, **parameters)
    forgotten = np.setdiff1d(target, getattr(fitted, "classes_", target))
    if len(forgotten):
        # By its index: classes may be codes here, with labels known elsewhere only.
        number = int(forgotten[0]) + 1
        r = samples.n_classes
        raise ValueError(f"it forgets class {number} of {r}, from the lowest")
    return fitted
