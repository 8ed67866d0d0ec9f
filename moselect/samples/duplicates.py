"""Copies and near copies in a table: equal rows that coincidence does not explain, nearest rows."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from moselect._types import Array, Booleans, Floats, Integers

# A table, or its features as numbers.
Features = pd.DataFrame | Array

# Share of the pairs of equal rows that coincidence must explain, or they are copies. Rows drawn
# from the laws of `experiments/coverage` have .7 and more, copies of fine columns .2 and less.
MIN_EXPLAINED = 0.5
# Repeats of independent rows are multiples of 2 by chance with probability 1/2 each.
MIN_REPEATED = 20


def equal_rows(X: Features) -> Integers:
    """Rank of each row (n,) of a table among its distinct rows.

    Examples
    --------
    >>> equal_rows(pd.DataFrame({"vehicle": ["van", "car", "van"], "age": [1.0, 2.0, 1.0]}))
    array([0, 1, 0])
    """
    if X.shape[1] == 0:
        return np.zeros(len(X), int)
    return np.unique(_numeric_cells(X)[0], axis=0, return_inverse=True)[1].ravel()


def duplicate_groups(X: Features, codes: Integers) -> Integers:
    """Group (n,) of each row: equal rows share one if they are copies, whatever their classes.

    A fold must not divide copies: a model would be judged on its own training rows.
    In a table of few levels, equal rows are independent samples instead, and holding all
    of them out would hide a level from the model. Equal rows are copies if coincidence
    explains less than half of them (`explained_by_coincidence`), unless one column of levels
    has as many values as there are distinct rows: the others then say nothing more.

    A table that was joined with copies of itself is recognised by the repeats of its rows,
    which have a common divisor g: g equal rows of one class share a group.

    Parameters
    ----------
    X : ndarray or DataFrame of shape (n, p)
        Features, of any type.
    codes : ndarray of int, shape (n,)
        Class codes.

    Examples
    --------
    >>> measured = np.random.default_rng(0).normal(size=(20, 2))
    >>> twice = duplicate_groups(np.tile(measured, (2, 1)), np.arange(40) % 3)
    >>> len(np.unique(twice))
    20
    >>> answers = np.repeat([[1.0], [2.0]], 20, axis=0)
    >>> len(np.unique(duplicate_groups(answers, np.arange(40) // 20)))
    40
    """
    ranks = equal_rows(X)
    if ranks.max() + 1 == len(codes) or (
        explained_by_coincidence(X) < MIN_EXPLAINED and not _has_identifying_levels(X)
    ):
        return ranks
    # Not duplicates: each sample becomes a group of its own, numbered by row and class, so
    # that the order of the samples does not matter; of a joined table each g samples.
    repeats = np.unique([ranks, codes], axis=1, return_counts=True)[1]
    n_tables = 1
    if len(repeats) >= MIN_REPEATED:
        n_tables = np.gcd.reduce(repeats)
    groups = np.empty_like(ranks)
    groups[np.lexsort((codes, ranks))] = np.arange(len(codes)) // n_tables
    return groups


def explained_by_coincidence(X: Features) -> float:
    """Compute expected over observed pairs of equal rows, if rows are independent.

    Where values are so few that independent rows coincide, they nearly coincide, too. Of a
    column, the pairs that are equal in all others but differ in it tell how many are expected
    to agree in it: as many as other pairs of rows do, or, in a column of numbers, half as many
    as are one step of its rounding apart. Expected pairs are summed over the columns: about p
    times the observed ones if columns are independent, and hardly any of copies.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> bool(explained_by_coincidence(rng.integers(4, size=(100, 3))) > 1.0)
    True
    >>> explained_by_coincidence(np.tile(rng.normal(size=(50, 3)), (2, 1)))
    0.0
    """
    if X.shape[1] == 0:
        return np.inf
    cells, are_numbers = _merged_cells(X)
    places = [np.unique(column, return_inverse=True)[1] for column in cells.T]
    # A linear hash of each row: one subtraction takes a column out of it.
    multipliers = np.random.default_rng(0).integers(2**62, size=len(places))
    hashes = multipliers @ np.array(places)
    n = len(cells)
    n_equal = _pairs(hashes)
    n_unequal = n * (n - 1) / 2 - n_equal
    if n_equal == 0 or n_unequal == 0:
        return np.inf
    expected = 0.0
    for values, place, multiplier, is_number in zip(
        cells.T, places, multipliers, are_numbers, strict=True
    ):
        rest = hashes - multiplier * place
        share = (_pairs(place) - n_equal) / n_unequal
        if share == 1.0:  # of a constant column
            continue
        of_column = (_pairs(rest) - n_equal) * share / (1.0 - share)
        if is_number:
            of_column = max(of_column, _pairs_of_neighbours(values, rest) / 2)
        expected += of_column
    return float(expected / n_equal)


def _has_identifying_levels(X: Features) -> bool:
    """Whether a column of levels has as many values as there are distinct rows.

    A column of numbers has levels if its values are fewer than the square root of the rows.
    """
    cells, are_numbers = _merged_cells(X)
    n_distinct = len(np.unique(cells, axis=0))
    n_values = np.array([len(np.unique(column)) for column in cells.T])
    are_levels = ~are_numbers | (n_values < np.sqrt(len(cells)))
    return (n_values[are_levels] == n_distinct).any()


def _pairs(keys: Integers) -> float:
    """Count the pairs of rows with equal keys (n,)."""
    counts = np.unique(keys, return_counts=True)[1].astype(float)
    return (counts * (counts - 1.0)).sum() / 2.0


def _pairs_of_neighbours(values: Floats, rest: Integers) -> float:
    """Count the pairs of rows, equal in the rest, whose values (n,) differ by the least step."""
    order = np.lexsort((values, rest))
    # Cells: equal values stand next to each other, and after them those one step further.
    with np.errstate(invalid="ignore"):  # between infinite values
        steps = np.diff(values[order])
    is_same = np.diff(rest[order]) == 0
    starts = np.flatnonzero(np.append(True, ~is_same | (steps > 0.0)))
    counts = np.diff(np.append(starts, len(values)))
    before = starts[1:] - 1
    # Rounding of the steps themselves must not matter.
    are_next = is_same[before] & (steps[before] < 1.5 * np.diff(np.unique(values)).min())
    return (counts[1:] * counts[:-1])[are_next].sum()


def _merged_cells(X: Features) -> tuple[Floats, Booleans]:
    """Return `_numeric_cells` with adjacent columns of indicators merged into one of levels.

    At most one of such columns of 0 and 1 is 1 in a row. A category in one-hot coding differs in
    two columns from each other one, so that rows would have no neighbours.
    """
    cells, are_numbers = _numeric_cells(X)
    # A column with gaps holds ranks as well: NaN would equal nothing, not even itself.
    levels: list[Floats] = []
    firsts: list[int] = []  # the first of the columns that each one merges
    n_merged = 0  # indicators in the last one
    for j, column in enumerate(cells.T):
        is_indicator = np.isin(column, (0.0, 1.0)).all()
        if is_indicator and n_merged and not (levels[-1] * column).any():
            n_merged += 1
            levels[-1] = levels[-1] + n_merged * column
        else:
            n_merged = int(is_indicator)
            levels.append(column)
            firsts.append(j)
    return np.column_stack(levels), are_numbers[firsts]


def _numeric_cells(X: Features) -> tuple[Floats, Booleans]:
    """Cells (n, p), ranks of first appearance in columns that are not of numbers."""
    if isinstance(X, np.ndarray) and X.dtype.kind in "fiub":
        return X.astype(float, copy=False), np.full(X.shape[1], True)
    frame = pd.DataFrame(X)
    are_numbers = np.array([is_numeric_dtype(dtype) for dtype in frame.dtypes])
    are_numbers &= frame.notna().all().to_numpy()
    cells = [
        column.to_numpy(float) if is_number else pd.factorize(column)[0]
        for (_, column), is_number in zip(frame.items(), are_numbers, strict=True)
    ]
    return np.column_stack(cells), are_numbers


N_NEIGHBOURS = 20
# Distance below which a nearest row is a near copy, relative to the distance of the last.
CLOSE = 0.2


class Neighbours(NamedTuple):
    """Accuracy of neighbours as predictions of the class, and the share of near copies.

    Attributes
    ----------
    accuracy : float
        Accuracy of the nearest row that is not equal.
    with_duplicates : float
        Accuracy of an equal row, or of the nearest one where there is none.
    beyond_close : float
        Accuracy of the first neighbour of the outer half.
    close : float
        Share of rows whose nearest one is a near copy.
    expected_close : float
        The same if rows are spread evenly around each row; NaN if rows are too few.
    has_approximate_duplicates : bool
        Whether a fifth of the rows more than expected have a near copy, and these differ in
        class less than half as often as the last neighbours.
    """

    accuracy: float
    with_duplicates: float
    beyond_close: float
    close: float
    expected_close: float
    has_approximate_duplicates: bool


def neighbours_of(X: Features, codes: Integers) -> Neighbours | None:
    """Find the neighbours of at most 500 rows; None if all rows are equal, or not all finite."""
    frame = pd.DataFrame(X)
    # Infinite features are refused where a model is fitted.
    if np.isinf(frame.select_dtypes("number", "timedelta")).any(axis=None):
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
    distances, places = _nearest(distinct, own, k + 1)
    # The first neighbour is the row itself.
    sizes = counts.sum(axis=1)
    agreement = counts[places, codes[rows, None]] / sizes[places]
    nearest = agreement[:, 1]
    n_same = counts[ranks[rows], codes[rows]] - 1.0
    n_duplicates = sizes[ranks[rows]] - 1.0
    of_duplicates = np.where(
        n_duplicates > 0.0, n_same / np.maximum(n_duplicates, 1.0), nearest
    )
    is_close = distances[:, 1] < CLOSE * distances[:, -1]
    disagreement = is_close @ (1.0 - agreement)
    # So many of the neighbours but the last one could be near.
    chance = CLOSE ** _intrinsic_dimension(distinct, own)
    close = is_close.mean()
    expected = 1.0 - (1.0 - chance) ** (k - 1)
    agree = disagreement[1] < disagreement[-1] / 2.0
    return Neighbours(
        nearest.mean(),
        of_duplicates.mean(),
        agreement[:, k // 2 + 1].mean() if k > 1 else np.nan,
        close,
        expected,
        close > expected + 0.2 and agree,
    )


def _nearest(values: Floats, rows: Floats, k: int) -> tuple[Floats, Integers]:
    """Return the distances to the k nearest values of each row (m, k), and their places."""
    # Slow, and no prediction needs them.
    from joblib import parallel_config
    from sklearn.neighbors import NearestNeighbors

    # A cluster that is configured would be sent the rows.
    with parallel_config(backend="sequential"):
        return NearestNeighbors(n_neighbors=k).fit(values).kneighbors(rows)


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
    distances, _ = _nearest(values[few], rows, k)
    outer = np.log(distances[:, -1] / distances[:, k // 2 - 1]).mean()
    if outer > 0.0:
        return (1.0 / np.arange(k // 2, k)).sum() / outer
    return np.inf


def _standardised(frame: pd.DataFrame) -> Floats:
    """Return numbers in standard deviations and indicators of levels (n, q), without gaps."""
    numbers = frame.select_dtypes("number", "timedelta").astype(float)
    levels = frame.drop(columns=numbers.columns)
    # columns of more levels are names or text
    few = levels.loc[:, levels.nunique() <= N_NEIGHBOURS].astype("category")
    deviations = (numbers - numbers.mean()) / numbers.std().replace(0.0, 1.0)
    indicators = few
    if few.shape[1]:
        indicators = pd.get_dummies(few, dtype=float)
    return np.nan_to_num(np.column_stack([deviations, indicators]).astype(float))
