"""A confusion matrix that is counted part by part and can be merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats
from moselect.labels import class_labels, encode_labels
from moselect.metrics.counts.ranking_counts import check_part_weights
from moselect.metrics.predicted import Confusion

FORMAT = "moselect prediction counts 1"


class PredictionCounts:
    """Weights of the samples of each true and predicted class.

    All measures of predicted classes follow from them exactly.

    Parameters
    ----------
    classes : sequence of length r
        All classes, lowest first.

    Attributes
    ----------
    classes : ndarray of shape (r,)
    matrix : ndarray of float64, shape (r, r)
        True classes in rows, predicted ones in columns.

    Examples
    --------
    >>> first = PredictionCounts([1, 2, 3]).update([1, 2], [1, 3])
    >>> both = first.merge(PredictionCounts([1, 2, 3]).update([3, 3], [3, 1]))
    >>> both.confusion.mean(both.confusion.distances)  # the mean absolute error
    0.75
    """

    def __init__(self, classes: Sequence[Any] | NDArray[Any]) -> None:
        self.classes = class_labels(classes, classes)
        self.matrix: Floats = np.zeros((len(self.classes), len(self.classes)))

    def update(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> PredictionCounts:
        """Add samples; ValueError if lengths differ, labels are unknown or weights negative."""
        true, predicted = encode_labels(y_true, self.classes), encode_labels(y_pred, self.classes)
        if len(true) != len(predicted):
            raise ValueError(f"y_true has {len(true)} samples but y_pred has {len(predicted)}")
        weights = check_part_weights(sample_weight, len(true))
        r = len(self.classes)
        cells = np.bincount(true * r + predicted, weights, minlength=r * r)
        self.matrix = self.matrix + cells.reshape(r, r)
        return self

    def merge(self, other: PredictionCounts) -> PredictionCounts:
        """Return the counts of the samples of both; ValueError if classes differ."""
        if self.classes.tolist() != other.classes.tolist():
            raise ValueError(
                f"counts of classes {self.classes.tolist()} and {other.classes.tolist()} "
                "cannot be merged"
            )
        merged = PredictionCounts(self.classes)
        merged.matrix = self.matrix + other.matrix
        return merged

    @property
    def confusion(self) -> Confusion:
        """The confusion matrix with the distances of the classes, for the measures."""
        ranks = np.arange(float(len(self.classes)))
        distances = np.abs(ranks[:, np.newaxis] - ranks)
        return Confusion(self.matrix, distances, self.matrix.sum(axis=1) > 0.0, self.classes)

    def to_document(self) -> dict[str, Any]:
        """Return the counts in the terms of JSON."""
        return {
            "format": FORMAT,
            "classes": self.classes.tolist(),
            "matrix": self.matrix.tolist(),
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> PredictionCounts:
        """Return the counts of a document; ValueError if it is not one of `to_document`."""
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise ValueError(f"this is no document of the format '{FORMAT}'")
        try:
            counts = cls(document["classes"])
            matrix = np.asarray(document["matrix"], dtype=np.float64)
        except (KeyError, TypeError) as error:
            raise ValueError(f"the prediction counts are broken: {error!r}") from error
        if matrix.shape != counts.matrix.shape or not np.isfinite(matrix).all():
            raise ValueError("the prediction counts are broken: the matrix must be (r, r)")
        if (matrix < 0.0).any():
            raise ValueError("the prediction counts are broken: counts must not be negative")
        counts.matrix = matrix
        return counts
