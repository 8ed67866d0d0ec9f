"""Linear rule for a decision loss: columns, penalty, direction and thresholds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from moselect._parallel import one_blas_thread
from moselect._types import Array, Floats, Integers
from moselect.budgets import LINEAR
from moselect.costs.priced import Priced
from moselect.models.calibration import calibrate_score, thresholds_of_calibration
from moselect.models.linear.linear_direction import Part, tune_direction
from moselect.models.maximum_likelihood import CLOSE_ENOUGH, Fit, log_likelihoods
from moselect.models.training_columns import (
    Refit,
    fit_training_columns,
    refit_without_folds,
)
from moselect.predictor import Model, OrdinalLinearClassifier, class_probabilities
from moselect.preprocessing.steps import Steps
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.training import merge_within

Compute = Callable[[], Mapping[str, Array]]
# `compute_now`, or another function that returns the same.
Computed = Callable[[str, Compute], Mapping[str, Array]]


def compute_now(name: str, compute: Compute) -> Mapping[str, Array]:
    """Compute arrays; a store would look them up by name."""
    return compute()


# Weight of the decision loss relative to the likelihood (experiments/ablation).
EMPHASIS = 3.0


def fit_linear_rule(
    samples: Samples,
    transformer: Pipeline | None,
    criteria: Priced,
    refit: Refit = refit_without_folds,
    computed: Computed = compute_now,
) -> Model:
    """Fit a linear rule to a decision loss.

    Its class probabilities are calibrated on out-of-fold scores.

    Columns that depend on their training samples are refitted in each fold of the
    internal cross-validation.

    Parameters
    ----------
    samples : Samples
        Training samples; a class without any, as in early folds, is never predicted.
    transformer : Pipeline, optional
        Unfitted transformer from the table to the columns of the rule; None if the
        features are used directly.
    criteria : Priced
        The decision loss.
    refit : callable
        Returns what `refit_without_folds` does, perhaps kept from another decision.
    computed : callable
        Returns what `compute_now` does, perhaps kept from another decision.
    """
    folds = None
    refitted = None
    # Without groups and costs of each row, equal rows may be merged.
    merges = samples.groups is None and criteria.rows is None
    if transformer is not None or not merges:
        folds = Folds.of_samples(replace(samples, times=None))
    if transformer is not None:
        transformer = clone(transformer)
    training = fit_training_columns(samples, transformer, folds)
    steps = Steps.of(transformer)
    if merges and steps.only_selects:
        folds = None  # redrawn below, independent of the order of the samples
    elif folds is not None and not (steps.cross_fitted or steps.only_selects):
        refitted = refit(samples, transformer, folds)
    rule = fit_rule(training, criteria.of(samples), folds, refitted, computed)
    return rule.replace(columns=steps)


# Ridge penalties, from the one whose fit is fastest. Nearly separable classes need the weakest;
# a finer grid gains nothing (experiments/ablation).
PENALTIES = (100.0, 10.0, 1.0, 0.1)


@one_blas_thread()
def fit_rule(
    samples: Samples,
    criteria: Priced,
    folds: Folds | None = None,
    refitted: Sequence[Samples] | None = None,
    computed: Computed = compute_now,
) -> OrdinalLinearClassifier:
    """Fit a rule to finite features, in any units, and a decision loss.

    The ridge penalty has the greatest out-of-fold likelihood. The direction is the mean of
    proportional odds, which has less variance, and of a direction tuned to the decision loss.
    The thresholds minimise the expected loss under class probabilities that are
    calibrated on the out-of-fold scores. Training parts of very many samples are subsampled.

    Parameters
    ----------
    samples : Samples
        Features (n, p).
    criteria : Priced
        The decision loss. Costs of each row need given folds, in which no samples are merged.
    folds : Folds, optional
        A partition of the samples; by default five, of merged samples.
    refitted : sequence of Samples, optional
        All samples in columns (n, p_j) that are refitted in each of the given folds, if
        the columns of ``samples`` were prepared on all samples.
    computed : callable
        As in `fit_linear_rule`.
    """
    if folds is None:
        X, codes, weights, groups = merge_within(samples)
        folds = Folds.deal(groups, codes, LINEAR.direction_folds, weights)
    else:  # rows that are equal in the columns of one fold may differ in another
        X = samples.X
        codes = samples.codes
        weights = samples.sample_weight_or_ones
    known = codes, weights, samples.n_classes
    on_all = Part.of(X, samples.signs, *known)
    parts = [on_all.take(np.arange(len(codes)), LINEAR.direction_rows)]
    for j, (training, _) in enumerate(folds):
        part = on_all
        if refitted:
            part = Part.of(refitted[j].X, refitted[j].signs, *known)
        parts.append(part.take(training, LINEAR.direction_fold_rows))
    tests = [test for _, test in folds]

    # Proportional odds depend on the samples and folds alone.
    content = b"".join(map(bytes, (on_all.Z, codes, weights, folds.parts)))
    name = f"odds {sha256(content).hexdigest()[:12]}"
    odds = computed(name, partial(_fit_odds, on_all, parts, tests))
    penalty = float(odds["penalty"])
    starts = [
        Fit(odds[f"weights {k}"], odds[f"intercepts {k}"]) for k in range(len(parts))
    ]
    plain = [part.unit(fit.weights) for part, fit in zip(parts, starts, strict=True)]
    # The costs that optimise a metric depend on the scores: first on proportional odds.
    plain_scores = _cross_scores(plain, parts, tests)
    criteria = criteria.solved_for_scores(codes, plain_scores, weights)
    directions = []
    for part, fit, direction in zip(parts, starts, plain, strict=True):
        tuned = tune_direction(part, criteria, penalty, EMPHASIS, fit)
        directions.append(part.unit(direction + part.unit(tuned)))
    centre = np.average(on_all.Z @ directions[0], weights=weights)
    scores = centre + _cross_scores(directions, parts, tests)
    solved = criteria.solved_for_scores(codes, scores, weights)
    thresholds = thresholds_of_calibration(scores, codes, solved.cells, weights)
    coef = on_all.weights(directions[0])
    shift = coef @ on_all.offset
    rising = bool(samples.directions)
    calibration = calibrate_score(
        scores + shift, codes, samples.n_classes, weights, rising=rising
    )
    return OrdinalLinearClassifier(
        coef,
        thresholds + shift,
        samples.classes,
        samples.feature_names,
        calibration=calibration,
    )


def _fit_odds(on_all: Part, parts: list[Part], tests: list[Integers]) -> dict[str, Array]:
    """Fit proportional odds to each part, with the penalty of greatest likelihood."""
    penalty, fits = _best_penalty(parts[1:], tests, on_all.codes, on_all.sample_weights)
    odds = {"penalty": np.array(penalty)}
    for k, fit in enumerate([on_all.proportional_odds(penalty), *fits]):
        odds |= {f"weights {k}": fit.weights, f"intercepts {k}": fit.intercepts}
    return odds


def _best_penalty(
    in_folds: list[Part], tests: list[Integers], codes: Integers, weights: Floats
) -> tuple[float, list[Fit]]:
    """Choose the ridge penalty of greatest out-of-fold likelihood; return its fits, too."""
    likelihood = np.zeros(len(PENALTIES))
    fits: list[list[Fit]] = []
    for part, test in zip(in_folds, tests, strict=True):
        of_fold: list[Fit] = []
        fit = None
        for k, penalty in enumerate(PENALTIES):
            fit = part.proportional_odds(penalty, fit, CLOSE_ENOUGH)
            of_fold.append(fit)
            proba = class_probabilities(part.Z[test] @ fit.weights, fit.intercepts)
            likelihood[k] += weights[test] @ log_likelihoods(proba, codes[test])
        fits.append(of_fold)
    best = int(likelihood.argmax())
    return PENALTIES[best], [of_fold[best] for of_fold in fits]


def _cross_scores(
    directions: list[Floats], parts: list[Part], tests: list[Integers]
) -> Floats:
    """Compute out-of-fold scores (n,), centred on the training mean of the fold.

    The first direction and part, of all samples, are not used.
    """
    scores = np.empty(len(parts[0].Z))
    for direction, part, test in zip(directions[1:], parts[1:], tests, strict=True):
        centre = np.average(part.train, axis=0, weights=part.sample_weights)
        scores[test] = (part.Z[test] - centre) @ direction
    return scores
