"""Cross-validated estimates of the objectives of front members."""

from collections.abc import Sequence

import numpy as np

from moselect._types import Floats


def expected_objectives(
    training: Floats,
    fold_training: Sequence[Floats],
    fold_held_out: Sequence[Floats],
    sampling: Sequence[Floats] | None = None,
) -> tuple[Floats, Floats]:
    """Correct the training objectives of a front by the optimism of fold fronts.

    For each objective, the expected value of a member with the training value F is
    mean(F) - delta + beta (F - mean(F)). The optimism delta is the mean difference
    between training and test values over folds and members of their fronts; the shrinkage
    factor beta, from 0 to 1, is the common least-squares slope of test on training values
    within fold fronts.

    Parameters
    ----------
    training : ndarray of shape (k, m)
        Training objectives of the members.
    fold_training, fold_held_out : sequence of ndarray of shape (k_j, m)
        Objectives of the members of each fold's front, on its training and on its test
        samples. NaN for objectives that are undefined in a fold, because it lacks a
        class.
    sampling : sequence of ndarray of shape (m,), optional
        Sampling variance of the mean test values of each fold (`sampling_variances`). By
        default it is estimated by the variance of delta between folds, which is imprecise
        with few folds.

    Returns
    -------
    values, standard_errors : ndarray of shape (k, m)
        NaN for objectives that are defined in fewer than two folds. The standard error
        combines three sources: sampling variance, the variance of beta between folds
        (jackknife), and the residual variance of members around the regression line.

    Examples
    --------
    >>> front = np.array([[0.9], [0.8]])
    >>> held_out = [front - 0.1, front - 0.2]
    >>> expected_objectives(front, [front, front], held_out)[0].round(3).ravel()
    array([0.75, 0.65])
    """
    columns = [
        _expect(
            training[:, m],
            [
                (in_sample[:, m], held_out[:, m])
                for in_sample, held_out in zip(fold_training, fold_held_out, strict=True)
            ],
            None if sampling is None else np.array([of_fold[m] for of_fold in sampling]),
        )
        for m in range(training.shape[1])
    ]
    values, errors = zip(*columns, strict=True)
    return np.column_stack(values), np.column_stack(errors)


def _expect(
    training: Floats, folds: list[tuple[Floats, Floats]], sampling: Floats | None
) -> tuple[Floats, Floats]:
    """Estimate expected values (k,) of one objective and their standard errors."""
    folds = [
        (in_sample, held_out)
        for in_sample, held_out in folds
        if np.isfinite(held_out).all()
    ]
    # needed for a standard error
    fewest_folds = 2
    if len(folds) < fewest_folds:
        return np.full(len(training), np.nan), np.full(len(training), np.nan)
    losses = np.array([(in_sample - held_out).mean() for in_sample, held_out in folds])
    centred = [
        (in_sample - in_sample.mean(), held_out - held_out.mean())
        for in_sample, held_out in folds
    ]
    squares = np.array([float(s @ s) / len(s) for s, _ in centred])
    products = np.array([float(s @ h) / len(s) for s, h in centred])
    # The slope is undefined if the objective is constant on the fronts: 1 means no
    # shrinkage.
    slope = products.sum() / squares.sum() if squares.sum() > 0.0 else 1.0
    beta = float(np.clip(slope, 0.0, 1.0))
    advance = training - training.mean()
    jackknifed = np.array(
        [
            np.clip((products.sum() - p) / (squares.sum() - s), 0.0, 1.0)
            if squares.sum() > s
            else beta
            for p, s in zip(products, squares, strict=True)
        ]
    )
    n = len(folds)
    slope_variance = (n - 1) / n * ((jackknifed - jackknifed.mean()) ** 2).sum()
    scatter = np.mean([((h - beta * s) ** 2).mean() for s, h in centred])
    drawn = losses.var(ddof=1) / n
    if sampling is not None and np.isfinite(sampling).all():
        drawn = sampling.sum() / n**2
    variance = drawn + scatter + advance**2 * slope_variance
    values = training.mean() - losses.mean() + beta * advance
    # An objective that is never negative on held-out rows is not expected to be.
    lowest = min(0.0, *(held_out.min() for _, held_out in folds))
    return np.maximum(values, 0.0 if lowest == 0.0 else -np.inf), np.sqrt(variance)
