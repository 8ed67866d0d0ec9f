"""Standardised samples, dealt out to folds, and what follows from directions of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from moselect._types import Floats, Integers
from moselect.folds import Folds
from moselect.models.ready_made import rows_to_fit
from moselect.models.training import merge_within, moments
from moselect.samples import Samples

N_FOLDS = 5
# Most samples to fit to: with all folds, where 300,000 others can tell the difference, and without
# one, where the samples of that fold cannot.
MOST_ROWS = 50_000
MOST_ROWS_OF_FOLDS = 10_000


class Part(NamedTuple):
    """Samples that are fitted to, and all samples in the columns fitted to these."""

    Z: Floats  # (n, p), standardised
    rows: Integers  # (k,) of the samples to fit to
    sample_weights: Floats  # (k,) of these
    offset: Floats  # (p,) means
    inverse_scale: Floats  # (p,) inverse standard deviations, 0 for a constant column
    basis: Floats | None = None  # (p, n) of the space of the samples, if Z is in it

    def weights(self, direction: Floats) -> Floats:
        """Return the weights (p,) in the units of the columns of a direction of Z."""
        spread = direction if self.basis is None else self.basis @ direction
        return spread * self.inverse_scale

    @property
    def train(self) -> Floats:
        """Standardised columns of the samples to fit to."""
        return self.Z[self.rows]


class FoldedSamples:
    """The samples that rules are fitted to, in parts: all of them, and without each fold.

    Copies are merged into one with a weight and put into an order of their own, so
    that nothing depends on how they came.

    Parameters
    ----------
    samples, folds, refitted
        As in `LinearRuleFitter`.

    Attributes
    ----------
    codes, weights : ndarray of shape (n,)
        Classes and weights.
    folds : Folds
        Of these; copies are in one fold.
    index : ndarray of int
        The index of each sample with weight, as they came, among the n.
    parts : list of Part
        All samples, and those without each fold; evenly spaced ones of very many.
    """

    def __init__(
        self, samples: Samples, folds: Folds | None, refitted: Sequence[Floats] | None
    ) -> None:
        self.n_classes = samples.n_classes
        if folds is None:
            values, self.codes, self.weights, groups, self.index = merge_within(
                samples.X, samples.codes, samples.weights, None
            )
            folds = Folds.deal(groups, self.codes, N_FOLDS, self.weights)
        else:  # rows that are equal in some columns may differ in those of another fold
            values, self.codes, self.weights = (
                samples.X,
                samples.codes,
                samples.each_weight,
            )
            self.index = np.arange(len(samples))
        self.folds, refitted = folds, refitted or []
        width = max(matrix.shape[1] for matrix in (values, *refitted))
        # with columns of zeros at the end, which no rule gives a weight
        values, *refitted = (
            np.pad(matrix, ((0, 0), (0, width - matrix.shape[1])))
            for matrix in (values, *refitted)
        )
        self._are_wide = not refitted and width > len(self.codes)
        everything = np.arange(len(self.codes))
        first = self._part(values, *self._enough(everything, MOST_ROWS))
        self.parts = [first]
        for j, (inside, _) in enumerate(folds):
            rows, weights = self._enough(inside, MOST_ROWS_OF_FOLDS)
            if refitted:
                self.parts.append(self._part(refitted[j], rows, weights))
            else:
                self.parts.append(first._replace(rows=rows, sample_weights=weights))

    @property
    def Z(self) -> Floats:  # noqa: N802  # what statisticians call standardised features
        """Standardised columns (n, p) of all samples."""
        return self.parts[0].Z

    def unit(self, direction: Floats, part: Part) -> Floats:
        """Return a direction (p,) whose scores of a part have deviation 1.

        A direction without any spread stays as it is.
        """
        spread = moments(part.train @ direction, part.sample_weights)[1]
        return direction / (spread or 1.0)

    def cross_scores(self, directions: Sequence[Floats] | Floats) -> Floats:
        """Return the scores (n,) of samples under the direction without their fold.

        ``directions`` has one (p,) a part, that of all samples first, which is not used,
        or several (m, p); then scores have shape (m, n). They are centred on the mean
        without the fold.
        """
        stacked = np.asarray(directions)
        scores = np.empty((*stacked.shape[1:-1], len(self.Z)))
        for direction, part, (_, held_out) in zip(
            stacked[1:], self.parts[1:], self.folds, strict=True
        ):
            centre = np.average(part.train, axis=0, weights=part.sample_weights)
            scores[..., held_out] = direction @ (part.Z[held_out] - centre).T
        return scores

    def _enough(self, rows: Integers, most: int) -> tuple[Integers, Floats]:
        """Return the samples, of some, that are enough to fit to, and their weights."""
        some, weights = rows_to_fit(self.codes[rows], self.weights[rows], most)
        return rows[some], self.weights[rows] if weights is None else weights

    def _part(self, matrix: Floats, rows: Integers, weights: Floats) -> Part:
        offset, scale = moments(matrix, self.weights)
        varying = (np.ptp(matrix, axis=0) > 0.0) & (scale > 0.0)
        inverse_scale = np.divide(1.0, scale, out=np.zeros_like(scale), where=varying)
        Z = (matrix - offset) * inverse_scale
        if self._are_wide:
            # A ridge penalty leaves nothing outside the space of the samples.
            U, lengths, Vt = np.linalg.svd(Z, full_matrices=False)
            return Part(U * lengths, rows, weights, offset, inverse_scale, Vt.T)
        return Part(Z, rows, weights, offset, inverse_scale)
