"""The index of Ballante, Uberti and Figini for class probabilities of ordinal targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect._validation import Ties, check_ties
from moselect.metrics.probability.ranked_probability import check_true_and_proba


def ballante_index(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalise: bool = True,
    ties: Ties = "strict",
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Distance of true and estimated classes, the heavier the surer the wrong ones are.

    The estimated class of a sample is that of its greatest probability (the lowest of equals).
    The samples of each estimated class j are listed by falling probability of j. The index is::

        I = sum_j (e_j / l_j) * sum over the samples i of j of |y_i - j| / n,

    where l_j is the share of samples estimated as j and e_j the share of those from the first
    wrong one on. The normalised index is divided by K = sum_j l_j max(r - j, j - 1), the greatest
    value that I can have with these estimated classes.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True classes: numbers, an ordered Categorical, or strings with ``labels``.
    y_proba : array-like of shape (n, r)
        Class probabilities, one column a class, lowest class first.
    normalise : bool, default=True
        Whether to divide by K.
    ties : {"strict", "average"}, default="strict"
        Where the wrong ones of equal probability stand: before the right ones, or behind half of
        them.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    labels : sequence, optional
        The classes of the columns; needed if ``y_true`` lacks one of them.

    Returns
    -------
    float
        From 0 to 1, or from 0 to below r - 1 if not normalised; lower is better.

    Raises
    ------
    ValueError
        If lengths differ, rows are no probabilities, labels are missing or unknown, weights are
        negative, or there are not as many columns as classes.

    References
    ----------
    Ballante, Uberti, Figini, A new approach in model selection for ordinal target variables,
    definitions 3.3 and 3.5, proposition 3.4.

    Examples
    --------
    >>> y_proba = [[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]]
    >>> ballante_index([1, 2, 2, 3], y_proba, normalise=False)
    0.125
    """
    half_credit = check_ties(ties)
    codes, proba, weights = check_true_and_proba(y_true, y_proba, sample_weight, labels)
    weights = np.ones(len(codes)) if weights is None else weights
    r = proba.shape[1]
    estimated = proba.argmax(axis=1)
    index = greatest = 0.0
    for j in range(r):
        members = np.flatnonzero((estimated == j) & (weights > 0.0))
        if not len(members):
            continue
        mass = weights[members]
        distance = np.abs(codes[members] - j)
        surely_right = _mass_before_first_error(proba[members, j], distance > 0, mass, half_credit)
        index += (1.0 - surely_right / mass.sum()) * float(mass @ distance)
        greatest += float(mass.sum()) * max(r - 1 - j, j)
    return float(index / (greatest if normalise else weights.sum()))


def _mass_before_first_error(proba: Floats, wrong: Any, mass: Floats, half_credit: bool) -> float:
    """Weight of the right samples before the first wrong one; of all if none is wrong."""
    if not wrong.any():
        return float(mass.sum())
    first = proba[wrong].max()
    before = float(mass[proba > first].sum())
    if half_credit:
        before += 0.5 * float(mass[(proba == first) & ~wrong].sum())
    return before
