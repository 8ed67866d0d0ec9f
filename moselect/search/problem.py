"""What is searched: linear ordinal models of one data set, measured in batches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._kernels.crossing import draw_misplaced
from moselect._kernels.cutpoints import LANES
from moselect._kernels.gradient import score_gradient
from moselect._kernels.objectives import (
    exact_thresholds,
    objectives_with_exact_thresholds,
    objectives_with_given_thresholds,
)
from moselect._kernels.scores import code_bits, linear_scores, score_keys, score_keys_and_errors
from moselect.metrics import class_labels, encode_labels, expected_random_score
from moselect.models import feature_matrix, ready_made_directions
from moselect.search.checks import check_classes
from moselect.search.mixtures import pack_mixtures
from moselect.search.whitening import Whitening

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

OBJECTIVES = ("accuracy", "one_minus_mae", "vus", "u_cons", "u_ovo", "u_pairs")

BATCH_BYTES = 2**19  # scores of the particles that pass through the caches together


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
    ) -> None:
        if thresholds not in ("exact", "search"):
            raise ValueError(f"unknown thresholds {thresholds!r}: choose 'exact' or 'search'")
        values = feature_matrix(X, None)
        self.thresholds = thresholds
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
        self._codes = codes[order]
        self._reversed_codes = self.n_classes - 1 - self._codes
        self._features = np.ascontiguousarray(values[order].T)
        self._bits = code_bits(self.n_classes)
        self._whitening = Whitening(self._features)
        self._costs, self._lanes = pack_mixtures(self.n_objects, self.n_classes)

    def __sizeof__(self) -> int:
        # Clusters send once what is large, and small things with every task.
        return object.__sizeof__(self) + self._features.nbytes + 2 * self._codes.nbytes

    @property
    def n_classes(self) -> int:
        """Number of classes r."""
        return len(self.classes)

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self._features.shape[1]

    @property
    def n_features(self) -> int:
        """Number of features p."""
        return self._features.shape[0]

    @property
    def n_dimensions(self) -> int:
        """Length of a position."""
        if self.thresholds == "search":
            return self.n_features + self.n_classes - 1
        return self._whitening.n_dimensions

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
        for part in self._parts(len(batch)):
            if self.thresholds == "search":
                weights, thresholds = self._split(batch[part])
                keys = np.empty((len(weights), self.n_objects), dtype=np.int64)
                errors = np.empty((len(weights), 2), dtype=np.int64)
                score_keys_and_errors(
                    self._features,
                    weights,
                    thresholds,
                    self._reversed_codes,
                    self._bits,
                    keys,
                    errors,
                )
                keys.sort(axis=1)
                objectives_with_given_thresholds(
                    keys, self._bits, self.class_counts, errors, out[part]
                )
            else:
                objectives_with_exact_thresholds(
                    self._sorted_keys(self.weights(batch[part])),
                    self._bits,
                    self.class_counts,
                    self._costs.reshape(self.n_classes, -1),
                    self._lanes,
                    out[part],
                )
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
        costs = np.ascontiguousarray(np.moveaxis(self._costs, -1, 0))
        thresholds = np.empty((len(batch), self.n_classes - 1))
        for part in self._parts(len(batch)):
            keys = self._sorted_keys(weights[part])
            for row, mixture, solution in zip(keys, chosen[part], thresholds[part], strict=True):
                exact_thresholds(row, self._bits, costs[mixture], solution)
        return weights, thresholds

    def weights(self, directions: Floats) -> Floats:
        """Give the weights of directions (P, n_dimensions) in the units of the features (P, p)."""
        return self._whitening.weights(directions)

    def directions(self, standardised: Floats) -> Floats:
        """Give the directions of weights (P, p) that belong to standardised features."""
        return self._whitening.directions(standardised)

    def ready_made(self) -> dict[str, Floats]:
        """Give the directions of ready-made linear models by name, unit vectors (n_dimensions,)."""
        varying = ~self._whitening.constant
        Z = self._whitening.standardised(self._features)[varying].T
        fitted = ready_made_directions(Z, self._codes, self.n_classes)
        directions = {}
        for name, weights in fitted.items():
            padded = np.zeros((1, self.n_features))
            padded[0, varying] = weights
            direction = self.directions(padded)[0]
            length = np.linalg.norm(direction)
            if length > 0.0:
                directions[name] = direction / length
        return directions

    def ascend(
        self, positions: Floats, mixtures: Integers, worths: Floats, half_widths: Floats
    ) -> Floats:
        """Give the smoothed gradient of weighted objectives at some directions.

        Parameters
        ----------
        positions : ndarray of shape (P, n_dimensions)
            Unit directions.
        mixtures : ndarray of int, shape (P,)
            Which of the thresholds of each direction are meant.
        worths : ndarray of shape (P, 6)
            What a unit of each objective is worth.
        half_widths : ndarray of shape (P,)
            Width of the smoothing, in standard deviations of the scores.

        Returns
        -------
        ndarray of shape (P, n_dimensions)
        """
        weights, thresholds = self.models(positions, mixtures)
        gradients = np.empty((len(positions), self.n_features))
        for part in self._parts(len(positions)):
            scores = np.empty((len(weights[part]), self.n_objects))
            linear_scores(self._features, weights[part], self._bits, scores)
            order = np.argsort(scores, axis=1)
            raised = np.empty_like(scores)
            for i, particle in enumerate(range(part.start, part.start + len(scores))):
                score_gradient(
                    scores[i],
                    order[i],
                    self._codes,
                    self.class_counts,
                    thresholds[particle],
                    worths[particle],
                    half_widths[particle],
                    raised[i],
                )
            centred = np.einsum("pn,fn->pf", raised, self._features)
            centred -= raised.sum(axis=1)[:, None] * self._whitening.mean
            gradients[part] = centred
        return self._whitening.pull_back(gradients)

    def crossings(
        self, positions: Floats, mixtures: Integers, reach: Floats, draws: Floats
    ) -> Floats:
        """Give the shortest steps that bring one wrongly classified object to its class.

        Positions and mixtures as in `ascend`. The step (P, n_dimensions) of each direction leads
        its object to the threshold, across which it must go. Objects near a threshold, compared
        with ``reach`` (P,), are preferred; ``draws`` (P,), from 0 to below 1, choose among them.
        """
        weights, thresholds = self.models(positions, mixtures)
        objects = np.empty((len(positions), self.n_features))
        shifts = np.empty(len(positions))
        for part in self._parts(len(positions)):
            scores = np.empty((len(weights[part]), self.n_objects))
            linear_scores(self._features, weights[part], self._bits, scores)
            for i, row in enumerate(scores, start=part.start):
                chosen, shifts[i] = draw_misplaced(
                    row, self._codes, thresholds[i], reach[i], draws[i]
                )
                objects[i] = self._features[:, chosen] - self._whitening.mean
        normals = self._whitening.pull_back(objects)
        square = (normals**2).sum(axis=1)
        return (
            normals
            * np.divide(shifts, square, out=np.zeros_like(square), where=square > 0.0)[:, None]
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

    def _parts(self, n_particles: int) -> Iterator[slice]:
        step = max(1, BATCH_BYTES // (8 * self.n_objects))
        return (slice(start, start + step) for start in range(0, n_particles, step))

    def _split(self, positions: Floats) -> tuple[Floats, Floats]:
        """Turn positions of the paper's encoding into weights and thresholds in raw units."""
        weights = positions[:, : self.n_features] * self._whitening.inverse_scale
        offset = np.empty((len(weights), 1))
        linear_scores(self._whitening.mean[:, None], weights, 0, offset)
        return weights, np.sort(positions[:, self.n_features :], axis=1) + offset

    def _sorted_keys(self, weights: Floats) -> Integers:
        keys = np.empty((len(weights), self.n_objects), dtype=np.int64)
        score_keys(self._features, weights, self._reversed_codes, self._bits, keys)
        keys.sort(axis=1)
        return keys
