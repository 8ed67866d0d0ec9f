"""Model selection after a search: candidates, with the best front member as baseline."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from sklearn.pipeline import Pipeline

from moselect.budgets import SEARCH
from moselect.candidates.candidates import CandidateFactory
from moselect.candidates.cross_validation import CV, Fitted
from moselect.costs.decision_loss import DecisionLoss
from moselect.metrics.objective import Objective
from moselect.metrics.objectives import RANKING_OBJECTIVES
from moselect.models.learner import Predictions
from moselect.models.linear_batch import LinearBatch
from moselect.models.training_columns import columns_of, refit_without_folds
from moselect.predictor import OrdinalLinearClassifier
from moselect.samples.folds import Folds
from moselect.samples.parts import draw
from moselect.samples.samples import Samples
from moselect.search.front import Front
from moselect.selection.selector import Decision

MEMBER = "best member"


@dataclass(frozen=True, eq=False)
class SearchedSamples:
    """Samples of a search, prepared for model selection.

    Attributes
    ----------
    samples : Samples
        The training samples, unprepared.
    data : Samples
        The training samples in the columns of the front members.
    maker : CandidateFactory
        Factory of the candidates.
    transformer : Pipeline or None
        Transformer to these columns; None if the features are used directly.
    folds : Folds or None
        Cross-validation folds of the training samples.
    held_out : Samples or None
        The holdout set, unprepared.
    """

    samples: Samples
    data: Samples
    maker: CandidateFactory
    transformer: Pipeline | None = None
    folds: Folds | None = None
    held_out: Samples | None = None

    @cached_property
    def held_out_data(self) -> Samples | None:
        """The holdout set in the columns of the front members."""
        if self.held_out is None:
            return None
        return columns_of(self.held_out, self.transformer)

    @cached_property
    def data_of_folds(self) -> list[Samples]:
        """The training samples in the columns refitted in each fold."""
        if self.folds is None:
            return []
        refitted = refit_without_folds(self.samples, self.transformer, self.folds)
        if refitted is None:
            return [self.data] * len(self.folds)
        return [
            replace(self.data, X=part.X, feature_names=None, signs=part.signs)
            for part in refitted
        ]


class Selector(Decision):
    """Select models for costs or preferences from a front and its data.

    Parameters
    ----------
    front : Front
        The front. If it has ``fold_fronts``, its best member is a further baseline.
    searched : SearchedSamples
        The data.
    objectives : sequence of Objective
        Objectives of the front.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=3, random_state=1).fit(X, y)
    >>> model = search.selector_.select(moselect.Costs([1, 1, 1, 5, 5]), model="linear")
    >>> model.evidence.selected
    'linear'
    """

    def __init__(
        self,
        front: Front,
        searched: SearchedSamples,
        objectives: Sequence[Objective],
    ) -> None:
        most = front.objectives.max() - front.chance
        gains = {str(name): float(gain) for name, gain in most.items()}
        super().__init__(
            searched.samples,
            searched.maker,
            searched.folds,
            holdout=searched.held_out,
            objectives=objectives,
            gains=gains,
        )
        self.front = front
        self.searched = searched

    def _other_baselines(self, criteria: DecisionLoss) -> dict[str, Fitted]:
        """Fit the baseline of the best front member, with out-of-fold predictions."""
        if self.front.fold_fronts is None:
            return {}
        data = self.searched.data
        held_out = self.searched.held_out_data
        member = best_member(self.front, data, criteria)
        predictions = {
            CV: self._cv_predictions(criteria),
            "train": _predict(member, data),
        }
        if held_out is not None:
            predictions["holdout"] = _predict(member, held_out)
        n_terms = float(np.count_nonzero(member.coef_))
        return {MEMBER: Fitted(member, predictions, n_terms, 0.0)}

    def _cv_predictions(self, criteria: DecisionLoss) -> Predictions:
        """Compute out-of-fold predictions of the best members of the fold fronts."""
        fronts = self.front.fold_fronts or ()
        data_of_folds = self.searched.data_of_folds
        codes = np.empty_like(self.samples.codes)
        scores = np.empty(len(self.samples))
        for front, data, (train, test) in zip(
            fronts, data_of_folds, self.folds, strict=True
        ):
            # Chosen on the training part of its fold, so that its test fold is unseen.
            member = best_member(front, data.take(train), criteria)
            scores[test], codes[test] = member.scores_and_codes(data.X[test])
        rows = self.folds.tested
        return Predictions(codes[rows], scores[rows], None)


def best_member(
    front: Front, data: Samples, criteria: DecisionLoss
) -> OrdinalLinearClassifier:
    """Select the direction of a front, with optimal thresholds, of least loss on data.

    Large data are subsampled.
    """
    directions, index = np.unique(front.weights, axis=0, return_index=True)
    sample = draw(data, SEARCH.member_rows)
    batch = LinearBatch(sample)
    if criteria.metric is not None:
        thresholds, _, confusions = batch.metric_models(directions, criteria.metric)
        losses = criteria.metric.loss(confusions)
    else:
        thresholds, totals = batch.exact_thresholds(directions, criteria.in_use)
        losses = totals / sample.sample_weight_or_ones.sum()
    # Ranking measures depend on the direction alone: the front has their values.
    for weight, name in zip(criteria.ranking, RANKING_OBJECTIVES, strict=True):
        if weight > 0.0:
            losses += weight * (1.0 - front.objectives[name].to_numpy()[index])
    best = int(losses.argmin())
    return OrdinalLinearClassifier(
        directions[best],
        thresholds[best],
        range(data.n_classes),
        front.feature_names,
        front.columns,
    )


def _predict(member: OrdinalLinearClassifier, data: Samples) -> Predictions:
    scores, codes = member.scores_and_codes(data.X)
    return Predictions(codes, scores, None)
