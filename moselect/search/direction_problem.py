"""Search directions only: the best thresholds of a direction are solved for."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.gradient import score_gradients
from moselect._kernels.objectives import least_costs_of_rows
from moselect._kernels.scores import keys_to_scores
from moselect._types import Floats, Integers
from moselect.metrics.objectives import (
    DECLARED,
    OBJECTIVES,
    RANKING_OBJECTIVES,
    Objective,
)
from moselect.metrics.ranking.class_pairs import passing_gains
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import DEFAULT, chance_levels, objective_values
from moselect.models.ready_made import ready_made_directions, rows_to_fit
from moselect.search.whitening import Whitening, check_positions, unit

# What the best thresholds of a direction minimise besides errors first and MAE first:
# a * errors + b * deviation. The ratios lie between those of small integers, at which one best
# solution gives way to the next.
MIXTURES = ((4, 1), (3, 2), (3, 4), (1, 2), (1, 4), (1, 8))

LARGEST_COST = 9  # of a sample one class away, and room for the tie-break
# of weights: whole numbers of units add up exactly, and are packed
UNIT = 1.0 / 1_024

# The same for other costs, in units of what they are without features. Six shares took longer and
# gave no larger fronts.
SHARES = (0.65, 0.35)
TIE_BREAK = 1e-9  # share of the others where one is minimised first
# Whose thresholds are tried where no objective has any of its own.
PROPOSERS = (DECLARED["one_minus_mse"], DECLARED["one_minus_macro_mae"])


class DirectionProblem:
    """Search directions; the thresholds along each are solved for exactly.

    A position is a direction in whitened coordinates, in which features are uncorrelated
    and the scores of a unit vector have variance 1. At each position one model is
    evaluated for each of some mixtures of the costs of two linear objectives, which its
    thresholds minimise: from one first to the other first. For accuracy, 1 - MAE, VUS,
    U_cons, U_ovo and U_pairs, or any of them, the mixtures are those of errors and
    deviation. ``batch`` holds the samples, ``chance`` (m,) what the objectives reach
    without features.
    """

    def __init__(
        self, batch: LinearBatch, objectives: Sequence[Objective] = DEFAULT
    ) -> None:
        self.batch = batch
        self.objectives = tuple(objectives)
        self.chance: Floats = chance_levels(objectives, batch)
        self.whitening = Whitening(batch.features)
        counts = batch.class_weights
        self._lanes: Integers | None = None
        if all(objective in DEFAULT for objective in objectives):
            r = batch.n_classes
            costs = pack_mixtures(math.ceil(counts.sum()), r)[0]
            self._costs_of_mixture = np.moveaxis(costs, -1, 0).astype(float, order="C")
            # Packed integers count samples, or their weights if these are whole units.
            units = whole_units(batch)
            if units is not None:
                self._total = int(np.bincount(batch.codes, minlength=r) @ units)
                costs, self._lanes = pack_mixtures(self._total, r)
                self._costs = (costs * units[:, None, None]).reshape(r, -1)
        else:
            linear = [
                objective for objective in objectives if objective.costs is not None
            ] or PROPOSERS
            self._costs_of_mixture = mix_costs(linear, batch)
        # What is gained, for each linear objective, if a sample passes a threshold.
        steps = [
            -np.diff(objective.costs(counts))
            for objective in objectives
            if objective.costs is not None
        ]
        self._passing = np.reshape(steps, (-1, batch.n_classes, batch.n_classes - 1))

    @property
    def n_dimensions(self) -> int:
        """Rank of the features."""
        return self.whitening.n_dimensions

    @property
    def n_mixtures(self) -> int:
        """Models that are evaluated at each position."""
        return len(self._costs_of_mixture)

    def evaluate(self, positions: ArrayLike) -> Floats:
        """Measure positions (P, d); returns objectives (P, mixtures, m)."""
        weights = self.weights(positions)
        if self._lanes is None:
            return self._evaluate(weights)
        batch = self.batch
        totals = np.empty((len(weights), self.n_mixtures), dtype=np.int64)
        out = np.empty((*totals.shape, len(OBJECTIVES)))

        def measure(part: slice) -> None:
            keys, sorted_weights = batch.sorted_keys(weights[part])
            least_costs_of_rows(keys, batch.bits, self._costs, totals[part])
            out[part, :, 2:] = batch.measure_rankings(keys, sorted_weights)[:, None]

        batch.in_parts(len(weights), measure)
        out[..., :2] = unpack_totals(totals, self._lanes, self._total)
        return out[
            ..., [OBJECTIVES.index(objective.name) for objective in self.objectives]
        ]

    def _evaluate(self, weights: Floats) -> Floats:
        """Measure any objectives of the models of least cost, mixture by mixture."""
        batch, costs = self.batch, self._costs_of_mixture
        shape = len(weights), len(costs)
        r = batch.n_classes
        thresholds, confusions = np.empty((*shape, r - 1)), np.empty((*shape, r, r))
        ranking = np.ones((len(weights), len(RANKING_OBJECTIVES)))
        ranks = not all(objective.of_classes for objective in self.objectives)

        def measure(part: slice) -> None:
            keys, sorted_weights = batch.sorted_keys(weights[part])
            repeated = np.repeat(costs[None], len(keys), axis=0)
            solved = batch.cheapest_models(
                keys, sorted_weights, repeated, with_confusions=True
            )
            thresholds[part], _, confusions[part] = solved
            if ranks:
                ranking[part] = batch.measure_rankings(keys, sorted_weights)

        batch.in_parts(len(weights), measure)
        direction = np.repeat(np.arange(len(weights)), len(costs))
        values = objective_values(
            self.objectives,
            batch,
            weights[direction],
            thresholds.reshape(len(direction), -1),
            confusions.reshape(len(direction), r, r).astype(batch.count_type),
            ranking[direction],
        )
        return values.reshape(*shape, -1)

    def models(
        self, positions: ArrayLike, mixtures: ArrayLike = 0
    ) -> tuple[Floats, Floats]:
        """Return weights (P, p) and thresholds (P, r - 1) of the models at positions.

        ``mixtures`` (P,) say which of the models that `evaluate` measures there.
        """
        weights = self.weights(positions)
        chosen = np.broadcast_to(np.asarray(mixtures, dtype=np.int64), len(weights))
        direction, costs = np.arange(len(weights)), self._costs_of_mixture[chosen]
        return weights, self.batch.exact_models(weights, direction, costs)[0]

    def models_and_confusions(
        self, positions: Floats, mixtures: Integers
    ) -> tuple[Floats, Floats, Integers]:
        """Return the models at positions, as `models`, and their confusions (P, r, r)."""
        distinct, direction = np.unique(positions, axis=0, return_inverse=True)
        weights = self.weights(distinct)
        thresholds, _, confusions = self.batch.exact_models(
            weights, direction.ravel(), self._costs_of_mixture[mixtures]
        )
        return weights[direction.ravel()], thresholds, confusions

    def carry_over(self, weights: Floats) -> Floats:
        """Return the unit directions (P, d) of weights (P, p)."""
        scale = np.divide(
            1.0,
            self.whitening.inverse_scale,
            out=np.zeros(self.batch.n_features),
            where=~self.whitening.constant,
        )
        return unit(self.whitening.directions(weights * scale))

    def weights(self, positions: ArrayLike) -> Floats:
        """Return the weights (P, p) of directions in the units of the features."""
        return self.whitening.weights(check_positions(positions, self.n_dimensions))

    def ready_made(self) -> dict[str, Floats]:
        """Fit classical linear models; returns unit vectors (d,) by their names."""
        batch, whitening = self.batch, self.whitening
        varying = ~whitening.constant
        rows, row_weights = rows_to_fit(batch.codes, batch.weights)
        Z = whitening.standardised(batch.features[:, rows])[varying].T
        fitted = ready_made_directions(Z, batch.codes[rows], batch.n_classes, row_weights)
        directions = {}
        for name, weights in fitted.items():
            padded = np.zeros((1, batch.n_features))
            padded[0, varying] = weights
            direction = whitening.directions(padded)[0]
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
        """Compute smoothed gradients (P, d) of weighted objectives at directions (P, d).

        ``mixtures`` (P,) say which of the models of each direction is meant,
        ``objective_weights`` (P, m) what each objective weighs, and ``half_widths`` (P,)
        how wide the smoothing is, in standard deviations of the scores.
        """
        batch, whitening = self.batch, self.whitening
        weights = self.weights(positions)
        d_weights = np.empty((len(positions), batch.n_features))
        names = [objective.name for objective in self.objectives]
        ranking_weights = objective_weights @ np.equal.outer(names, RANKING_OBJECTIVES)
        linear = [j for j, objective in enumerate(self.objectives) if objective.costs]
        passing = objective_weights[:, linear, None, None] * self._passing
        rates, varying = batch.class_rates, batch.varying_weights
        passing = (passing / batch.class_weights.sum())[:, ::-1].copy() * rates[:, None]
        gains = passing_gains(batch.class_weights, ranking_weights)
        gains *= np.multiply.outer(rates, rates)
        sequences = math.prod((batch.class_weights / rates).tolist())
        vus_worths = ranking_weights[:, 0] / sequences
        sample_weights = np.empty(0) if varying is None else varying

        def climb(part: slice) -> None:
            keys = batch.keys(weights[part])
            order = np.argsort(keys, axis=1)  # equal keys may stand in any order
            keys = np.take_along_axis(keys, order, axis=1)
            sorted_weights = None if varying is None else varying[order]
            costs = self._costs_of_mixture[mixtures[part]][:, None]
            thresholds = batch.cheapest_models(keys, sorted_weights, costs)[0][:, 0]
            positions = keys_to_scores(keys, batch.bits)
            d_scores = np.empty(keys.shape)
            score_gradients(
                keys,
                positions,
                sample_weights,
                order,
                batch.bits,
                thresholds,
                vus_worths[part],
                gains[part],
                passing[part],
                half_widths[part],
                d_scores,
            )
            del keys, order, positions  # of many samples all at once are too much
            centred = np.einsum("pn,fn->pf", d_scores, batch.features)
            centred -= d_scores.sum(axis=1)[:, None] * whitening.mean
            d_weights[part] = centred

        batch.in_parts(len(positions), climb)
        return whitening.pull_back(d_weights)

    def crossings(
        self, positions: Floats, mixtures: Integers, reach: Floats, draws: Floats
    ) -> Floats:
        """Find the shortest steps (P, d) that bring one misplaced sample to its class.

        They lead to the threshold across which the sample must go. Samples within
        ``reach`` (P,) of a threshold, in standard deviations of the scores, are
        preferred; ``draws`` (P,), from 0 to below 1, choose among them.
        """
        batch, whitening = self.batch, self.whitening
        weights, thresholds = self.models(positions, mixtures)
        chosen = np.empty(len(positions), dtype=np.int64)
        shifts = np.empty(len(positions))

        def draw(part: slice) -> None:
            missing = shifts_home(
                batch.scores(weights[part]), batch.codes, thresholds[part]
            )
            chosen[part] = draw_misplaced(missing, reach[part], draws[part])
            shifts[part] = np.take_along_axis(missing, chosen[part, None], axis=1)[:, 0]

        batch.in_parts(len(positions), draw)
        samples = batch.features[:, chosen].T - whitening.mean
        normals = whitening.pull_back(samples)
        square = (normals**2).sum(axis=1)
        lengths = np.divide(shifts, square, out=np.zeros_like(square), where=square > 0.0)
        return normals * lengths[:, None]


def shifts_home(scores: Floats, codes: Integers, thresholds: Floats) -> Floats:
    """Return what scores (P, n) lack to the interval of their class, 0 within it.

    ``codes`` (n,) are the classes of the samples, ``thresholds`` (P, r - 1) ascend.
    """
    ends = np.pad(thresholds, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
    home = np.maximum(scores, ends[:, codes])
    np.minimum(home, ends[:, 1:][:, codes], out=home)
    home -= scores
    return home


def draw_misplaced(shifts: Floats, reach: Floats, draws: Floats) -> Integers:
    """Draw a sample (P,) among those of shifts (P, n) other than 0, else the first.

    One at distance s is drawn with weight exp(-s / reach); ``draws`` (P,), in [0, 1),
    decide.
    """
    distances = np.abs(shifts)
    distances[shifts == 0.0] = np.inf
    # relative to it: some weights must not vanish
    nearest = distances.min(axis=1, keepdims=True)
    nearest[np.isinf(nearest)] = 0.0
    weights = np.subtract(nearest, distances, out=distances)
    weights /= reach[:, None]
    passed = np.cumsum(np.exp(weights, out=weights), axis=1)
    return (passed > draws[:, None] * passed[:, -1:]).argmax(axis=1)


def unpack_totals(totals: Integers, lanes: Integers, n: int) -> Floats:
    """Return accuracy and 1 - MAE (P, LANES, 2) of n samples by packed totals (P, LANES).

    ``(a, b, shift)`` of a lane (`pack_mixtures`) stand for ``total = (a * errors + b *
    deviation) << shift | low``, where ``low`` is the errors, or, in the lane that
    minimises errors first (b = 0), the deviation.
    """
    a, b, shift = lanes.T
    high, low = totals >> shift, totals & ((np.int64(1) << shift) - 1)
    errors = np.where(b == 0, high, low)
    deviation = np.where(b == 0, low, (high - a * low) // np.maximum(b, 1))
    return np.stack([(n - errors) / n, 1.0 - deviation / n], axis=-1)


def whole_units(batch: LinearBatch) -> Integers | None:
    """Return what a sample of each class (r,) weighs, in units of 1 or else of `UNIT`.

    None where weights differ within a class, are no whole units, or are so many that
    packed costs (`pack_mixtures`) would overflow.
    """
    if batch.varying_weights is not None:
        return None
    for unit_weight in (1.0, UNIT):
        units = batch.class_rates / unit_weight
        total = math.ceil(batch.class_weights.sum() / unit_weight)
        most = LARGEST_COST * (batch.n_classes - 1) * total << total.bit_length()
        if (units == np.rint(units)).all() and most < 2**63:
            return units.astype(np.int64)
    return None


def mix_costs(linear: Sequence[Objective], batch: LinearBatch) -> Floats:
    """Return the costs (mixtures, r, r) that thresholds minimise for linear objectives.

    Those of each objective first, with the others to break ties, and mixtures of each
    two.
    """
    counts = batch.class_weights
    chance = chance_levels(linear, batch)
    costs = [
        objective.costs(counts) for objective in linear if objective.costs is not None
    ]
    scaled = np.array(costs) / (1.0 - chance)[:, None, None]
    mixed = list(scaled + TIE_BREAK * (scaled.sum(axis=0) - scaled))
    for first, second in itertools.combinations(scaled, 2):
        mixed += [share * first + (1.0 - share) * second for share in SHARES]
    return np.array(mixed)


def pack_mixtures(n_samples: int, n_classes: int) -> tuple[Integers, Integers]:
    """Pack the costs of mixtures and their tie-breaks into integers, one a cell and lane.

    Returns costs (r, r, LANES) and, for each lane, (a, b, shift), as
    `least_costs` and `unpack_totals` take them.
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
