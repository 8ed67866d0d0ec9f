"""The fit of a linear rule to a table: columns, penalty, direction and thresholds at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from moselect._types import Floats
from moselect.columns.steps import only_selects
from moselect.columns.training import fit_training_columns, refit_without_folds
from moselect.decision.goal import Goal
from moselect.decision.linear.folded_samples import N_FOLDS
from moselect.decision.linear.rule import LinearRuleFitter
from moselect.folds import Folds
from moselect.models import OrdinalLinearClassifier
from moselect.models.card import ScoreCalibration, calibrate_score
from moselect.models.training import merge_equal, moments
from moselect.samples import Samples


class LinearFit(NamedTuple):
    """A fitted linear rule."""

    model: OrdinalLinearClassifier
    calibration: ScoreCalibration  # class probabilities along the score, by cross-fitted scores
    penalty: float  # ridge, on the standardised weights


def fit_linear_rule(
    samples: Samples,
    transformer: Pipeline | None,
    goal: Goal,
    weights: Floats | None = None,
) -> LinearFit:
    """Fit the linear rule that is to reach a goal on new data.

    Columns that depend on what they are fitted to are fitted again without each fold in which the
    rule is tuned.

    Parameters
    ----------
    samples : Samples
        Every class has samples.
    transformer : Pipeline, optional
        Not fitted; it turns the table into the columns to weigh. None: features as they are.
    goal : Goal
        What the rule is to be good at.
    weights : ndarray of shape (n,), optional
        Weights of the samples; only for features as they are.
    """
    codes, r = samples.codes, samples.n_classes
    folds = np.zeros(len(codes), dtype=np.int64)
    if transformer is not None:
        transformer = clone(transformer)
        n_folds = max(2, min(N_FOLDS, int(samples.class_counts.min())))
        folds = Folds.deal(samples.groups, codes, n_folds).index
    training = fit_training_columns(samples, transformer, folds)
    if only_selects(transformer):
        fitter = LinearRuleFitter(training.X, codes, r, weights)
    else:
        refitted = refit_without_folds(samples, transformer, folds)
        fitter = LinearRuleFitter(training.X, codes, r, folds=folds, refitted=refitted)
    rule = fitter.fit(goal)
    names = training.feature_names or samples.feature_names
    model = OrdinalLinearClassifier(
        rule.weights, rule.thresholds, samples.classes, names, transformer
    )
    counted = np.ones(len(codes), dtype=np.bool_) if weights is None else weights > 0.0
    w = np.ones(len(codes)) if weights is None else weights[counted]
    centre, spread = moments(training.X[counted] @ rule.weights, w)
    scores = (centre + spread * rule.cross_scores)[:, None]
    merged, merged_codes, merged_weights, _ = merge_equal(scores, codes[counted], w)
    calibration = calibrate_score(merged[:, 0], merged_codes, r, merged_weights)
    return LinearFit(model, calibration, fitter.penalty)
