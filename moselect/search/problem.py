"""What is searched: linear ordinal models of one data set, measured in batches."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._kernels.confusion import count_predictions
from moselect._kernels.cutpoints import LANES
from moselect._kernels.objectives import (
    exact_thresholds,
    objectives_with_exact_thresholds,
    objectives_with_given_thresholds,
)
from moselect._kernels.scores import code_bits, linear_scores, score_keys, score_keys_and_errors
from moselect.labels import class_labels, encode_labels
from moselect.metrics import expected_random_score
from moselect.models import feature_matrix, ready_made_directions, rows_to_fit
from moselect.search.checks import check_classes
from moselect.search.mixtures import pack_mixtures
from moselect.search.objectives import OBJECTIVES
from moselect.search.threads import count_threads, work_on
from moselect.search.whitening import Whitening

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

BATCH_BYTES = 2**19  # scores of the particles that pass through the caches together
WORTH_A_THREAD = 2**16  # scores; for fewer, starting a thread takes longer than it saves
PIECE = 8_192  # rows put in order at a time


class OrdinalProblem:
    """Maximise accuracy, 1 - MAE, VUS, U_cons, U_ovo and U_pairs of linear ordinal models.

    Parameters
    ----------
    X : array-like of shape (n, p)
        Finite features, in any units.
    y : array-like of shape (n,)
        Ordinal labels of at least two classes.
    thresholds : {"exact", "search"}, default="exact"
        ``"exact"``: a position is a direction, and its best thresholds are solved for.
        ``"search"``: a position is p weights followed by r - 1 thresholds, in units of
        standardised features (Waegeman et al. 2008, section 4.2).
    labels : sequence, optional
        Class labels, lowest first; by default those of ``y`` in their order.
    n_jobs : int, optional
        Threads that share a batch: one by default, -1 for all cores. Results are the same, bit for
        bit, for any number.

    Attributes
    ----------
    n_dimensions : int
        Length of a position: p + r - 1 (``"search"``), or the rank of the features (``"exact"``),
        whose positions are in whitened coordinates, in which features are uncorrelated and the
        scores of a unit vector have variance 1.
    chance : ndarray of shape (6,)
        The objectives that need no features: majority class, least MAE of a constant, 1 / r!
        and three times 1/2 (lemma 3.3).

    Examples
    --------
    >>> problem = OrdinalProblem([[0.0], [1.0], [2.0], [3.0]], [1, 1, 2, 2])
    >>> problem.evaluate([[1.0]])[0, 0]
    array([1., 1., 1., 1., 1., 1.])
    """

    def __init__(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        *,
        thresholds: Literal["exact", "search"] = "exact",
        labels: Sequence[Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        count_threads(n_jobs)
        if thresholds not in ("exact", "search"):
            raise ValueError(f"unknown thresholds {thresholds!r}: choose 'exact' or 'search'")
        values = feature_matrix(X, None)
        self.thresholds = thresholds
        self.n_jobs = n_jobs
        self.classes = class_labels(y, labels)
        codes = encode_labels(y, self.classes)
        check_classes(values, codes, self.classes)
        self.class_counts: Integers = np.bincount(codes, minlength=self.n_classes)
        if not math.isfinite(math.prod(map(float, self.class_counts))):
            raise ValueError(
                f"{self.n_classes} classes of this size have more sequences than VUS can count: "
                "merge neighbouring classes"
            )
        # Sorted by class once: labels are then constant on ranges, which is what makes it fast.
        order = np.argsort(codes, kind="stable")
        self.reversed_codes = self.n_classes - 1 - codes[order]
        self.features: Floats = np.empty((values.shape[1], len(values)))
        for start in range(0, len(order), PIECE):
            self.features[:, start : start + PIECE] = values[order[start : start + PIECE]].T
        self.bits = code_bits(self.n_classes)
        self.whitening = Whitening(self.features)
        self._costs, self._lanes = pack_mixtures(self.n_objects, self.n_classes)

    def __sizeof__(self) -> int:
        # Clusters send once what is large, and small things with every task.
        return object.__sizeof__(self) + self.features.nbytes + self.reversed_codes.nbytes

    @property
    def n_classes(self) -> int:
        """Number of classes r."""
        return len(self.classes)

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self.features.shape[1]

    @property
    def n_features(self) -> int:
        """Number of features p."""
        return self.features.shape[0]

    @property
    def n_dimensions(self) -> int:
        """Length of a position."""
        if self.thresholds == "search":
            return self.n_features + self.n_classes - 1
        return self.whitening.n_dimensions

    @cached_property
    def chance(self) -> Floats:
        """The six objectives that are reached without features."""
        shares = self.class_counts / self.n_objects
        ranks = np.arange(self.n_classes)
        trivial_mae = min(float(shares @ np.abs(ranks - k)) for k in ranks)
        ranking = [expected_random_score(self.n_classes, name) for name in OBJECTIVES[2:]]
        return np.array([shares.max(), 1.0 - trivial_mae, *ranking])

    def evaluate(self, positions: ArrayLike) -> Floats:
        """Measure a batch of positions.

        Parameters
        ----------
        positions : array-like of shape (P, n_dimensions)
            One particle a row.

        Returns
        -------
        ndarray of shape (P, 6) or (P, 8, 6)
            The objectives. With exact thresholds, one row for each mixture of errors and
            deviation that the thresholds may minimise, from errors first to MAE first.
        """
        batch = self._check(positions)
        shape = (len(batch), 6) if self.thresholds == "search" else (len(batch), LANES, 6)
        out = np.empty(shape)
        if self.thresholds == "search":
            weights, thresholds = self._split(batch)
            self.in_parts(
                len(batch),
                lambda part: self._measure_given(weights[part], thresholds[part], out[part]),
            )
        else:
            weights = self.weights(batch)
            self.in_parts(len(batch), lambda part: self._measure_exact(weights[part], out[part]))
        return out

    def models(self, positions: ArrayLike, mixtures: ArrayLike = 0) -> tuple[Floats, Floats]:
        """Give the models at some positions, in the units of the features.

        Parameters
        ----------
        positions : array-like of shape (P, n_dimensions)
            One particle a row.
        mixtures : array-like of int, shape (P,)
            For exact thresholds: which of the rows of `evaluate` is meant.

        Returns
        -------
        weights : ndarray of shape (P, p)
        thresholds : ndarray of shape (P, r - 1)
        """
        batch = self._check(positions)
        if self.thresholds == "search":
            return self._split(batch)
        weights = self.weights(batch)
        chosen = np.broadcast_to(np.asarray(mixtures, dtype=np.int64), len(batch))
        costs = self.mixture_costs()
        thresholds = np.empty((len(batch), self.n_classes - 1))

        def solve(part: slice) -> None:
            keys = self._sorted_keys(weights[part])
            for row, mixture, solution in zip(keys, chosen[part], thresholds[part], strict=True):
                exact_thresholds(row, self.bits, costs[mixture], solution)

        self.in_parts(len(batch), solve)
        return weights, thresholds

    def confusions(self, weights: Floats, thresholds: Floats) -> Integers:
        """Count what models predict.

        Parameters
        ----------
        weights : ndarray of shape (P, p)
            In the units of the features.
        thresholds : ndarray of shape (P, r - 1)
            Ascending.

        Returns
        -------
        ndarray of int, shape (P, r, r)
            Objects of each true class (rows) that a model puts into each class (columns).
        """
        codes = self.n_classes - 1 - self.reversed_codes
        counts = np.empty((len(weights), self.n_classes, self.n_classes), dtype=np.int64)

        def count(part: slice) -> None:
            scores = np.empty((len(weights[part]), self.n_objects))
            linear_scores(self.features, weights[part], self.bits, scores)
            count_predictions(scores, thresholds[part], codes, counts[part])

        self.in_parts(len(weights), count)
        return counts

    def weights(self, directions: Floats) -> Floats:
        """Give the weights of directions (P, n_dimensions) in the units of the features (P, p)."""
        return self.whitening.weights(directions)

    def directions(self, standardised: Floats) -> Floats:
        """Give the directions of weights (P, p) that belong to standardised features."""
        return self.whitening.directions(standardised)

    def ready_made(self) -> dict[str, Floats]:
        """Give the directions of ready-made linear models by name, unit vectors (n_dimensions,)."""
        varying = ~self.whitening.constant
        codes = self.n_classes - 1 - self.reversed_codes
        rows = rows_to_fit(codes)
        Z = self.whitening.standardised(self.features[:, rows])[varying].T
        fitted = ready_made_directions(Z, codes[rows], self.n_classes)
        directions = {}
        for name, weights in fitted.items():
            padded = np.zeros((1, self.n_features))
            padded[0, varying] = weights
            direction = self.directions(padded)[0]
            length = np.linalg.norm(direction)
            if length > 0.0:
                directions[name] = direction / length
        return directions

    def in_parts(self, n_particles: int, work: Callable[[slice], None]) -> None:
        """Do the work on a batch, in parts that fit the caches, and some for every thread."""
        worth = n_particles * self.n_objects // WORTH_A_THREAD
        n_threads = max(1, min(count_threads(self.n_jobs), worth))
        fair = n_particles if n_threads == 1 else n_particles // (2 * n_threads)
        step = min(BATCH_BYTES // (8 * self.n_objects), fair)
        starts = range(0, n_particles, max(1, step))
        work_on([slice(start, start + starts.step) for start in starts], work, n_threads)

    def mixture_costs(self) -> Integers:
        """Give the packed costs (LANES, r, r) of each mixture."""
        return np.ascontiguousarray(np.moveaxis(self._costs, -1, 0))

    def keys(self, weights: Floats) -> Integers:
        """Give the sort keys (P, n) of the scores of all objects, as `score_keys` makes them."""
        keys = np.empty((len(weights), self.n_objects), dtype=np.int64)
        score_keys(self.features, weights, self.reversed_codes, self.bits, keys)
        return keys

    def _measure_given(self, weights: Floats, thresholds: Floats, out: Floats) -> None:
        keys = np.empty((len(weights), self.n_objects), dtype=np.int64)
        errors = np.empty((len(weights), 2), dtype=np.int64)
        score_keys_and_errors(
            self.features, weights, thresholds, self.reversed_codes, self.bits, keys, errors
        )
        keys.sort(axis=1)
        objectives_with_given_thresholds(keys, self.bits, self.class_counts, errors, out)

    def _measure_exact(self, weights: Floats, out: Floats) -> None:
        keys = self._sorted_keys(weights)
        costs = self._costs.reshape(self.n_classes, -1)
        objectives_with_exact_thresholds(
            keys, self.bits, self.class_counts, costs, self._lanes, out
        )

    def _check(self, positions: ArrayLike) -> Floats:
        batch = np.ascontiguousarray(positions, dtype=np.float64)
        if batch.ndim != 2 or batch.shape[1] != self.n_dimensions:
            raise ValueError(
                f"positions have shape {batch.shape}, expected (P, {self.n_dimensions})"
            )
        if not np.isfinite(batch).all():
            raise ValueError("positions must be finite")
        return batch

    def _split(self, positions: Floats) -> tuple[Floats, Floats]:
        """Turn positions of the paper's encoding into weights and thresholds in raw units."""
        weights = positions[:, : self.n_features] * self.whitening.inverse_scale
        offset = np.empty((len(weights), 1))
        linear_scores(self.whitening.mean[:, None], weights, 0, offset)
        return weights, np.sort(positions[:, self.n_features :], axis=1) + offset

    def _sorted_keys(self, weights: Floats) -> Integers:
        keys = self.keys(weights)
        keys.sort(axis=1)
        return keys
