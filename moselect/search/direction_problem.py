"""`DirectionProblem`: search directions, with optimal thresholds along each."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from moselect._kernels.cutpoints import LANES
from moselect._kernels.objectives import least_costs_of_rows
from moselect._kernels.score_gradients import score_gradients
from moselect._kernels.scores import keys_to_scores
from moselect._types import Floats, Integers
from moselect.metrics.class_pairs import passing_gains
from moselect.metrics.objective import Objective
from moselect.metrics.objectives import DEFAULT, OBJECTIVES, RANKING_OBJECTIVES
from moselect.models.linear_batch import LinearBatch
from moselect.models.linear_fits import ready_made_directions
from moselect.models.objective_values import chance_levels, objective_values
from moselect.samples.parts import rows_to_fit
from moselect.search.scalarisations import (
    integer_weights,
    pack_scalarisations,
    scalarise_costs,
    unpack_totals,
)
from moselect.search.whitening import Cone, Whitening, check_positions
from moselect.validation import at_rows


class DirectionProblem:
    """Optimise directions, with exact thresholds along each by dynamic programming.

    A position is a direction in whitened coordinates, in which features are uncorrelated
    and the scores of a unit vector have variance 1. At each position one model is
    evaluated for each of several scalarisations of the costs of two linear objectives; its
    thresholds minimise that weighted cost. For accuracy, 1 - MAE, VUS, U_cons, U_ovo and
    U_pairs, or any of them, the two costs are the error rate and the absolute deviation.
    ``batch`` holds the samples, ``chance`` (m,) the objectives attained without features;
    ``n_dimensions`` is the rank of the features, ``n_scalarisations`` the number of models at
    each position.
    """

    def __init__(
        self, batch: LinearBatch, objectives: Sequence[Objective] = DEFAULT
    ) -> None:
        self.batch = batch
        self.objectives = tuple(objectives)
        self.chance = chance_levels(objectives, batch)
        self.whitening = Whitening(batch.features)
        self.n_dimensions = self.whitening.n_dimensions
        self._cone: Cone | None = None
        if batch.signs is not None:
            self._cone = Cone(self.whitening, batch.signs)
        counts = batch.class_weights
        self._lanes: Integers | None = None
        # Errors and deviations fit one integer a sample, so that eight scalarisations are
        # solved at once.
        if all(objective in DEFAULT for objective in objectives):
            r = batch.n_classes
            costs = pack_scalarisations(math.ceil(counts.sum()), r)[0]
            self._scalarised_costs = np.moveaxis(costs, -1, 0).astype(float, order="C")
            # Packed integers count samples, or their weights in units (`integer_weights`).
            units = integer_weights(batch)
            if units is not None:
                self._total = int(np.bincount(batch.codes, minlength=r) @ units)
                costs, self._lanes = pack_scalarisations(self._total, r)
                self._costs = (costs * units[:, None, None]).reshape(r, -1)
        else:
            self._scalarised_costs = scalarise_costs(objectives, batch)
        # Metrics whose thresholds are solved for each direction, after the scalarisations.
        self._metrics = [o.solved for o in objectives if o.solved is not None]
        self.n_scalarisations = len(self._scalarised_costs) + len(self._metrics)
        # Gain in each linear objective when a sample passes a threshold.
        steps = [
            -np.diff(objective.costs(counts))
            for objective in objectives
            if objective.costs is not None
        ]
        self._passing = np.reshape(steps, (-1, batch.n_classes, batch.n_classes - 1))

    def _costs_at(self, weights: Floats, scalarisations: Integers) -> Floats:
        """Return the costs (P, r, r) that the thresholds of some models minimise."""
        n_scalarisations = len(self._scalarised_costs)
        # Metrics come after the scalarisations: theirs are solved below.
        costs = self._scalarised_costs[np.minimum(scalarisations, n_scalarisations - 1)]
        for k, metric in enumerate(self._metrics, n_scalarisations):
            chosen = scalarisations == k
            if chosen.any():
                costs[chosen] = self.batch.metric_models(weights[chosen], metric)[1]
        return costs

    def evaluate(self, positions: ArrayLike) -> Floats:
        """Evaluate positions (P, d); return objectives (P, scalarisations, m)."""
        weights = self.weights(positions)
        if self._lanes is None:
            return self._evaluate(weights)
        batch = self.batch

        def measure(coef: Floats) -> tuple[Integers, Floats]:
            keys, sorted_weights = batch.sorted_keys(coef)
            totals = np.empty((len(keys), LANES), int)
            least_costs_of_rows(keys, batch.bits, self._costs, totals)
            return totals, batch.ranking_of(keys, sorted_weights)

        totals, ranking = batch.in_parts(measure, weights)
        out = np.empty((*totals.shape, len(OBJECTIVES)))
        out[..., :2] = unpack_totals(totals, self._lanes, self._total)
        # Ranking measures depend on the direction alone, not on its thresholds.
        out[..., 2:] = ranking[:, None]
        return out[
            ..., [OBJECTIVES.index(objective.name) for objective in self.objectives]
        ]

    def _evaluate(self, weights: Floats) -> Floats:
        """Evaluate arbitrary objectives of the optimal model of each scalarisation."""
        batch = self.batch
        costs = self._scalarised_costs
        ranks = not all(objective.of_classes for objective in self.objectives)

        def measure(coef: Floats) -> tuple[Floats, Floats, Floats]:
            keys, sorted_weights = batch.sorted_keys(coef)
            costs_of_rows = np.broadcast_to(costs, (len(keys), *costs.shape))
            thresholds, _, confusions = batch.cheapest_models(
                keys, sorted_weights, costs_of_rows, with_confusions=True
            )
            ranking = np.empty((len(keys), len(RANKING_OBJECTIVES)))
            if ranks:
                ranking = batch.ranking_of(keys, sorted_weights)
            return thresholds, confusions, ranking

        thresholds, confusions, ranking = batch.in_parts(measure, weights)
        for metric in self._metrics:
            solved = batch.metric_models(weights, metric)
            thresholds = np.concatenate([thresholds, solved[0][:, None]], axis=1)
            confusions = np.concatenate([confusions, solved[2][:, None]], axis=1)
        # Each direction is repeated for its models.
        shape = thresholds.shape[:2]
        direction = np.repeat(np.arange(len(weights)), self.n_scalarisations)
        values = objective_values(
            self.objectives,
            batch,
            weights[direction],
            np.concatenate(thresholds),
            np.concatenate(confusions).astype(batch.count_type),
            ranking[direction],
        )
        return values.reshape(*shape, -1)

    def models(
        self, positions: ArrayLike, scalarisations: ArrayLike = 0
    ) -> tuple[Floats, Floats]:
        """Return weights (P, p) and thresholds (P, r - 1) of the models at positions.

        ``scalarisations`` (P,) are the indices of the scalarisations.
        """
        weights = self.weights(positions)
        chosen = np.broadcast_to(np.asarray(scalarisations, int), len(weights))
        costs = self._costs_at(weights, chosen)
        return weights, self.batch.exact_thresholds(weights, costs)[0]

    def feasible(self, positions: Floats) -> Floats:
        """Project unit directions (P, d) onto those that keep the directions of features."""
        return positions if self._cone is None else self._cone.project(positions)

    def weights(self, positions: ArrayLike) -> Floats:
        """Return the weights (P, p) of directions in the units of the features."""
        weights = self.whitening.weights(check_positions(positions, self.n_dimensions))
        return weights if self._cone is None else self._cone.keep(weights)

    def ready_made(self) -> Floats:
        """Fit classical linear models; return their unit vectors (s, d)."""
        batch = self.batch
        whitening = self.whitening
        # A constant feature has no whitened coordinate, and gets the weight 0.
        varying = ~whitening.constant
        rows, row_weights = rows_to_fit(batch.codes, batch.weights)
        Z = whitening.standardised(batch.features[:, rows])[varying].T
        fitted = ready_made_directions(Z, batch.codes[rows], batch.n_classes, row_weights)
        weights = np.zeros((len(fitted), batch.n_features))
        weights[:, varying] = fitted
        directions = [
            self.feasible((direction / length)[None])
            for direction in whitening.directions(weights)
            if (length := np.linalg.norm(direction)) > 0.0
        ]
        return np.reshape(directions, (-1, self.n_dimensions))

    def gradients(
        self,
        positions: Floats,
        scalarisations: Integers,
        objective_weights: Floats,
        half_widths: Floats,
    ) -> Floats:
        """Compute smoothed gradients (P, d) of weighted objectives at directions (P, d).

        ``scalarisations`` (P,) select one model of each direction, ``objective_weights`` (P, m) are
        the weights of the objectives, and ``half_widths`` (P,) the smoothing half-widths
        in standard deviations of the scores.
        """
        batch = self.batch
        whitening = self.whitening
        weights = self.weights(positions)
        names = [objective.name for objective in self.objectives]
        ranking_weights = objective_weights @ np.equal.outer(names, RANKING_OBJECTIVES)
        linear = [j for j, objective in enumerate(self.objectives) if objective.costs]
        # Gains of linear objectives when a sample of each class passes each threshold,
        # weighted.
        passing = objective_weights[:, linear, None, None] * self._passing
        costs = self._costs_at(weights, scalarisations)
        for j, objective in enumerate(self.objectives):
            if objective.solved is not None:
                marginal_costs = batch.metric_models(weights, objective.solved)[1][
                    :, None
                ]
                gains = objective_weights[:, j, None, None, None] * -np.diff(
                    marginal_costs
                )
                passing = np.concatenate([passing, gains], axis=1)
        rates = batch.class_rates
        varying = batch.varying_weights
        # Reversed for a fixed order of additions. The weights of classes, which the kernels
        # leave out, come back here.
        passing = (passing / batch.class_weights.sum())[:, ::-1].copy() * rates[:, None]
        gains = passing_gains(batch.class_weights, ranking_weights)
        gains *= np.multiply.outer(rates, rates)
        # Number of chains: the product of class sizes, VUS is a share of it.
        sequences = math.prod((batch.class_weights / rates).tolist())
        vus_weights = ranking_weights[:, 0] / sequences

        def climb(
            coef: Floats, costs: Floats, vus_weights: Floats, *smoothing: Floats
        ) -> Floats:
            keys = batch.keys(coef)
            order = np.argsort(keys, axis=1)  # the order of equal keys does not matter
            keys = np.take_along_axis(keys, order, axis=1)
            sorted_weights = at_rows(varying, order)
            # The gradient holds for the optimal thresholds of the present direction
            # (envelope theorem).
            solved = batch.cheapest_models(keys, sorted_weights, costs[:, None])
            thresholds = solved.thresholds[:, 0]
            positions = keys_to_scores(keys, batch.bits)
            d_scores = np.empty(keys.shape)
            score_gradients(
                keys,
                positions,
                varying,
                order,
                batch.bits,
                thresholds,
                vus_weights,
                *smoothing,
                d_scores,
            )
            del keys, order, positions  # limits the peak memory for many samples
            # d objective / d weights = sum over samples of d objective / d score times
            # the centred features.
            centred = np.einsum("pn,fn->pf", d_scores, batch.features)
            centred -= d_scores.sum(axis=1)[:, None] * whitening.mean
            return centred

        of_models = weights, costs, vus_weights, gains, passing, half_widths
        return whitening.pull_back(batch.in_parts(climb, *of_models))
