"""Evaluation of a front on holdout samples and by cross-validation."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from moselect._types import Floats
from moselect.budgets import SEARCH
from moselect.inference.covariance import delong_covariance, measure_weights
from moselect.inference.standard_errors import standard_errors
from moselect.metrics.class_pairs import ScoredSamples
from moselect.metrics.objective import Objective
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import objective_values
from moselect.samples.samples import Samples
from moselect.search.front import Front


def measure_holdout(
    front: Front, held_out: Samples, objectives: Sequence[Objective]
) -> Front:
    """Add objectives and confusion matrices on a holdout set to a front.

    Examples
    --------
    >>> import numpy as np
    >>> from moselect.metrics import objective_named
    >>> from moselect.samples.samples import Samples
    >>> held_out = Samples.from_table([[0.0], [2.0], [1.0], [3.0]], [1, 1, 2, 2])
    >>> values, chance = pd.DataFrame({"accuracy": [0.9]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(values, np.eye(1), np.array([[0.5]]), held_out.classes, None, chance)
    >>> measure_holdout(front, held_out, [objective_named("accuracy")]).holdout
       accuracy
    0      0.75
    """
    batch = LinearBatch(held_out)
    confusions = batch.confusions(front.weights, front.thresholds)
    measured = objective_values(
        objectives, batch, front.weights, front.thresholds, confusions
    )
    return replace(
        front,
        holdout=pd.DataFrame(measured, columns=front.objectives.columns),
        holdout_confusions=confusions,
    )


def sampling_variances(
    front: Front, data: Samples, objectives: Sequence[Objective]
) -> Floats:
    """Estimate the sampling variance (m,) of mean objectives on holdout samples ``data``.

    The variance is computed from the influences of samples on the mean over some members:
    structural components of ranking measures, and the cost of each sample; NaN for
    objectives that are measured but not optimised.
    """
    members = np.arange(0, len(front), 1 + len(front) // SEARCH.averaged_members)
    scores = front.weights[members] @ data.X.T
    predicted = (scores[:, :, None] > front.thresholds[members, None, :]).sum(axis=2)
    masses = np.asarray(data.class_weights, float)
    ranked = ScoredSamples(data.classes, data.codes, masses, data.weights, scores, False)
    draws = None if data.weights is None and data.groups is None else data.units
    # Two samples, or groups, of every class have a variance; a fold may lack a class.
    drawn = np.unique([data.codes, data.units], axis=1)[0]
    enough = bool(np.bincount(drawn, minlength=len(masses)).min() > 1)
    variances = []
    for objective in objectives:
        if objective.costs is not None:
            costs = objective.costs(data.class_weights)[data.codes, predicted].mean(
                axis=0
            )
            # Influences of one group are dependent: their sum is one observation.
            influence = data.sum_by_cluster(
                costs - np.average(costs, weights=data.weights)
            )
            variances.append(float(standard_errors(influence)) ** 2)
        elif enough and not objective.measured:
            ranking = measure_weights(objective.name)
            variances.append(delong_covariance(ranked, ranking, draws=draws).mean())
        else:
            variances.append(np.nan)
    return np.array(variances)


def with_fold_fronts(
    front: Front, fold_fronts: Sequence[Front], sampling: Sequence[Floats]
) -> Front:
    """Add cross-validated objectives to a front, estimated from the fronts of folds.

    ``fold_fronts`` were searched on the training samples of each fold, with its test samples
    as holdout; ``sampling`` are the `sampling_variances` of their mean test objectives.
    """
    expected = pd.DataFrame(index=front.objectives.index)
    errors = expected.copy()
    for m, name in enumerate(front.objectives):
        folds = [
            (fold.objectives[name].to_numpy(), fold.holdout[name].to_numpy())
            for fold in fold_fronts
            if fold.holdout is not None
        ]
        expected[name], errors[name] = expected_objective(
            front.objectives[name].to_numpy(), folds, np.array(sampling)[:, m]
        )
    return replace(
        front, expected=expected, expected_se=errors, fold_fronts=tuple(fold_fronts)
    )


def expected_objective(
    training: Floats, folds: Sequence[tuple[Floats, Floats]], sampling: Floats
) -> tuple[Floats, Floats]:
    """Correct the training values of an objective by the optimism of fold fronts.

    The expected value of a member with the training value F is
    mean(F) - delta + beta (F - mean(F)). The optimism delta is the mean difference
    between training and test values over folds and members of their fronts; the shrinkage
    factor beta, from 0 to 1, is the common least-squares slope of test on training values
    within fold fronts.

    Parameters
    ----------
    training : ndarray of shape (k,)
        Training values of the members.
    folds : sequence of two ndarray of shape (k_j,)
        Values of the members of each fold's front, on its training and on its test
        samples. NaN if the objective is undefined in a fold, because it lacks a class.
    sampling : ndarray of shape (n_folds,)
        Sampling variance of the mean test value of each fold (`sampling_variances`). If one
        is NaN, it is estimated by the variance of delta between folds, which is imprecise
        with few folds.

    Returns
    -------
    values, standard_errors : ndarray of shape (k,)
        NaN for an objective that is defined in fewer than two folds. The standard error
        combines three sources: sampling variance, the variance of beta between folds
        (jackknife), and the residual variance of members around the regression line.

    Examples
    --------
    >>> front = np.array([0.9, 0.8])
    >>> folds = [(front, front - 0.1), (front, front - 0.2)]
    >>> expected_objective(front, folds, np.full(2, np.nan))[0].round(3)
    array([0.75, 0.65])
    """
    folds = [fold for fold in folds if np.isfinite(fold[1]).all()]
    if len(folds) < 2:  # needed for a standard error
        unknown = np.full(len(training), np.nan)
        return unknown, unknown
    # Optimism of each fold: the loss of its front on samples outside the search.
    losses = np.array([(in_sample - held_out).mean() for in_sample, held_out in folds])
    centred = [
        (in_sample - in_sample.mean(), held_out - held_out.mean())
        for in_sample, held_out in folds
    ]
    # Second moments of each fold about its own means, for one slope through all folds.
    squares = np.array([s @ s / len(s) for s, _ in centred])
    products = np.array([s @ h / len(s) for s, h in centred])
    # The slope is undefined if the objective is constant on the fronts: 1 means no
    # shrinkage.
    slope = products.sum() / squares.sum() if squares.sum() > 0.0 else 1.0
    beta = np.clip(slope, 0.0, 1.0)
    advance = training - training.mean()
    # Leave-one-fold-out slopes: their spread is the variance of the slope.
    others = squares.sum() - squares
    known = np.full(len(folds), beta)
    np.divide(products.sum() - products, others, out=known, where=others > 0.0)
    jackknifed = np.clip(known, 0.0, 1.0)
    n = len(folds)
    slope_variance = (n - 1) / n * ((jackknifed - jackknifed.mean()) ** 2).sum()
    # Members deviate from the common line, on new samples, too.
    scatter = np.mean([((h - beta * s) ** 2).mean() for s, h in centred])
    # Measured objectives have no sampling variance: the folds' own spread stands in.
    drawn = losses.var(ddof=1) / n
    if np.isfinite(sampling).all():
        drawn = sampling.sum() / n**2
    variance = drawn + scatter + advance**2 * slope_variance
    values = training.mean() - losses.mean() + beta * advance
    # An objective that is never negative on held-out rows is not expected to be.
    lowest = min(0.0, *(held_out.min() for _, held_out in folds))
    if lowest == 0.0:
        values = np.maximum(values, 0.0)
    return values, np.sqrt(variance)
