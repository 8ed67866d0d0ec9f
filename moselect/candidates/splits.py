"""Samples that evaluate candidates, by split, and the predictions of a candidate for them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np

from moselect._types import Array, Integers
from moselect.listing import setting
from moselect.models.learner import Predictions
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.serial import correlation_length, in_blocks, order_length, series_of
from moselect.validation import at_rows


class Splits(NamedTuple):
    """Samples that evaluate candidates, by split."""

    train: Samples  # all training samples
    cv: Samples  # training samples in some test fold
    folds: Integers  # (m,) test fold of each out-of-fold prediction
    holdout: Samples | None = None  # unused in training
    positions: Integers | None = None  # (m,) in ``cv``, if test folds overlap
    goes_forward: bool = False  # whether each fold is later than its training samples

    @classmethod
    def of(cls, samples: Samples, folds: Folds, holdout: Samples | None = None) -> Self:
        """Return the splits of training samples by folds, with an optional holdout set.

        Out-of-fold predictions are in the order of the samples, and then of the folds.
        """
        numbers = np.repeat(np.arange(len(folds)), [len(test) for _, test in folds])
        rows = np.concatenate([test for _, test in folds])
        order = np.argsort(rows, kind="stable")
        tested = folds.tested  # not all samples, if folds go forward in time
        cv = samples if len(tested) == len(samples) else samples.take(tested)
        if samples.times is not None:
            parts = [part for part in (samples, holdout) if part is not None]
            series = [series_of(part, part.codes) for part in parts]
            length = correlation_length(np.concatenate(series))
            cv = in_blocks(cv, length)
            holdout = None if holdout is None else in_blocks(holdout, length)
        positions = None
        if len(rows) > len(tested):
            positions = np.searchsorted(tested, rows[order])
        return cls(samples, cv, numbers[order], holdout, positions, folds.goes_forward)

    def in_order(self, predictions: Predictions) -> Self:
        """Return the splits in blocks, if residuals of predictions depend on the order of rows."""
        is_ordered = self.cv.times is None and self.positions is None
        if predictions.proba is None or not is_ordered:
            return self
        expected = predictions.proba @ np.arange(self.cv.n_classes)
        length = order_length(self.cv, self.cv.codes - expected)
        return self._replace(cv=in_blocks(self.cv, length))

    @property
    def notes(self) -> list[str]:
        """Report samples that depend on those before them."""
        if math.isinf(self.cv.block_length):
            return []
        note = (
            f"rows resemble those before them: standard errors are of {self.cv.n_units} "
            "blocks of consecutive rows"
        )
        if self.cv.times is None:
            ways = setting("time", ["COLUMN"])
            note += f"; if they are in order of time, give it ({ways})"
        return [note]

    @property
    def predicted(self) -> Samples:
        """The sample (m,) of each out-of-fold prediction, weighted to count once over all."""
        if self.positions is None:
            return self.cv
        repeated = self.cv.take(self.positions)
        weights = (
            repeated.sample_weight_or_ones / np.bincount(self.positions)[self.positions]
        )
        # Predictions for one sample by several models are no independent observations.
        groups = self.positions if repeated.groups is None else repeated.groups
        return replace(repeated, weights=weights, groups=groups)


class SplitPredictions(NamedTuple):
    """Predictions of a candidate for the samples of a split, with the folds of its models."""

    samples: Samples
    predictions: Predictions
    folds: Integers | None = None

    def take(self, rows: Array) -> SplitPredictions:
        """Return the predictions of some samples, by index or mask."""
        codes, scores, proba = self.predictions
        part = Predictions(codes[rows], scores[rows], at_rows(proba, rows))
        folds = at_rows(self.folds, rows)
        return SplitPredictions(self.samples.take(rows), part, folds)
