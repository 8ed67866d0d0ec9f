"""The fit of a linear rule to a table: columns, penalty, direction and thresholds at once."""

from __future__ import annotations

from typing import NamedTuple

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from moselect.columns.sample_columns import fit_training_columns, refit_without_folds
from moselect.columns.steps import cross_fits, only_selects
from moselect.decision.goal import Goal
from moselect.decision.linear.folded_samples import N_FOLDS
from moselect.decision.linear.rule import LinearRuleFitter
from moselect.folds import Folds
from moselect.models import Model, OrdinalLinearClassifier
from moselect.models.card import calibrate_score
from moselect.models.training import merge_equal, moments
from moselect.samples import Samples


class LinearFit(NamedTuple):
    """A fitted linear rule."""

    model: Model  # with class probabilities along the score, by cross-fitted ones
    penalty: float  # ridge, on the standardised weights


def fit_linear_rule(
    samples: Samples,
    transformer: Pipeline | None,
    goal: Goal,
) -> LinearFit:
    """Fit the linear rule that is to reach a goal on new data.

    Columns that depend on what they are fitted to are fitted again without each fold in
    which the rule is tuned.

    Parameters
    ----------
    samples : Samples
        Every class has samples.
    transformer : Pipeline, optional
        Not fitted; it turns the table into the columns to weigh. None: features as they
        are.
    goal : Goal
        What the rule is to be good at.
    """
    codes, r, weights = samples.codes, samples.n_classes, samples.weights
    folds, refitted = None, None
    if transformer is not None or samples.groups is not None:
        n_folds = max(2, min(N_FOLDS, int(samples.class_sizes.min())))
        folds = Folds.deal(samples.undivided, codes, n_folds)
    if transformer is not None:
        transformer = clone(transformer)
    training = fit_training_columns(samples, transformer, folds)
    if folds is not None and not cross_fits(transformer):
        refitted = refit_without_folds(samples, transformer, folds)
    if samples.groups is None and only_selects(transformer):
        folds = None  # dealt out again, without regard to the order of the samples
    index = N_FOLDS if folds is None else folds.index
    fitter = LinearRuleFitter(training.X, codes, r, weights, index, refitted)
    rule = fitter.fit(goal)
    names = training.feature_names or samples.feature_names
    w = samples.each_weight
    centre, spread = moments(training.X @ rule.weights, w)
    scores = (centre + spread * rule.cross_scores)[:, None]
    merged, merged_codes, merged_weights, _ = merge_equal(scores, codes, w)
    model = OrdinalLinearClassifier(
        rule.weights,
        rule.thresholds,
        samples.classes,
        names,
        transformer,
        calibrate_score(merged[:, 0], merged_codes, r, merged_weights),
    )
    return LinearFit(model, fitter.penalty)
