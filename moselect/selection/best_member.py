"""The best member of a front, a baseline of a selection."""

import numpy as np

from moselect._types import Floats, record
from moselect.budgets import SEARCH
from moselect.candidates.cross_validation import CV, Fitted
from moselect.costs.priced import Priced
from moselect.metrics.objectives import RANKING_OBJECTIVES
from moselect.models.learner import Predictions
from moselect.models.linear_batch import LinearBatch
from moselect.predictor import OrdinalLinearClassifier
from moselect.samples.parts import draw
from moselect.samples.samples import Samples
from moselect.search.front import Front
from moselect.search.search_samples import SearchSamples


@record
class BestMember:
    """Baseline of a selection: the member of a front that is best for the costs.

    Attributes
    ----------
    front : Front
        The front, with ``fold_fronts``.
    samples : SearchSamples
        The samples of its search.
    """

    front: Front
    samples: SearchSamples

    def fitted(self, criteria: Priced) -> Fitted:
        """Return the member that is best for a decision loss, with out-of-fold predictions."""
        data = self.samples.data
        member = best_member(self.front, data, criteria)
        predictions = {
            CV: self._cv_predictions(criteria),
            "train": _predict(member, data.X),
        }
        if self.samples.holdout_data is not None:
            predictions["holdout"] = _predict(member, self.samples.holdout_data.X)
        return Fitted(member, predictions, float(np.count_nonzero(member.coef_)), 0.0)

    def _cv_predictions(self, criteria: Priced) -> Predictions:
        """Compute out-of-fold predictions of the best members of the fold fronts."""
        samples = self.samples.samples
        folds = self.samples.folds
        assert folds is not None
        codes = np.empty_like(samples.codes)
        scores = np.empty(len(samples))
        for front, data, (train, test) in zip(
            self.front.fold_fronts or (), self.samples.data_of_folds, folds, strict=True
        ):
            # Chosen on the training part of its fold, so that its test fold is unseen.
            member = best_member(front, data.take(train), criteria)
            codes[test], scores[test], _ = _predict(member, data.X[test])
        return Predictions(codes[folds.tested], scores[folds.tested], None)


def best_member(front: Front, data: Samples, criteria: Priced) -> OrdinalLinearClassifier:
    """Select the direction of a front, with optimal thresholds, of least loss on data.

    Large data are subsampled.
    """
    directions, index = np.unique(front.weights, axis=0, return_index=True)
    sample = draw(data, SEARCH.member_rows)
    batch = LinearBatch(sample)
    metric = criteria.loss.metric
    if metric is not None:
        thresholds, _, confusions = batch.metric_models(directions, metric)
        losses = metric.loss(confusions)
    else:
        thresholds, totals = batch.exact_thresholds(directions, criteria.in_use)
        losses = totals / sample.sample_weight_or_ones.sum()
    # Ranking measures depend on the direction alone: the front has their values.
    for weight, name in zip(criteria.loss.ranking, RANKING_OBJECTIVES, strict=True):
        if weight > 0.0:
            losses += weight * (1.0 - front.objectives[name].to_numpy()[index])
    best = losses.argmin()
    return OrdinalLinearClassifier(
        directions[best],
        thresholds[best],
        range(data.n_classes),
        front.feature_names,
        front.columns,
    )


def _predict(member: OrdinalLinearClassifier, values: Floats) -> Predictions:
    """Predict rows (n, p) after preprocessing."""
    scores, _ = member.scorer.outputs(values)
    return Predictions(member.codes(scores, None, None), scores, None)
