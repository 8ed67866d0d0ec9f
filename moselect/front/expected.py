"""What the members of a front are to be expected to reach on new data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from moselect._types import Floats

FEWEST_FOLDS = 2  # with a figure; from fewer no standard error can be had


def expected_objectives(
    training: Floats,
    fold_training: Sequence[Floats],
    fold_held_out: Sequence[Floats],
    sampling: Sequence[Floats] | None = None,
) -> tuple[Floats, Floats]:
    """Correct training objectives of a front by what fronts of folds lost when held out.

    For each objective, the expected value of a member with the training value F is
    mean(F) - delta + beta (F - mean(F)): delta is what the members of a fold's front lose
    on the samples that it did not see, in the mean over members and folds; beta, from 0
    to 1, is how much of a member's advance over the others in training is left there
    (pooled least squares).

    Parameters
    ----------
    training : ndarray of shape (k, m)
        Objectives of the members on the samples of the search.
    fold_training, fold_held_out : sequence of ndarray of shape (k_j, m)
        Objectives of the members of the front of each fold, on the samples that it was
        searched on, and on those held out. NaN where a fold does not have an objective,
        because it lacks a class.
    sampling : sequence of ndarray of shape (m,), optional
        Variance of the mean of each fold's held-out values that comes from the draw of
        its samples (`sampling_variances`). Without it, it is taken from how delta differs
        between folds, which a few folds tell badly.

    Returns
    -------
    values, standard_errors : ndarray of shape (k, m)
        NaN in objectives that fewer than two folds have. The standard error unites three
        sources: the draw of the samples, how beta differs between folds, and how far
        single members of a fold's front lie from its line.

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
                (seen[:, m], held_out[:, m])
                for seen, held_out in zip(fold_training, fold_held_out, strict=True)
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
    """Return expected values (k,) of one objective and their standard errors."""
    folds = [(seen, held_out) for seen, held_out in folds if np.isfinite(held_out).all()]
    if len(folds) < FEWEST_FOLDS:
        return np.full(len(training), np.nan), np.full(len(training), np.nan)
    losses = np.array([(seen - held_out).mean() for seen, held_out in folds])
    centred = [
        (seen - seen.mean(), held_out - held_out.mean()) for seen, held_out in folds
    ]
    squares = np.array([float(s @ s) / len(s) for s, _ in centred])
    products = np.array([float(s @ h) / len(s) for s, h in centred])
    # A front that does not vary in an objective says nothing about its slope: 1 is no correction.
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
    return training.mean() - losses.mean() + beta * advance, np.sqrt(variance)
