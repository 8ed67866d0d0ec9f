"""A selected model that decides by its class probabilities."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.pipeline import make_pipeline

from moselect._types import Floats, Integers
from moselect.columns.steps import steps_of
from moselect.metrics.probability import expected_class
from moselect.models.finished import FinishedClassifier
from moselect.models.referral import Referral, answers


class SelectedPool(FinishedClassifier):
    """A pool or another classifier, selected for costs or preferences and ready to predict.

    It predicts the class of least expected cost under its class probabilities.

    Parameters
    ----------
    pipeline : Pipeline
        Fitted; it ends with the classifier, before which a preparation may stand.
    classes : array-like of shape (r,)
        Class labels, lowest first.
    costs : ndarray of shape (r, r), or (r, r + 1) with a referral, optional
        By which it decides, rows true classes, columns predicted ones; by default every mistake
        costs the same. The last column is what it costs to leave a row to a person.
    evidence : Evidence, optional
        What is known about it and others.
    promise : Promise, optional
        What was shown of it when it was selected, as a file keeps it.
    referral : Referral, optional
        What `predict` calls a row that it leaves.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> fitted = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    >>> dear_misses = np.array([[0.0, 1.0], [9.0, 0.0]])
    >>> SelectedPool(fitted, ["low", "high"], dear_misses).predict([[0.3]])
    array(['high'], dtype='<U4')
    """

    calibration = None  # its probabilities are not along one score

    def __init__(
        self,
        pipeline: Any,
        classes: ArrayLike,
        costs: Floats | None = None,
        evidence: Any = None,
        promise: Any = None,
        referral: Referral | None = None,
    ) -> None:
        self.pipeline = pipeline
        self.classes = classes
        self.costs = costs
        self.evidence = evidence
        self.promise = promise
        self.referral = referral

    @property
    def answers(self) -> NDArray[Any]:
        """Class labels, lowest first, and what it calls a row that it leaves to a person."""
        return answers(self.classes_, self.referral)

    @property
    def classes_(self) -> NDArray[Any]:
        """Class labels, lowest first, shape (r,)."""
        return np.asarray(self.classes)

    @property
    def n_features_in_(self) -> int:
        """Number of columns that the classifier takes."""
        return int(self.estimator.n_features_in_)

    @property
    def feature_names(self) -> list[str] | None:
        """Their names, if it was fitted to a table."""
        names = getattr(self.estimator, "feature_names_in_", None)
        return None if names is None else list(names)

    @property
    def estimator(self) -> Any:
        """The classifier itself."""
        return steps_of(self.pipeline)[-1]

    @cached_property
    def columns(self) -> Any:
        """What turns a table into the columns that the classifier takes, if that is needed."""
        before = steps_of(self.pipeline)[:-1]
        return make_pipeline(*before) if before else None

    def as_estimator(self) -> Any:
        """Return the model with the methods of an estimator: without costs what was fitted."""
        return self.pipeline if self.costs is None else self

    def predict_proba(self, X: ArrayLike | pd.DataFrame) -> Floats:
        """Compute the class probabilities (n, r) of an array, or of a table with more columns."""
        names = getattr(self.pipeline, "feature_names_in_", None)
        if names is not None and isinstance(X, pd.DataFrame) and set(names) <= set(X.columns):
            X = X[list(names)]
        return np.asarray(self.pipeline.predict_proba(X))

    def decision_function(self, X: ArrayLike | pd.DataFrame) -> Floats:
        """Compute the expected rank (n,), 1 .. r; higher means a higher class."""
        return expected_class(self.predict_proba(X))

    def predict(self, X: ArrayLike | pd.DataFrame) -> NDArray[Any]:
        """Predict the class label of each row of X, shape (n,)."""
        return np.asarray(self.answers[self._decide(self.predict_proba(X))])

    def scores_and_codes(self, values: Floats) -> tuple[Floats, Integers]:
        """Return scores (n,) and class codes (n,) of what the columns make of samples (n, p)."""
        proba = self.probabilities(values)
        return expected_class(proba), self._decide(proba)

    def probabilities(self, values: Floats) -> Floats:
        """Return the class probabilities (n, r) of what the columns make of samples (n, p)."""
        return np.asarray(self.estimator.predict_proba(self._named(values)))

    def _decide(self, proba: Floats) -> Integers:
        """Return the codes (n,) of the answers of least expected cost."""
        return (-proba if self.costs is None else proba @ self.costs).argmin(axis=1)

    def _named(self, values: Floats) -> pd.DataFrame | Floats:
        """Return features with the names that the classifier knows them by."""
        names = self.feature_names
        return values if names is None else pd.DataFrame(values, columns=names)
