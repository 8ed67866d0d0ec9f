"""The samples of the search, if users want them in the page."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.features import feature_matrix
from moselect.front import Front
from moselect.labels import encode_labels

MOST_NUMBERS = 2_000_000  # 16 MB before compression: a page that browsers still open at once


class Samples(NamedTuple):
    """Samples as the page holds them.

    Attributes
    ----------
    rows : tuple of str
        What each of the n samples is called: its label in the index of a DataFrame, or its
        position, counted from 0.
    features : ndarray of shape (n, p)
        The columns that models weigh.
    codes : ndarray of int, shape (n,)
        Class codes 0 .. r - 1.
    """

    rows: tuple[str, ...]
    features: NDArray[np.float64]
    codes: NDArray[np.int64]


def embed_samples(front: Front, X: ArrayLike | pd.DataFrame, y: ArrayLike) -> Samples:
    """Return the samples of the search, checked by `count_scores` before.

    Raises
    ------
    ValueError
        If they are too many for a page.
    """
    features = feature_matrix(X, front.feature_names, front.weights.shape[1])
    n, p = features.shape
    if features.size > MOST_NUMBERS:
        raise ValueError(
            f"a page with {n:,} samples of {p:,} columns is too large: with samples it holds up to "
            f"{MOST_NUMBERS:,} numbers; make it without them, and compare what the two models "
            "predict for your table"
        )
    labels = X.index if isinstance(X, pd.DataFrame) else range(n)
    return Samples(tuple(map(str, labels)), features, encode_labels(y, front.classes))
