"""A linear rule for a goal: direction, thresholds, and what it takes to fit them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from moselect._types import Floats, Integers
from moselect.decision.direction import tune_direction
from moselect.decision.folded_samples import N_FOLDS, FoldedSamples, Part, evenly_spaced
from moselect.decision.goal import Goal, objective_goals
from moselect.decision.thresholds import averaged_thresholds
from moselect.models import class_probabilities, fit_proportional_odds
from moselect.models.threads import one_blas_thread

PENALTIES = (100.0, 30.0, 10.0, 3.0, 1.0)  # ridge, from the one whose fit is fastest
EMPHASES = (1.0, 3.0, 10.0)  # weights of a goal beside the likelihood
WIDTH = 0.2  # of the softmax over directions, over the root of n, in units of the gain
LEAST_GAIN = 0.05  # share of the loss of chance below which a gain is no unit
SURE = 1.0  # standard errors by which the front must be better for half of the direction
UNLIKELY = 1e-6  # least probability counted, for a class that a fold was fitted without


class LinearRule(NamedTuple):
    """A rule, and its cross-fitted predictions: by rules fitted without the sample.

    Examples
    --------
    >>> values, codes = np.arange(20.0)[:, None], np.arange(20) // 10
    >>> rule = LinearRuleFitter(values, codes, 2).fit(Goal(1.0 - np.eye(2)))
    >>> bool((rule.cross_fitted == codes).mean() > 0.8)
    True
    """

    weights: Floats  # (p,) in the units of the features
    thresholds: Floats  # (r - 1,)
    cross_fitted: Integers  # (n,) class codes predicted
    cross_scores: Floats  # (n,) in standard deviations from the mean of each fold's scores
    front_share: float  # of the front's directions in the rule's, 0 to 1


class LinearRuleFitter:
    """Fit linear rules to one table, for any goals.

    What does not depend on the goal is done once: equal samples are merged into one with a weight
    and put into an order of their own, features are standardised, the ridge penalty is chosen by
    cross-validated likelihood, proportional odds are fitted, with and without each fold, and so
    are, when the first rule is asked for, directions tuned to each of the six objectives.

    Parameters
    ----------
    values : ndarray of shape (n, p)
        Finite features, in any units.
    codes : ndarray of shape (n,)
        Class codes 0 .. r - 1, each class with samples.
    n_classes : int
        r.
    weights : ndarray of shape (n,), optional
        Weights of the samples.
    folds : int or ndarray of shape (n,), default=5
        Number of folds, which are dealt as `Folds.deal` does; or the fold of each sample, from 0,
        which goes without ``weights``.
    refitted : sequence of ndarray of shape (n, p_j), optional
        Columns of all samples that were fitted without each of the given folds, where ``values``
        are columns that were fitted to all samples.

    Attributes
    ----------
    folds : ndarray of shape (n,)
        The fold, from 0, of each sample with weight. Equal features are in one fold.
    penalty : float
        Ridge penalty on the standardised weights.

    Examples
    --------
    >>> values, codes = np.arange(20.0)[:, None], np.arange(20) // 10
    >>> fitter = LinearRuleFitter(values, codes, 2)
    >>> fitted, cross_fitted = fitter.plug_in(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> fitted.tolist() == codes.tolist()
    True
    """

    @one_blas_thread()
    def __init__(
        self,
        values: Floats,
        codes: Integers,
        n_classes: int,
        weights: Floats | None = None,
        folds: int | Integers = N_FOLDS,
        refitted: Sequence[Floats] | None = None,
    ) -> None:
        self._n_columns = values.shape[1]
        self._samples = FoldedSamples(values, codes, n_classes, weights, folds, refitted)
        self.folds: Integers = self._samples.folds[self._samples.index]
        self.penalty = self._best_penalty()
        whole, *inside = self._samples.parts
        everything = whole._replace(rows=np.ones(len(whole.Z), dtype=np.bool_))
        first = self._proportional_odds(everything, self.penalty)
        self._starts = [first] + [
            self._proportional_odds(part, self.penalty, first) for part in inside
        ]

    def plug_in(self, costs: Floats) -> tuple[Integers, Integers]:
        """Predict all samples by the plug-in rule of proportional odds.

        Returns
        -------
        fitted, cross_fitted : ndarray of shape (n,)
            Class codes, by the model of all samples and by that without the sample's fold.
        """
        samples, first = self._samples, self._starts[0]
        predicted = class_probabilities(samples.Z @ first[0], first[1])
        held_out = np.empty_like(predicted)
        for j, (part, start) in enumerate(zip(samples.parts[1:], self._starts[1:], strict=True)):
            outside = samples.folds == j
            held_out[outside] = class_probabilities(part.Z[outside] @ start[0], start[1])
        fitted = (predicted @ costs).argmin(axis=1)
        cross_fitted = (held_out @ costs).argmin(axis=1)
        return fitted[samples.index], cross_fitted[samples.index]

    def predict_plug_in(self, values: Floats, costs: Floats) -> tuple[Integers, Floats]:
        """Return classes and scores (n,) of new samples by the plug-in rule of all samples."""
        whole, (weights, cuts) = self._samples.parts[0], self._starts[0]
        own = slice(self._n_columns)
        scores = (values - whole.offset[own]) * whole.inverse_scale[own] @ weights[own]
        return (class_probabilities(scores, cuts) @ costs).argmin(axis=1), scores

    def plug_in_scores(self) -> tuple[Floats, Floats]:
        """Return the scores (n,) of proportional odds, and those by the model without the fold."""
        samples = self._samples
        cross = samples.cross_scores([weights for weights, _ in self._starts])
        return (samples.Z @ self._starts[0][0])[samples.index], cross[samples.index]

    @one_blas_thread()
    def fit(
        self,
        goal: Goal,
        front: Floats | None = None,
        fold_fronts: Sequence[Floats] | None = None,
    ) -> LinearRule:
        """Fit the rule for a goal.

        Directions tuned to the goal and, cautiously, to each objective are averaged, with weights
        that fall off with their cross-fitted losses of the goal: many make the average steady.
        Directions of a front come in as far as their paired, cross-fitted gain over that average
        says.

        Parameters
        ----------
        goal : Goal
            What the rule is to be good at.
        front : ndarray of shape (k, p), optional
            Weights of the members of a front, in the units of the features.
        fold_fronts : sequence of ndarray of shape (k_j, p), optional
            Weights of the members of fronts that were searched without each of the ``folds``.

        Returns
        -------
        LinearRule
        """
        samples = self._samples
        shared, shared_scores = self._tuned_to_objectives
        own = self._tuned(goal)
        directions = np.concatenate([shared, own], axis=1)
        scores = np.concatenate([shared_scores, samples.cross_scores(own)])
        losses = [goal.least_loss(samples.codes, row, samples.weights) for row in scores]
        unit = self._unit_of_gain(goal, own[0, -1])
        width = WIDTH / math.sqrt(samples.weights.sum()) * unit
        shares = _softmax(losses, width)
        averaged = [
            samples.unit(shares @ candidates, part)
            for candidates, part in zip(directions, samples.parts, strict=True)
        ]
        front_share = 0.0
        if front is not None and fold_fronts is not None:
            found = [
                self._average_front(goal, weights, part, unit)
                for weights, part in zip([front, *fold_fronts], samples.parts, strict=True)
            ]
            front_share = self._share_of_front(goal, averaged, found)
            averaged = [
                samples.unit((1.0 - front_share) * cautious + front_share * member, part)
                for cautious, member, part in zip(averaged, found, samples.parts, strict=True)
            ]
        return self._cut(goal, averaged, front_share)

    @cached_property
    def _tuned_to_objectives(self) -> tuple[Floats, Floats]:
        """Directions (1 + folds, m, p) for any goal, and their cross-fitted scores (m, n)."""
        samples = self._samples
        plain = np.array(
            [
                [samples.unit(weights, part)]
                for (weights, _), part in zip(self._starts, samples.parts, strict=True)
            ]
        )
        goals = objective_goals(samples.n_classes)
        tuned = [self._tuned(goal, EMPHASES[:1]) for goal in goals]
        directions = np.concatenate([plain, *tuned], axis=1)
        return directions, samples.cross_scores(directions)

    def _tuned(self, goal: Goal, emphases: Sequence[float] = EMPHASES) -> Floats:
        """Return directions (1 + folds, emphases, p) tuned to a goal."""
        samples, tuned = self._samples, []
        for part, first in zip(samples.parts, self._starts, strict=True):
            Z, codes, weights = part.own, samples.codes[part.rows], samples.weights[part.rows]
            start = first
            for emphasis in emphases:
                start = tune_direction(Z, codes, goal, self.penalty, emphasis, start, weights)
                tuned.append(samples.unit(start[0], part))
        return np.reshape(tuned, (len(samples.parts), len(emphases), -1))

    def _unit_of_gain(self, goal: Goal, direction: Floats) -> float:
        """Return how much less than chance a direction loses in training, or a least amount."""
        samples = self._samples
        chance = goal.chance_loss(samples.codes, samples.weights)
        reached = goal.least_loss(samples.codes, samples.Z @ direction, samples.weights)
        return max(chance - reached, LEAST_GAIN * chance) or 1.0

    def _average_front(self, goal: Goal, weights: Floats, part: Part, unit: float) -> Floats:
        """Return the average (p,) of a front's directions, by their losses in training."""
        samples = self._samples
        scale = part.inverse_scale[: weights.shape[1]]
        varying = np.flatnonzero(scale > 0.0)
        directions = np.zeros((len(weights), part.Z.shape[1]))
        directions[:, varying] = weights[:, varying] / scale[varying]
        directions = np.unique(directions, axis=0)
        rows = evenly_spaced(part.rows)  # of which few are enough to compare many directions
        Z, codes, own_weights = part.Z[rows], samples.codes[rows], samples.weights[rows]
        scores = directions @ Z.T
        scores -= np.average(scores, axis=1, weights=own_weights)[:, None]
        spread = np.sqrt(np.average(scores**2, axis=1, weights=own_weights))
        directions = directions[spread > 0.0] / spread[spread > 0.0, None]
        if len(directions) == 0:
            return np.zeros(samples.Z.shape[1])
        losses = [goal.least_loss(codes, row, own_weights) for row in directions @ Z.T]
        shares = _softmax(losses, WIDTH / math.sqrt(own_weights.sum()) * unit)
        return samples.unit(shares @ directions, part)

    def _share_of_front(
        self, goal: Goal, averaged: Sequence[Floats], found: Sequence[Floats]
    ) -> float:
        """Return the share (0 to 1) that the paired cross-fitted gain of a front warrants."""
        samples = self._samples
        losses, influences = [], []
        for directions in (averaged, found):
            predicted, scores = self._cross_fit(goal, directions)
            loss, influence = goal.losses(samples.codes, predicted, scores, samples.weights)
            losses.append(loss)
            influences.append(samples.weights * influence)
        error = float(np.linalg.norm(influences[0] - influences[1])) / samples.weights.sum()
        if error == 0.0:
            return 0.0
        z = (losses[0] - losses[1]) / error
        return float(norm.cdf(2.0 * (z - SURE)))

    def _cross_fit(self, goal: Goal, directions: Sequence[Floats]) -> tuple[Integers, Floats]:
        """Return the classes and scores (n,) of samples by the rule without their fold."""
        samples = self._samples
        scores = samples.cross_scores(directions)
        predicted = np.empty_like(samples.codes)
        for j, part in enumerate(samples.parts[1:]):
            outside, weights = samples.folds == j, samples.weights[part.rows]
            own = part.own @ directions[j + 1]
            own -= np.average(own, weights=weights)
            cuts = averaged_thresholds(own, samples.codes[part.rows], goal.costs, weights)
            predicted[outside] = np.searchsorted(cuts, scores[outside], side="left")
        return predicted, scores

    def _cut(self, goal: Goal, directions: Sequence[Floats], front_share: float) -> LinearRule:
        """Cut the direction of all samples; ask those without a fold about its samples."""
        samples = self._samples
        cross_fitted, cross_scores = self._cross_fit(goal, directions)
        # Half by the scores of the rule itself, which are overfitted, half by the cross-fitted
        # ones, which belong to other rules.
        scores = samples.Z @ directions[0]
        thresholds = averaged_thresholds(
            np.concatenate([scores, np.average(scores, weights=samples.weights) + cross_scores]),
            np.tile(samples.codes, 2),
            goal.costs,
            np.tile(samples.weights / 2.0, 2),
        )
        weights = directions[0] * samples.parts[0].inverse_scale
        return LinearRule(
            weights[: self._n_columns],
            thresholds + weights @ samples.parts[0].offset,
            cross_fitted[samples.index],
            cross_scores[samples.index],
            front_share,
        )

    def _proportional_odds(
        self, part: Part, penalty: float, start: tuple[Floats, Floats] | None = None
    ) -> tuple[Floats, Floats]:
        samples = self._samples
        Z, codes, weights = part.own, samples.codes[part.rows], samples.weights[part.rows]
        return fit_proportional_odds(Z, codes, samples.n_classes, penalty, weights, start=start)

    def _best_penalty(self) -> float:
        """Return the penalty with the greatest likelihood of samples that were not fitted."""
        samples = self._samples
        likelihood = np.zeros(len(PENALTIES))
        for j, part in enumerate(samples.parts[1:]):
            outside = samples.folds == j
            at = np.arange(int(outside.sum())), samples.codes[outside]
            start = None
            for k, penalty in enumerate(PENALTIES):
                start = self._proportional_odds(part, penalty, start)
                own = class_probabilities(part.Z[outside] @ start[0], start[1])[at]
                likelihood[k] += samples.weights[outside] @ np.log(np.maximum(own, UNLIKELY))
        return PENALTIES[int(likelihood.argmax())]


def _softmax(losses: Sequence[float], width: float) -> Floats:
    """Return shares of sum 1 that fall off exponentially with losses."""
    shares = np.exp((min(losses) - np.asarray(losses)) / width)
    return np.asarray(shares / shares.sum())
