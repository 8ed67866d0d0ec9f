"""The ranked probability score, and the checks of predicted probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats, Integers
from moselect._validation import check_probabilities, check_weights
from moselect.labels import encode


def ranked_probability_error(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalise: bool = False,
    sample_weight: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """SortedSamples probability score (RPS), the squared distance of cumulative probabilities.

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
    classes: NDArray[Any]
    classes, codes = encode(y_true, labels, keep_unused=True)
    proba = check_probabilities(y_proba, len(codes))
    if proba.shape[1] != len(classes):
        known = ", ".join(str(c) for c in classes)
        raise ValueError(
            f"y_proba has {proba.shape[1]} columns but there are {len(classes)} classes ({known}): "
            "give labels, one for each column"
        )
    return codes, proba, check_weights(sample_weight, len(codes))
