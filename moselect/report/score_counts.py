"""How many samples of each class lie where along the score of each model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers
from moselect.features import feature_matrix
from moselect.front import Front
from moselect.labels import encode_labels

N_CUTS = 72  # of a model


class ScoreCounts(NamedTuple):
    """Possible thresholds along the scores of k models and the samples between them.

    Attributes
    ----------
    cuts : ndarray of shape (k, N_CUTS)
        Ascending; the first is below all scores, and equal ones above all stand at the end.
    counts : ndarray of int, shape (k, N_CUTS + 1, r)
        Samples of each class between neighbouring cuts, lowest scores first.
    """

    cuts: Floats
    counts: Integers


def count_scores(front: Front, X: ArrayLike | pd.DataFrame, y: ArrayLike) -> ScoreCounts:
    """Count the samples of the search along the scores of its models.

    ValueError is raised if X and y are not the rows of the search, as far as the numbers of its
    samples tell.
    """
    values = feature_matrix(X, front.feature_names, front.weights.shape[1])
    codes = encode_labels(y, front.classes)
    r = len(front.classes)
    assert front.confusions is not None  # the page has asked before
    searched = front.confusions[0].sum(axis=1).tolist()
    given = np.bincount(codes, minlength=r).tolist()
    if len(codes) != len(values) or given != searched:
        raise ValueError(
            f"X and y are not the rows of the search: it had {searched} samples of the classes, "
            f"y has {given}"
        )
    cuts = np.empty((len(front), N_CUTS))
    counts = np.empty((len(front), N_CUTS + 1, r), dtype=np.int64)
    for i, weights in enumerate(front.weights):
        scores = values @ weights
        cuts[i] = _cuts(np.sort(scores))
        bins = np.searchsorted(cuts[i], scores, side="left")  # a score on a cut lies below it
        counts[i] = np.bincount(bins * r + codes, minlength=counts[i].size).reshape(-1, r)
    return ScoreCounts(cuts, counts)


def _cuts(ascending: Floats) -> Floats:
    """Return cuts between as equally many samples as possible, in single precision.

    Of few different scores, each pair of neighbours gets a cut.
    """
    ends = np.flatnonzero(ascending[1:] > ascending[:-1])
    if len(ends) > N_CUTS - 2:
        ideal = np.linspace(0, len(ascending), N_CUTS)[1:-1]
        ends = np.unique(ends[np.searchsorted(ends, ideal).clip(max=len(ends) - 1)])
    low, high = ascending[0], ascending[-1]
    margin = 0.01 * (high - low) or 1.0
    # Below all scores and, with what is left over, above them: no class need be predicted.
    above = [high + margin] * (N_CUTS - 1 - len(ends))
    middles = 0.5 * (ascending[ends] + ascending[ends + 1])
    return np.concatenate([[low - margin], middles, above]).astype(np.float32).astype(np.float64)
