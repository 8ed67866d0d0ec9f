"""Measures of predicted probabilities, and scores made from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats, LabelOrder
from moselect.labels.labels import encode
from moselect.listing import listing
from moselect.validation import check_probabilities, check_weights


def ranked_probability_error(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelOrder = None,
) -> float:
    """Ranked probability score (RPS), the squared distance of cumulative probabilities.

    The mean over samples of the sum over classes k of ``(P(y <= k) - [y_true <= k])**2``.
    It is a proper score: the true probabilities have the lowest expected error.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True classes: numbers, an ordered Categorical, or strings with ``labels``.
    y_proba : array-like of shape (n, r)
        Class probabilities, one column a class, lowest class first.
    sample_weight : array-like of shape (n,), optional
        Weights of the samples.
    labels : sequence, optional
        The classes of the columns; needed if ``y_true`` lacks one of them.

    Returns
    -------
    float
        From 0 to r - 1, lower is better.

    Raises
    ------
    ValueError
        If lengths differ, rows are no probabilities, labels are missing or unknown,
        weights are negative, or there are not as many columns as classes.

    References
    ----------
    Epstein (1969), A scoring system for probability forecasts of ranked categories,
    Journal of Applied Meteorology 8:985-987.

    Examples
    --------
    >>> ranked_probability_error([1, 3], [[0.5, 0.5, 0.0], [0.5, 0.0, 0.5]], labels=[1, 2, 3])
    0.375
    """
    classes, codes = encode(y_true, labels, keep_unused=True)
    proba = check_probabilities(y_proba, len(codes))
    if proba.shape[1] != len(classes):
        known = listing(classes)
        raise ValueError(
            f"y_proba has {proba.shape[1]} columns but there are {len(classes)} classes ({known}): "
            "give labels, one for each column"
        )
    # Indicators of y <= k at the r - 1 boundaries; at the last class all are 1, and add
    # nothing.
    weights = check_weights(sample_weight, len(codes))
    reached = codes[:, None] <= np.arange(proba.shape[1] - 1)
    errors = ((np.cumsum(proba, axis=1)[:, :-1] - reached) ** 2).sum(axis=1)
    return float(np.average(errors, weights=weights))


def expected_class(y_proba: ArrayLike) -> Floats:
    """Score samples by their expected class, ``sum_k k P(y = k)`` with classes 1 .. r.

    A consistent way to rank samples by class probabilities: probability mass moved to a
    higher class always raises the score.

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
    return proba @ np.arange(1.0, proba.shape[1] + 1.0)
