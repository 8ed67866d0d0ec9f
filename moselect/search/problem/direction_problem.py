"""Search directions only: the best thresholds of a direction are solved for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.crossing import draw_misplaced
from moselect._kernels.gradient import score_gradients
from moselect._kernels.objectives import objectives_with_exact_thresholds
from moselect._types import Floats, Integers
from moselect.metrics.chosen_objectives import chance_levels
from moselect.metrics.objectives import N_OBJECTIVES
from moselect.models.linear_batch import LinearBatch
from moselect.models.ready_made import ready_made_directions, rows_to_fit
from moselect.search.problem.whitening import Whitening, check_positions

# What the best thresholds of a direction minimise besides errors first and MAE first:
# a * errors + b * deviation. The ratios lie between those of small integers, at which one best
# solution gives way to the next.
MIXTURES = ((4, 1), (3, 2), (3, 4), (1, 2), (1, 4), (1, 8))
N_MIXTURES = len(MIXTURES) + 2


class DirectionProblem:
    """Search directions; the thresholds along each are solved for exactly.

    A position is a direction in whitened coordinates, in which features are uncorrelated and the
    scores of a unit vector have variance 1. At each position one model is evaluated for each of
    some mixtures of errors and deviation, which its thresholds minimise: from errors first to MAE
    first. Attributes as in `Problem`.
    """

    n_mixtures = N_MIXTURES

    def __init__(self, batch: LinearBatch) -> None:
        self.batch = batch
        self.chance: Floats = chance_levels(batch.class_counts)
        self._whitening = Whitening(batch.features)
        self._costs, self._lanes = pack_mixtures(batch.n_samples, batch.n_classes)
        self._costs_of_mixture = np.ascontiguousarray(np.moveaxis(self._costs, -1, 0))

    @property
    def n_dimensions(self) -> int:
        """Rank of the features."""
        return self._whitening.n_dimensions

    def evaluate(self, positions: ArrayLike) -> Floats:
        """Measure positions (P, d); returns all objectives of each mixture, (P, N_MIXTURES, m)."""
        weights = self.weights(positions)
        batch = self.batch
        costs = self._costs.reshape(batch.n_classes, -1)
        out = np.empty((len(weights), N_MIXTURES, N_OBJECTIVES))

        def measure(part: slice) -> None:
            objectives_with_exact_thresholds(
                batch.sorted_keys(weights[part]),
                batch.bits,
                batch.class_counts,
                costs,
                self._lanes,
                out[part],
            )

        batch.in_parts(len(weights), measure)
        return out

    def models(self, positions: ArrayLike, mixtures: ArrayLike = 0) -> tuple[Floats, Floats]:
        """Return weights (P, p) and thresholds (P, r - 1) of the models at some positions.

        ``mixtures`` (P,) say which of the models that `evaluate` measures there.
        """
        weights = self.weights(positions)
        chosen = np.broadcast_to(np.asarray(mixtures, dtype=np.int64), len(weights))
        return weights, self.batch.exact_thresholds(weights, self._costs_of_mixture[chosen])[0]

    def models_and_confusions(
        self, positions: Floats, mixtures: Integers
    ) -> tuple[Floats, Floats, Integers]:
        """Return the models at some positions, as `models`, and their confusions (P, r, r)."""
        distinct, direction = np.unique(positions, axis=0, return_inverse=True)
        weights = self.weights(distinct)
        thresholds, confusions = self.batch.exact_models(
            weights, direction.ravel(), self._costs_of_mixture[mixtures]
        )
        return weights[direction.ravel()], thresholds, confusions

    def from_features(self, standardised: Floats) -> Floats:
        """Return the directions (P, d) of weights (P, p) that belong to standardised features."""
        return self._whitening.directions(standardised)

    def carry_over(self, weights: Floats) -> Floats:
        """Return the unit directions (P, d) of weights (P, p) in the units of the features."""
        scale = np.divide(
            1.0,
            self._whitening.inverse_scale,
            out=np.zeros(self.batch.n_features),
            where=~self._whitening.constant,
        )
        found = self.from_features(weights * scale)
        length = np.linalg.norm(found, axis=1, keepdims=True)
        return found / np.maximum(length, np.finfo(np.float64).tiny)

    def weights(self, positions: ArrayLike) -> Floats:
        """Return the weights (P, p) of directions in the units of the features."""
        return self._whitening.weights(check_positions(positions, self.n_dimensions))

    def ready_made(self) -> dict[str, Floats]:
        """Fit classical linear models; returns unit vectors (d,) by the name of the model."""
        batch, whitening = self.batch, self._whitening
        varying = ~whitening.constant
        rows = rows_to_fit(batch.codes)
        Z = whitening.standardised(batch.features[:, rows])[varying].T
        fitted = ready_made_directions(Z, batch.codes[rows], batch.n_classes)
        directions = {}
        for name, weights in fitted.items():
            padded = np.zeros((1, batch.n_features))
            padded[0, varying] = weights
            direction = self.from_features(padded)[0]
            length = np.linalg.norm(direction)
            if length > 0.0:
                directions[name] = direction / length
        return directions

    def gradients(
        self,
        positions: Floats,
        mixtures: Integers,
        objective_weights: Floats,
        half_widths: Floats,
    ) -> Floats:
        """Compute the smoothed gradient (P, d) of weighted objectives at unit directions (P, d).

        ``mixtures`` (P,) say which of the models of each direction is meant, ``objective_weights``
        (P, N_OBJECTIVES) what each objective weighs, and ``half_widths`` (P,) how wide the
        smoothing is, in standard deviations of the scores.
        """
        batch, whitening = self.batch, self._whitening
        weights = self.weights(positions)
        found = np.empty((len(positions), batch.n_features))

        def climb(part: slice) -> None:
            keys = batch.keys(weights[part])
            of_scores = np.empty(keys.shape)
            score_gradients(
                keys,
                np.argsort(keys, axis=1),  # equal keys may stand in any order
                batch.bits,
                batch.class_counts,
                self._costs_of_mixture[mixtures[part]],
                objective_weights[part],
                half_widths[part],
                of_scores,
            )
            centred = np.einsum("pn,fn->pf", of_scores, batch.features)
            centred -= of_scores.sum(axis=1)[:, None] * whitening.mean
            found[part] = centred

        batch.in_parts(len(positions), climb)
        return whitening.pull_back(found)

    def crossings(
        self, positions: Floats, mixtures: Integers, reach: Floats, draws: Floats
    ) -> Floats:
        """Find the shortest steps (P, d) that bring one wrongly classified sample to its class.

        They lead to the threshold across which the sample must go. Samples within ``reach`` (P,) of
        a threshold, in standard deviations of the scores, are preferred; ``draws`` (P,), from 0 to
        below 1, choose among them.
        """
        batch, whitening = self.batch, self._whitening
        weights, thresholds = self.models(positions, mixtures)
        chosen = np.empty(len(positions), dtype=np.int64)
        shifts = np.empty(len(positions))

        def draw(part: slice) -> None:
            for i, scores in enumerate(batch.scores(weights[part]), start=part.start):
                chosen[i], shifts[i] = draw_misplaced(
                    scores, batch.codes, thresholds[i], reach[i], draws[i]
                )

        batch.in_parts(len(positions), draw)
        samples = batch.features[:, chosen].T - whitening.mean
        normals = whitening.pull_back(samples)
        square = (normals**2).sum(axis=1)
        lengths = np.divide(shifts, square, out=np.zeros_like(square), where=square > 0.0)
        return normals * lengths[:, None]


def pack_mixtures(n_samples: int, n_classes: int) -> tuple[Integers, Integers]:
    """Pack the costs of each mixture and its tie-break into one integer per cell and lane.

    Returns costs (r, r, LANES) and, for each lane, (a, b, shift), as
    `objectives_with_exact_thresholds` takes them.
    """
    ranks = np.arange(n_classes)
    deviation = np.abs(np.subtract.outer(ranks, ranks))
    error = (deviation > 0).astype(np.int64)
    error_bits = n_samples.bit_length()
    deviation_bits = (n_samples * (n_classes - 1)).bit_length()
    costs = [(error << deviation_bits) + deviation]
    lanes = [(1, 0, deviation_bits)]
    for a, b in (*MIXTURES, (0, 1)):
        costs.append(((a * error + b * deviation) << error_bits) + error)
        lanes.append((a, b, error_bits))
    return np.stack(costs, axis=-1), np.array(lanes, dtype=np.int64)
