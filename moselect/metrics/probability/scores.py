"""Scores that rank samples by their predicted probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect._validation import check_probabilities


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
