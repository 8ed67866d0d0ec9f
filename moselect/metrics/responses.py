"""What a fitted estimator predicts: probabilities of ordered classes, and one score a sample."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect._types import Floats
from moselect.labels import encode_labels
from moselect.metrics.probability import expected_class


def predicted_probabilities(estimator: Any, X: Any, classes: NDArray[Any]) -> Floats:
    """Return predicted probabilities (n, r) with a column for each of ``classes``, in their order.

    Parameters
    ----------
    estimator : object
        A fitted classifier with ``predict_proba`` and ``classes_``.
    X : array-like of shape (n, p)
        Features.
    classes : ndarray of shape (r,)
        All classes, lowest first; those that the estimator does not know have probability 0.

    Returns
    -------
    ndarray of shape (n, r)

    Raises
    ------
    ValueError
        If the estimator knows a class that is not among ``classes``.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier().fit([[0.0], [1.0], [2.0]], [1, 1, 3])
    >>> predicted_probabilities(model, [[0.5]], np.array([1, 2, 3])).round(3)
    array([[0.667, 0.   , 0.333]])
    """
    known = np.asarray(estimator.predict_proba(X), dtype=np.float64)
    proba = np.zeros((len(known), len(classes)))
    proba[:, encode_labels(estimator.classes_, classes)] = known
    return proba


def ordinal_scores(
    estimator: Any, X: Any, classes: NDArray[Any], response: str | None = None
) -> Floats:
    """Score samples; higher means a higher class.

    Parameters
    ----------
    estimator : object
        A fitted classifier or regressor.
    X : array-like of shape (n, p)
        Features.
    classes : ndarray of shape (r,)
        Class labels, lowest first.
    response : {"decision_function", "predict_proba", "predict"}, optional
        What to ask for. By default a one-dimensional decision function; failing that, the expected
        class under the probabilities; failing that, what is predicted.

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    ValueError
        If the decision function that was asked for gives several numbers a sample.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> model = LinearRegression().fit([[0.0], [1.0], [2.0]], [1, 2, 3])
    >>> ordinal_scores(model, [[0.5]], np.array([1, 2, 3])).round(3)
    array([1.5])
    """
    if response == "decision_function" or (
        response is None and hasattr(estimator, "decision_function")
    ):
        scores = np.asarray(estimator.decision_function(X))
        if scores.ndim == 1:
            return -scores if _is_reversed(estimator, classes) else scores
        if response is not None:
            raise ValueError(
                f"decision_function has shape {scores.shape}: one score a sample is needed"
            )
    if response == "predict_proba" or (response is None and hasattr(estimator, "predict_proba")):
        return expected_class(predicted_probabilities(estimator, X, classes))
    predicted = np.asarray(estimator.predict(X))
    if predicted.dtype.kind in "fiub":
        return predicted
    return encode_labels(predicted, classes).astype(np.float64)


def _is_reversed(estimator: Any, classes: NDArray[Any]) -> bool:
    """Return whether high decisions favour the lower of two classes."""
    known = getattr(estimator, "classes_", None)
    if known is None or len(known) != 2:
        return False
    low, high = encode_labels(known, classes)
    return bool(high < low)
