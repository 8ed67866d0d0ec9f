"""Types of arrays, tables, documents and hyper-parameters, and the protocols of estimators."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Number = TypeVar("Number", float, Floats)  # a number, or an array of numbers
Array = NDArray[Any]  # of numbers of any type, or of objects
Labels = NDArray[Any]  # class labels: numbers, text or objects
Label = str | float
# Class labels, lowest first; None: sorted numbers, or the order of a Categorical.
LabelOrder = Sequence[object] | None
Document = dict[str, Any]  # plain values by name, as JSON holds them
FilePath = str | os.PathLike[str]
# A DataFrame converts to an array, too.
Table = ArrayLike
RandomState = int | np.random.RandomState | np.random.Generator | None
# 1 or -1 by name of a feature, or 1, -1 or 0 for each feature, as monotonic_cst
Directions = Mapping[str, int] | ArrayLike | None


Class = TypeVar("Class")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def record(cls: type[Class]) -> type[Class]:
    """Make a class a dataclass whose instances are frozen, and compared by identity."""
    return dataclass(frozen=True, eq=False)(cls)


class Splitter(Protocol):
    """Cross-validation splitter of scikit-learn."""

    @property
    def split(self) -> Callable[..., Iterable[tuple[Array, Array]]]:
        """Yield the training and test rows of each fold of (X, y, groups)."""


# A number of folds, a splitter, or (train, test) rows
CrossValidation = int | Splitter | Iterable[tuple[ArrayLike, ArrayLike]] | None


class Estimator(Protocol):
    """Estimator of scikit-learn, which can be cloned and fitted, and predicts."""

    @property
    def fit(self) -> Callable[..., Self]:
        """Fit to samples; parameters after X and y differ."""

    @property
    def predict(self) -> Callable[..., Array]:
        """Predict for the rows of X."""

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """Return the hyper-parameters by name."""

    def set_params(self, **params: object) -> Self:
        """Set hyper-parameters by name."""


class Transformer(Protocol):
    """Fitted transformer of scikit-learn, from a table to feature columns."""

    @property
    def transform(self) -> Callable[..., Table]:
        """Compute the columns of the rows of X."""


class Classifier(Estimator, Protocol):
    """Classifier of scikit-learn with class probabilities."""

    classes_: Labels

    @property
    def predict_proba(self) -> Callable[..., Floats]:
        """Compute the class probabilities (n, r) of the rows of X."""


class ScoringClassifier(Classifier, Protocol):
    """Classifier of scikit-learn with class probabilities and scores."""

    @property
    def decision_function(self) -> Callable[..., Floats]:
        """Compute the scores of the rows of X."""
