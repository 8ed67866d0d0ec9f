"""Nearest rows of a table, and how often they are of the same class."""

from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats, Integers, Table

N_NEIGHBOURS = 20
# Distance below which a nearest row is a near copy, relative to that of the last neighbour.
NEAR = 0.2


class Neighbours(NamedTuple):
    """Nearest distinct rows of some rows (m,) of a table, in ascending distance.

    Attributes
    ----------
    distances : ndarray of shape (m, k)
        Euclidean distances of standardised numbers and indicators.
    agreement : ndarray of shape (m, k)
        Share of the rows equal to each neighbour that are of the same class.
    of_copies : ndarray of shape (m,)
        Share of the copies of each row that are of the same class; NaN without copies.
    dimension : float
        Intrinsic dimension of the rows; NaN if they are too few.
    """

    distances: Floats
    agreement: Floats
    of_copies: Floats
    dimension: float

    @classmethod
    def of(cls, X: Table, codes: Integers) -> Self | None:
        """Find the neighbours of at most 500 rows; None without columns to compare."""
        from sklearn.neighbors import NearestNeighbors  # predictions never need it

        values = _standardised(X)
        hashes = pd.util.hash_pandas_object(pd.DataFrame(values), index=False)
        ranks = pd.factorize(hashes)[0]
        counts = np.zeros((ranks.max() + 1, codes.max() + 1))
        np.add.at(counts, (ranks, codes), 1.0)
        if len(counts) < 2:
            return None
        distinct = values[np.unique(ranks, return_index=True)[1]]
        most_rows = 500
        rows = np.arange(0, len(codes), 1 + (len(codes) - 1) // most_rows)
        k = min(N_NEIGHBOURS, len(counts) - 1)
        search = NearestNeighbors(n_neighbors=k + 1).fit(distinct)
        distances, places = search.kneighbors(distinct[ranks[rows]])
        sizes = counts.sum(axis=1)
        shares = counts / sizes[:, np.newaxis]
        agreement = shares[places[:, 1:], codes[rows, np.newaxis]]
        n_same = counts[ranks[rows], codes[rows]] - 1.0
        n_copies = sizes[ranks[rows]] - 1.0
        of_copies = np.where(n_copies > 0.0, n_same / np.maximum(n_copies, 1.0), np.nan)
        dimension = _intrinsic_dimension(distinct, distinct[ranks[rows]])
        return cls(distances[:, 1:], agreement, of_copies, dimension)

    @property
    def accuracy(self) -> float:
        """Accuracy of the nearest distinct row."""
        return float(self.agreement[:, 0].mean())

    @property
    def accuracy_with_copies(self) -> float:
        """Accuracy of the nearest row: a copy, if there is one."""
        has_copies = np.isfinite(self.of_copies)
        return float(np.where(has_copies, self.of_copies, self.agreement[:, 0]).mean())

    @property
    def are_near(self) -> Booleans:
        """Rows (m,) whose nearest distinct row is a near copy."""
        return self.distances[:, 0] < NEAR * self.distances[:, -1]

    @property
    def accuracy_without_near(self) -> float:
        """Accuracy of the first neighbour of the outer half, where no near copies are."""
        return float(self.agreement[:, self.agreement.shape[1] // 2].mean())

    @property
    def expected_near(self) -> float:
        """Expected share of near copies if rows are spread evenly around each row."""
        k = self.distances.shape[1]
        return float(1.0 - (1.0 - NEAR**self.dimension) ** (k - 1))

    @property
    def has_near_copies(self) -> bool:
        """Whether near copies are more than chance explains, and agree in class.

        They do if a fifth of the rows more than expected have one, and if these differ in
        class less than half as often as from the last neighbour.
        """
        near = self.are_near
        if not near.mean() > self.expected_near + 0.2:
            return False
        disagreement = 1.0 - self.agreement[near][:, [0, -1]].mean(axis=0)
        return bool(disagreement[0] < disagreement[1] / 2.0)


def _intrinsic_dimension(values: Floats, rows: Floats) -> float:
    """Estimate the intrinsic dimension around rows (m, q) among values (n, q).

    By the distances of neighbours (Levina & Bickel 2004) in a fifth of the values, which has
    few near copies; NaN if it has too few neighbours.
    """
    from sklearn.neighbors import NearestNeighbors

    few = np.random.default_rng(0).permutation(len(values))[: len(values) // 5]
    k = N_NEIGHBOURS
    if len(few) < k:
        return np.nan
    distances, _ = NearestNeighbors(n_neighbors=k).fit(values[few]).kneighbors(rows)
    outer = np.log(distances[:, -1] / distances[:, k // 2 - 1]).mean()
    return float((1.0 / np.arange(k // 2, k)).sum() / outer) if outer > 0.0 else np.inf


def _standardised(X: Table) -> Any:
    """Return numbers in standard deviations and indicators of levels (n, q), without gaps."""
    frame = pd.DataFrame(X)
    numbers = frame.select_dtypes("number").astype(np.float64)
    levels = frame.drop(columns=numbers.columns)
    # columns of more levels are names or text
    most_levels = 20
    indicators = [
        pd.get_dummies(column, dtype=np.float64)
        for _, column in levels.items()
        if column.nunique() <= most_levels
    ]
    deviations = (numbers - numbers.mean()) / numbers.std().replace(0.0, 1.0)
    return np.nan_to_num(np.column_stack([deviations, *indicators]))
