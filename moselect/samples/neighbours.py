"""Nearest rows of a table, and how often they are of the same class."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.neighbors import NearestNeighbors

from moselect._types import Floats, Integers

N_NEIGHBOURS = 20
# Distance below which a nearest row is a near copy, relative to that of the last neighbour.
NEAR = 0.2


class Neighbours(NamedTuple):
    """Accuracy of neighbours as predictions of the class, and the share of near copies.

    Attributes
    ----------
    accuracy : float
        Accuracy of the nearest row that is not equal.
    with_copies : float
        Accuracy of an equal row, or of the nearest one where there is none.
    beyond_near : float
        Accuracy of the first neighbour of the outer half.
    near : float
        Share of rows whose nearest one is a near copy.
    expected_near : float
        The same if rows are spread evenly around each row; NaN if rows are too few.
    has_near_copies : bool
        Whether a fifth of the rows more than expected have a near copy, and these differ in
        class less than half as often as the last neighbours.
    """

    accuracy: float
    with_copies: float
    beyond_near: float
    near: float
    expected_near: float
    has_near_copies: bool


def neighbours_of(X: Any, codes: Integers) -> Neighbours | None:
    """Find the neighbours of at most 500 rows; None if all rows are equal, or not all finite."""
    frame = pd.DataFrame(X)
    # Infinite features are refused where a model is fitted.
    if np.isinf(frame.select_dtypes("number")).any(axis=None):
        return None
    values = _standardised(frame)
    hashes = pd.util.hash_pandas_object(pd.DataFrame(values), index=False)
    ranks = pd.factorize(hashes)[0]
    counts = np.zeros((ranks.max() + 1, codes.max() + 1))
    np.add.at(counts, (ranks, codes), 1.0)
    if len(counts) < 2:
        return None
    distinct = values[np.unique(ranks, return_index=True)[1]]
    rows = np.arange(0, len(codes), 1 + len(codes) // 500)
    own = distinct[ranks[rows]]
    k = min(N_NEIGHBOURS, len(counts) - 1)
    distances, places = NearestNeighbors(n_neighbors=k + 1).fit(distinct).kneighbors(own)
    # The first neighbour is the row itself.
    sizes = counts.sum(axis=1)
    agreement = counts[places, codes[rows, np.newaxis]] / sizes[places]
    nearest = agreement[:, 1]
    n_same = counts[ranks[rows], codes[rows]] - 1.0
    n_copies = sizes[ranks[rows]] - 1.0
    copies = np.where(n_copies > 0.0, n_same / np.maximum(n_copies, 1.0), nearest)
    is_near = distances[:, 1] < NEAR * distances[:, -1]
    disagreement = is_near @ (1.0 - agreement)
    # So many of the neighbours but the last one could be near.
    chance = NEAR ** _intrinsic_dimension(distinct, own)
    near = is_near.mean()
    expected = 1.0 - (1.0 - chance) ** (k - 1)
    agree = disagreement[1] < disagreement[-1] / 2.0
    return Neighbours(
        float(nearest.mean()),
        float(copies.mean()),
        float(agreement[:, k // 2 + 1].mean()) if k > 1 else np.nan,
        float(near),
        float(expected),
        bool(near > expected + 0.2 and agree),
    )


MIN_NEIGHBOURS = 4


def _intrinsic_dimension(values: Floats, rows: Floats) -> float:
    """Estimate the intrinsic dimension around rows (m, q) among values (n, q).

    By the distances of neighbours (Levina & Bickel 2004) in a fifth of the values, which has
    few near copies; NaN if it has too few neighbours.
    """
    few = np.random.default_rng(0).permutation(len(values))[: len(values) // 5]
    # more of these would reach the edges of the table, where distances stop to grow
    k = min(N_NEIGHBOURS, len(few) // 3)
    if k < MIN_NEIGHBOURS:
        return np.nan
    distances, _ = NearestNeighbors(n_neighbors=k).fit(values[few]).kneighbors(rows)
    outer = np.log(distances[:, -1] / distances[:, k // 2 - 1]).mean()
    if outer > 0.0:
        return float((1.0 / np.arange(k // 2, k)).sum() / outer)
    return np.inf


def _standardised(frame: pd.DataFrame) -> Any:
    """Return numbers in standard deviations and indicators of levels (n, q), without gaps."""
    numbers = frame.select_dtypes("number").astype(np.float64)
    levels = frame.drop(columns=numbers.columns)
    # columns of more levels are names or text
    few = levels.loc[:, levels.nunique() <= N_NEIGHBOURS].astype("category")
    deviations = (numbers - numbers.mean()) / numbers.std().replace(0.0, 1.0)
    indicators = few
    if few.shape[1]:
        indicators = pd.get_dummies(few, dtype=np.float64)
    return np.nan_to_num(np.column_stack([deviations, indicators]).astype(np.float64))
