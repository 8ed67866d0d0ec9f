"""The index of Ballante, Uberti and Figini, definitions 3.3 and 3.5."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike


def ballante_index(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalise: bool = True,
    labels: Sequence[int] | None = None,
) -> float:
    """Distance of true and estimated classes, the heavier the surer the wrong ones are.

    The samples of each estimated class j are listed by falling probability of j, of equal ones the
    wrong first: I = sum_j (e_j / l_j) * sum over the samples i of j of |y_i - j| / n, where l_j is
    the share of samples estimated as j and e_j the share of those from the first wrong one on. The
    normalised index is divided by K = sum_j l_j max(r - j, j - 1), the greatest value of I
    (proposition 3.4).
    """
    codes = np.searchsorted(
        np.unique(y_true) if labels is None else np.array(labels), y_true
    )
    proba = np.asarray(y_proba)
    top = proba.shape[1] - 1
    estimated, surest = proba.argmax(axis=1), proba.max(axis=1)
    index = greatest = 0.0
    for j in range(top + 1):
        members = estimated == j
        distance = np.abs(codes - j)[members]
        if distance.any():
            surely_right = (surest[members] > surest[members][distance > 0].max()).mean()
            index += (1.0 - surely_right) * distance.sum()
        greatest += members.sum() * max(top - j, j)
    return float(index / (greatest if normalise else len(codes)))
