"""A linear model as plain values, and its scores, which no library of models is needed for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._kernels import code_bits
from moselect._types import Floats
from moselect.labels import as_label_array


class LinearModel:
    """Weights, thresholds and classes, as `OrdinalLinearClassifier` describes them."""

    def __init__(
        self,
        coef: ArrayLike,
        thresholds: ArrayLike,
        classes: ArrayLike,
        feature_names: Sequence[str] | None = None,
        columns: Any = None,
    ) -> None:
        self.coef = coef
        self.thresholds = thresholds
        self.classes = classes
        self.feature_names = feature_names
        self.columns = columns
        for name in ("coef", "thresholds", "classes"):
            if np.ndim(getattr(self, name)) != 1:
                raise ValueError(f"{name} has shape {np.shape(getattr(self, name))}: give a list")
        if not (np.isfinite(self.coef_).all() and np.isfinite(self.thresholds_).all()):
            raise ValueError("coef and thresholds must be finite numbers")
        if len(self.thresholds_) != len(self.classes_) - 1:
            raise ValueError(
                f"{len(self.classes_)} classes need {len(self.classes_) - 1} thresholds, "
                f"but there are {len(self.thresholds_)}"
            )
        names = self.feature_names
        if names is not None and len(names) != self.n_features_in_:
            raise ValueError(
                f"{self.n_features_in_} weights need as many feature_names, but there are "
                f"{len(names)}"
            )
        if not (np.diff(self.thresholds_) >= 0.0).all():
            raise ValueError(f"thresholds must ascend: {self.thresholds_.tolist()}")

    @property
    def coef_(self) -> Floats:
        """Weights, shape (p,)."""
        return np.asarray(self.coef, dtype=np.float64)

    @property
    def thresholds_(self) -> Floats:
        """Cut points, shape (r - 1,)."""
        return np.asarray(self.thresholds, dtype=np.float64)

    @property
    def classes_(self) -> NDArray[Any]:
        """Class labels, lowest first, shape (r,)."""
        return as_label_array(self.classes)

    @property
    def n_features_in_(self) -> int:
        """Number of features p."""
        return len(self.coef_)


def score_rows(
    values: Floats, weights: Floats, n_classes: int, overflow: Literal["raise", "ignore"] = "raise"
) -> Floats:
    """Compute ``values . weights`` (n,), to the last bit as the search, wherever rows stand."""
    low_bits = (1 << code_bits(n_classes)) - 1
    scores = np.zeros(len(values))
    with np.errstate(over=overflow, invalid=overflow):
        for feature, weight in zip(np.ascontiguousarray(values.T), weights, strict=True):
            scores += weight * feature  # in the order of the kernel `linear_scores`
    scores.view(np.int64)[:] &= ~low_bits
    return scores + 0.0  # -0.0 becomes 0.0
