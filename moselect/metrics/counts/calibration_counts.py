"""How well predicted probabilities agree with the classes, counted part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats
from moselect._validation import check_probabilities
from moselect.labels import class_labels, encode_labels
from moselect.metrics.counts.ranking_counts import check_part_weights

FORMAT = "moselect calibration counts 1"
MOST_BINS = 10_000
SUMS = ("weight", "predicted", "observed")


class CalibrationCounts:
    """Predicted and observed probability of a class above each class but the highest, in bins.

    For an ordinal target the probability ``P(y > k)`` of each of the r - 1 splits is what should
    agree with the share of samples above k. Bins are of equal width in that probability.

    Parameters
    ----------
    classes : sequence of length r
        All classes, lowest first.
    n_bins : int, default=10
        Number of bins, up to 10,000.

    Attributes
    ----------
    classes : ndarray of shape (r,)
    weight, predicted, observed : ndarray of shape (r - 1, n_bins)
        Sums over the samples of a bin: weights, weighted probabilities, weights of the samples
        above the split.
    ranked_probability : float
        Weighted sum of the ranked probability error over the samples.

    Raises
    ------
    ValueError
        If there are fewer than two classes, or the number of bins is not within 1 .. 10,000.

    Examples
    --------
    >>> counts = CalibrationCounts([1, 2]).update([1, 2, 2], [[0.8, 0.2], [0.3, 0.7], [0.25, 0.75]])
    >>> counts.table().round(3).values.tolist()
    [[1.0, 1.0, 0.2, 0.0], [1.0, 2.0, 0.725, 1.0]]
    """

    def __init__(self, classes: Sequence[Any] | NDArray[Any], n_bins: int = 10) -> None:
        self.classes = class_labels(classes, classes)
        if len(self.classes) < 2:
            raise ValueError(f"calibration needs at least 2 classes, not {len(self.classes)}")
        if not 1 <= n_bins <= MOST_BINS:
            raise ValueError(f"n_bins is {n_bins}: it must lie within 1 and {MOST_BINS:,}")
        shape = (len(self.classes) - 1, n_bins)
        self.weight, self.predicted, self.observed = np.zeros((3, *shape))
        self.ranked_probability = 0.0

    def update(
        self, y_true: ArrayLike, y_proba: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> CalibrationCounts:
        """Add samples with predicted probabilities (n, r), a column for each of ``classes``.

        Raises
        ------
        ValueError
            If shapes differ, rows are no probabilities, a label is unknown, or weights are
            negative.
        """
        codes = encode_labels(y_true, self.classes)
        if len(codes) == 0:
            return self
        proba = check_probabilities(y_proba, len(codes))
        if proba.shape[1] != len(self.classes):
            raise ValueError(
                f"y_proba has {proba.shape[1]} columns for {len(self.classes)} classes"
            )
        given = check_part_weights(sample_weight, len(codes))
        weights = np.ones(len(codes)) if given is None else given
        above = np.clip(1.0 - np.cumsum(proba[:, :-1], axis=1), 0.0, 1.0)
        n_bins = self.weight.shape[1]
        for split, p in enumerate(above.T):
            is_above = codes > split
            at = np.minimum((p * n_bins).astype(np.int64), n_bins - 1)
            for sums, values in zip(
                (self.weight, self.predicted, self.observed),
                (weights, weights * p, weights * is_above),
                strict=True,
            ):
                sums[split] += np.bincount(at, values, minlength=n_bins)
            self.ranked_probability += float(weights @ (p - is_above) ** 2)
        return self

    def merge(self, other: CalibrationCounts) -> CalibrationCounts:
        """Return the counts of the samples of both; ValueError if classes or bins differ."""
        if self.classes.tolist() != other.classes.tolist():
            raise ValueError(
                f"counts of classes {self.classes.tolist()} and {other.classes.tolist()} "
                "cannot be merged"
            )
        if self.weight.shape != other.weight.shape:
            raise ValueError("calibration counts in different numbers of bins cannot be merged")
        merged = CalibrationCounts(self.classes, self.weight.shape[1])
        for name in (*SUMS, "ranked_probability"):
            setattr(merged, name, getattr(self, name) + getattr(other, name))
        return merged

    @property
    def ranked_probability_error(self) -> float:
        """Mean ranked probability error, as `moselect.metrics.ranked_probability_error`."""
        return self.ranked_probability / self._total()

    @property
    def calibration_error(self) -> Floats:
        """Expected calibration error (r - 1,) of each split.

        Mean difference, by weight and without sign, of predicted and observed probability in a
        bin; 0 is best.
        """
        return np.abs(self.predicted - self.observed).sum(axis=1) / self._total()

    def table(self) -> pd.DataFrame:
        """Return one row a split and bin that holds samples: what a reliability diagram draws.

        Returns
        -------
        DataFrame
            With the columns ``above`` (the class that the split is above), ``weight``,
            ``predicted`` and ``observed`` probability.
        """
        split, at = np.nonzero(self.weight)
        weight = self.weight[split, at]
        return pd.DataFrame(
            {
                "above": self.classes[split],
                "weight": weight,
                "predicted": self.predicted[split, at] / weight,
                "observed": self.observed[split, at] / weight,
            }
        )

    def _total(self) -> float:
        total = float(self.weight[0].sum())
        if total == 0.0:
            raise ValueError("there are no samples: nothing can be measured")
        return total

    def to_document(self) -> dict[str, Any]:
        """Return the counts in the terms of JSON."""
        sums = {name: getattr(self, name).tolist() for name in SUMS}
        return {
            "format": FORMAT,
            "classes": self.classes.tolist(),
            **sums,
            "ranked_probability": self.ranked_probability,
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> CalibrationCounts:
        """Return the counts of a document; ValueError if it is not one of `to_document`."""
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise ValueError(f"this is no document of the format '{FORMAT}'")
        try:
            sums = [np.asarray(document[name], dtype=np.float64) for name in SUMS]
            counts = cls(document["classes"], np.shape(sums[0])[-1])
            counts.ranked_probability = float(document["ranked_probability"])
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"the calibration counts are broken: {error!r}") from error
        values = np.array([counts.ranked_probability])
        for name, value in zip(SUMS, sums, strict=True):
            if value.shape != counts.weight.shape:
                raise ValueError(f"the calibration counts are broken: {name} has a wrong shape")
            setattr(counts, name, value)
            values = np.append(values, value)
        if not (np.isfinite(values).all() and values.min() >= 0.0):
            raise ValueError("the calibration counts are broken: sums must not be negative")
        return counts
