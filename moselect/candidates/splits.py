"""Samples that evaluate candidates, by split."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Self

import numpy as np

from moselect._types import Integers, record
from moselect.candidates.cross_validation import SPLITS
from moselect.listing import listing, setting
from moselect.models.learner import Predictions
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.serial import correlation_length, in_blocks, order_length, series_of


@record
class Splits:
    """Samples that evaluate candidates, by split.

    Attributes
    ----------
    train : Samples
        All training samples.
    cv : Samples
        Training samples in some test fold.
    folds : ndarray of int, shape (m,)
        Test fold of each out-of-fold prediction.
    holdout : Samples or None
        Samples unused in training.
    positions : ndarray of int, shape (m,), or None
        Position in ``cv`` of each out-of-fold prediction, if test folds overlap.
    goes_forward : bool
        Whether each fold is later than its training samples.
    n_source_rows : int or None
        Number of source rows that the samples are drawn from. None: all rows are samples.
    """

    train: Samples
    cv: Samples
    folds: Integers
    holdout: Samples | None = None
    positions: Integers | None = None
    goes_forward: bool = False
    n_source_rows: int | None = None

    @classmethod
    def of(
        cls,
        samples: Samples,
        folds: Folds,
        holdout: Samples | None = None,
    ) -> Self:
        """Return the splits of training samples by folds, with an optional holdout set.

        Out-of-fold predictions are in the order of the samples, and then of the folds.
        """
        numbers = np.repeat(np.arange(len(folds)), [len(test) for _, test in folds])
        tested = folds.tested  # not all samples, if folds go forward in time
        cv = samples if len(tested) == len(samples) else samples.take(tested)
        if samples.times is not None:
            parts = [part for part in (samples, holdout) if part is not None]
            series = [series_of(part, part.codes) for part in parts]
            length = correlation_length(np.concatenate(series))
            cv = in_blocks(cv, length)
            holdout = None if holdout is None else in_blocks(holdout, length)
        positions = None
        if len(numbers) > len(tested):
            rows = np.concatenate([test for _, test in folds])
            positions = np.searchsorted(tested, np.sort(rows))
        return cls(
            samples, cv, numbers[folds.order], holdout, positions, folds.goes_forward
        )

    def in_order(self, predictions: Predictions) -> Self:
        """Return the splits in blocks, if residuals of predictions depend on the order of rows."""
        is_ordered = self.cv.times is None and self.positions is None
        if predictions.proba is None or not is_ordered:
            return self
        expected = predictions.proba @ np.arange(self.cv.n_classes)
        length = order_length(self.cv, self.cv.codes - expected)
        return replace(self, cv=in_blocks(self.cv, length))

    @property
    def notes(self) -> list[str]:
        """Notes on classes that only occur late, and on serially dependent samples."""
        return [*self._late_classes(), *self._dependence()]

    def _late_classes(self) -> Iterator[str]:
        if self.train.times is None or self.cv.times is None:
            return
        codes = self.train.codes
        is_first = self.train.times < self.cv.times.min()
        unknown = self.train.classes[np.setdiff1d(codes, codes[is_first])]
        if len(unknown):
            yield (
                f"class {listing(unknown)} occurs late: models of early folds do not know it, "
                "and the figures of all folds are not those of later rows"
            )

    def _dependence(self) -> Iterator[str]:
        if math.isinf(self.cv.block_length):
            return
        note = (
            f"rows resemble those before them: standard errors are of {self.cv.n_units} "
            "blocks of consecutive rows"
        )
        if self.cv.times is None:
            ways = setting("time", ["COLUMN"])
            note += f"; if they are in order of time, give it ({ways})"
        yield note

    @property
    def n_rows(self) -> int:
        """Number of rows; with times also of the first, which are not tested, and the latest."""
        if not self.goes_forward:
            return len(self.cv)
        if self.holdout is None:
            return len(self.train)
        return len(self.train) + len(self.holdout)

    @property
    def n_folds(self) -> int:
        """Number of test folds."""
        return len(np.unique(self.folds))

    @cached_property
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

    @property
    def by_name(self) -> dict[str, Samples]:
        """Samples of the predictions of each split: out of fold, of the holdout, in training."""
        samples = zip(SPLITS, (self.predicted, self.holdout, self.train), strict=True)
        return {split: known for split, known in samples if known is not None}

    def take(self, rows: Integers) -> Self:
        """Return the splits of some out-of-fold predictions."""
        part = self.predicted.take(rows)
        return replace(self, cv=part, folds=self.folds[rows], positions=None)
