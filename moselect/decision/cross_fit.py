"""A model fitted whole to all samples and without each fold, and what it decides for a goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from moselect._types import Floats, Integers
from moselect.decision.goal import Goal
from moselect.decision.held_out import count_terms, held_out
from moselect.decision.kinds import TRIVIAL, cheapest_thresholds, scoring_rule
from moselect.decision.limits import Limit, costs_within
from moselect.folds import Folds
from moselect.metrics.scorers import ordinal_scores
from moselect.models import OrdinalLinearClassifier
from moselect.models.card import ScoreCalibration
from moselect.models.training import seeded
from moselect.samples import Samples


class Responses(NamedTuple):
    """What models say about samples: class codes (n,), scores (n,), probabilities (n, r)."""

    codes: Integers
    scores: Floats
    proba: Floats | None

    def decided(self, costs: Floats | None) -> Responses:
        """Return the same with the classes of least expected cost, if costs are given."""
        if costs is None or self.proba is None:
            return self
        return self._replace(codes=(self.proba @ costs).argmin(axis=1))


@dataclass(frozen=True, eq=False)
class CrossFit:
    """A model fitted to all samples, and what models fitted without their fold say about them.

    Attributes
    ----------
    estimator : estimator
        Fitted to all samples, on class codes.
    rule : OrdinalLinearClassifier or None
        Its weights and thresholds; None if it has no single score.
    calibration : ScoreCalibration or None
        Class probabilities along that score.
    training, new_data : Responses
        By that one, and by those without each fold; of all samples.
    outside : Responses or None
        About the samples that the search held out.
    terms, seconds : float
        How many terms it adds up, NaN if it is no sum; and the time of all fits.
    """

    estimator: Any
    rule: OrdinalLinearClassifier | None
    calibration: ScoreCalibration | None
    training: Responses
    new_data: Responses
    outside: Responses | None
    terms: float
    seconds: float


def cross_fit(
    model: Any,
    samples: Samples,
    folds: Folds,
    outside: Samples | None,
    seed: int,
    n_jobs: int | None,
) -> CrossFit:
    """Fit a model to all samples and without each fold; ``outside`` are samples held out."""
    estimator = seeded(model, seed)
    parts = held_out(
        estimator, samples.X, samples.codes, samples.n_classes, folds, seed=seed, n_jobs=n_jobs
    )
    n, r = len(samples), samples.n_classes
    new_data = Responses(np.empty(n, dtype=np.int64), np.empty(n), np.empty((n, r)))
    for part in parts:
        new_data.codes[part.rows] = part.predicted
        new_data.scores[part.rows] = part.scores
        assert new_data.proba is not None
        new_data.proba[part.rows] = part.proba
    estimator.fit(samples.X, samples.codes)
    rule, calibration = scoring_rule(estimator) or (None, None)
    return CrossFit(
        estimator,
        rule,
        calibration,
        respond(estimator, samples),
        new_data,
        None if outside is None else respond(estimator, outside),
        count_terms(estimator),
        sum(part.fit_seconds for part in parts),
    )


def respond(estimator: Any, samples: Samples) -> Responses:
    """Return what a fitted estimator says about samples."""
    classes = np.arange(samples.n_classes)
    return Responses(
        np.asarray(estimator.predict(samples.X), dtype=np.int64),
        np.asarray(ordinal_scores(estimator, samples.X, classes), dtype=np.float64),
        np.asarray(estimator.predict_proba(samples.X)),
    )


class Decided:
    """A fitted kind, and the classes that it decides for under a goal and limits."""

    def __init__(
        self, name: str, fit: CrossFit, goal: Goal, samples: Samples, limits: list[Limit]
    ) -> None:
        self.fit = fit
        self.goal = goal
        costs: Floats | None = goal.costs
        if limits and fit.new_data.proba is not None:
            costs = costs_within(limits, goal.costs, samples.codes, fit.new_data.proba)
            self.goal = Goal(costs, goal.ranking)
        elif name == "linear":
            costs = None  # its own thresholds decide
        self._costs = costs
        self.new_data = fit.new_data.decided(costs)
        self.training = fit.training.decided(costs)
        self.outside = None if fit.outside is None else fit.outside.decided(costs)

    def thresholds(self) -> Floats:
        """Return the thresholds (r - 1,) on the score."""
        fit = self.fit
        assert fit.rule is not None
        if self._costs is None or fit.calibration is None:
            return fit.rule.thresholds_
        return cheapest_thresholds(fit.training.scores, fit.calibration, self._costs)


def rule_loss(
    goal: Goal,
    samples: Samples,
    responses: Responses,
    name: str,
    folds: Integers | None = None,
) -> tuple[float, Floats]:
    """Return the loss of a rule and the influence (n,) of each sample on it."""
    codes, ones = samples.codes, np.ones(len(samples))
    if name != TRIVIAL:
        return goal.losses(codes, responses.codes, responses.scores, ones, folds)
    of_classes = Goal(goal.costs)  # it ranks at random
    loss, influence = of_classes.losses(codes, responses.codes, responses.scores, ones)
    random_ranking = goal.chance_loss(codes, ones) - of_classes.chance_loss(codes, ones)
    return loss + random_ranking, influence
