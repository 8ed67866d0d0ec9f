"""Conversion of fitted estimators and pipelines to deployable models."""

from __future__ import annotations

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline

from moselect._protocols import Estimator, Table
from moselect._types import Floats
from moselect.predictor.card import ScoreCalibration
from moselect.predictor.decisions import LeastCost
from moselect.predictor.linear import OrdinalLinearClassifier
from moselect.predictor.model import Model
from moselect.predictor.scorers import scorer_of
from moselect.samples.features import steps_of


def model_of(fitted: Estimator, names: tuple[str, ...] | None = None) -> Model:
    """Convert a fitted classifier, or a pipeline that ends with one, to a deployable model.

    Proportional odds along one score become a weighted sum with their cut points as
    thresholds; other classifiers predict the most probable class. ``names`` are the column
    names of the fit, for a classifier without them. A regressor is a TypeError.

    Examples
    --------
    >>> from moselect.models import ProportionalOdds
    >>> X, y = [[0.0], [1.0], [0.5], [1.5]], [1, 1, 2, 2]
    >>> model_of(ProportionalOdds().fit(X, y), ("age",)).feature_names
    ('age',)
    """
    *before, last = steps_of(fitted)
    known = getattr(last, "rule_", getattr(last, "model_", None))
    if isinstance(known, Model):
        steps = [*before, *steps_of(known.columns)]
        return known.replace(columns=_in_turn(steps)) if before else known
    if not (hasattr(last, "coef_") and hasattr(last, "thresholds_")):
        if not hasattr(last, "classes_"):
            raise TypeError("a regressor gives no class probabilities")
        return Model(scorer_of(last), last.classes_, LeastCost(), _in_turn(before))
    if names is None and hasattr(last, "feature_names_in_"):
        names = tuple(last.feature_names_in_)
    if hasattr(last, "columns_"):  # an additive model
        if names is not None:
            last.columns_.feature_names_in_ = np.array(names, dtype=object)
        before.append(last.columns_)
        names = tuple(map(str, last.columns_.get_feature_names_out()))
    # Infinite thresholds exclude a class without samples; so does the largest float, which
    # no score exceeds and whose logistic is exactly 1.
    thresholds = np.nan_to_num(last.thresholds_)
    by_score = ScoreCalibration(slope=1.0, intercepts=thresholds.tolist())
    return OrdinalLinearClassifier(
        last.coef_, thresholds, last.classes_, names, _in_turn(before), by_score
    )


def _in_turn(steps: list[object]) -> Pipeline | None:
    return make_pipeline(*steps) if steps else None


def finished(fitted: Estimator, X: Table, costs: Floats) -> Model:
    """Convert a fitted estimator to a deployable model with the decision rule of costs.

    A model with a single score gets thresholds; thresholds that no score should cross lie
    beyond the scores of X.
    """
    model = model_of(fitted)
    if hasattr(steps_of(fitted)[-1], "model_"):  # an estimator that was fitted for costs
        return model
    return model.replace(
        decision=model.scorer.decision(costs, None, model.decision_function(X))
    )
