"""The objectives of one model on any objects."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from moselect.metrics import accuracy_score, mean_absolute_error, ranking_scores

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def measures(codes: Integers, predicted: Integers, scores: Floats, n_classes: int) -> Floats:
    """Give accuracy, 1 - MAE, VUS, U_cons, U_ovo and U_pairs.

    Parameters
    ----------
    codes, predicted : ndarray of shape (n,)
        True and predicted class codes 0 .. r - 1; every class must be there.
    scores : ndarray of shape (n,)
        Scores; higher means a higher class.
    n_classes : int
        r.

    Returns
    -------
    ndarray of shape (6,)
    """
    labels = range(n_classes)
    accuracy = accuracy_score(codes, predicted, labels=labels)
    deviation = mean_absolute_error(codes, predicted, labels=labels)
    return np.array([accuracy, 1.0 - deviation, *ranking_scores(codes, scores, labels=labels)])
