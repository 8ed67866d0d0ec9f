"""Measures of predicted probabilities, and scores made from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers
from moselect._validation import Ties, check_probabilities, check_ties, check_weights
from moselect.labels import encode


def ranked_probability_error(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalise: bool = False,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Ranked probability score (RPS), the squared distance of cumulative probabilities.

    The mean over samples of the sum over classes k of ``(P(y <= k) - [y_true <= k])**2``. It is
    proper: no other probabilities have a lower expected error than the true ones.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True classes: numbers, an ordered Categorical, or strings with ``labels``.
    y_proba : array-like of shape (n, r)
        Class probabilities, one column a class, lowest class first.
    normalise : bool, default=False
        Whether to divide by r - 1, so that the greatest error is 1.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    labels : sequence, optional
        The classes of the columns; needed if ``y_true`` lacks one of them.

    Returns
    -------
    float
        From 0 to r - 1 (or 1), lower is better.

    Raises
    ------
    ValueError
        If lengths differ, rows are no probabilities, labels are missing or unknown, weights are
        negative, or there are not as many columns as classes.

    References
    ----------
    Epstein (1969), A scoring system for probability forecasts of ranked categories, Journal of
    Applied Meteorology 8:985-987.

    Examples
    --------
    >>> ranked_probability_error([1, 3], [[0.5, 0.5, 0.0], [0.5, 0.0, 0.5]], labels=[1, 2, 3])
    0.375
    """
    codes, proba, weights = check_true_and_proba(y_true, y_proba, sample_weight, labels)
    r = proba.shape[1]
    reached = codes[:, np.newaxis] <= np.arange(r - 1)
    errors = ((np.cumsum(proba, axis=1)[:, :-1] - reached) ** 2).sum(axis=1)
    return float(np.average(errors, weights=weights)) / (r - 1 if normalise else 1)


def check_true_and_proba(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    sample_weight: ArrayLike | None,
    labels: Sequence[Any] | None,
) -> tuple[Integers, Floats, Floats | None]:
    """Check labels, class probabilities and weights against each other."""
    classes, codes = encode(y_true, labels, keep_unused=True)
    proba = check_probabilities(y_proba, len(codes))
    if proba.shape[1] != len(classes):
        known = ", ".join(str(c) for c in classes)
        raise ValueError(
            f"y_proba has {proba.shape[1]} columns but there are {len(classes)} classes ({known}): "
            "give labels, one for each column"
        )
    return codes, proba, check_weights(sample_weight, len(codes))


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


def expected_class(y_proba: ArrayLike) -> Floats:
    """Score samples by their expected class, ``sum_k k P(y = k)`` with classes 1 .. r.

    The sound way to rank samples by class probabilities: probability that moves to a higher
    class always raises the score.

    Parameters
    ----------
    y_proba : array-like of shape (n, r)
        Class probabilities, one column a class, lowest class first.

    Returns
    -------
    ndarray of shape (n,)
        In class ranks, between 1 and r; higher means a higher class.

    Raises
    ------
    ValueError
        If rows are no probabilities.

    Examples
    --------
    >>> expected_class([[0.5, 0.5, 0.0], [0.0, 0.25, 0.75]])
    array([1.5 , 2.75])
    """
    proba = check_probabilities(y_proba)
    return np.asarray(proba @ np.arange(1.0, proba.shape[1] + 1.0))


def maximum_probability(y_proba: ArrayLike) -> Floats:
    """Score samples by the greatest of their class probabilities.

    This is **not an ordering** by class: samples that are surely of the lowest class and samples
    that are surely of the highest get the same score. It is here to reproduce results that used
    it (Sommer 2015, section 3.1); to rank samples, take `expected_class`.

    Parameters
    ----------
    y_proba : array-like of shape (n, r)
        Class probabilities, one column a class.

    Returns
    -------
    ndarray of shape (n,)
        Between 1 / r and 1.

    Raises
    ------
    ValueError
        If rows are no probabilities.

    Examples
    --------
    >>> maximum_probability([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    array([1., 1.])
    """
    return np.asarray(check_probabilities(y_proba).max(axis=1))
