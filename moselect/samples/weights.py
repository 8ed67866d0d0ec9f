"""Sample weights: counts of equal samples, or relative weights such as survey weights."""

from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Array, Floats, Integers, Table
from moselect.listing import setting
from moselect.validation import check_choice, check_weights

WeightType = Literal["counts", "sampling"]
# Samples that counts may make: each is repeated in memory.
MOST_REPEATED = 10_000_000
# Numbers of persons whom the rows of an aggregated survey represent are larger.
LARGEST_MEAN_COUNT = 1_000


def counts_of(
    weights: Floats,
    weight_type: WeightType | None = None,
    X: Table | None = None,
    y: ArrayLike | None = None,
) -> Integers | None:
    """Return the counts (n,) of samples, or None if the weights are relative.

    By default weights are counts if they are whole numbers, and the columns X (n, m) and
    classes y (n,) are the cells of a contingency table.

    Raises
    ------
    ValueError
        If the weights are to be counts, but are no whole numbers or make too many samples.

    Examples
    --------
    >>> weights = np.array([2.0, 0.0, 1.0, 3.0])
    >>> towns, levels = ["Bonn", "Bonn", "Cork", "Cork"], ["low", "high", "low", "high"]
    >>> counts_of(weights, X=towns, y=levels)
    array([2, 0, 1, 3])
    >>> counts_of(weights, "sampling", towns, levels)
    """
    if weight_type == "sampling":
        return None
    are_integers = not (weights % 1.0).any() and weights.sum() <= MOST_REPEATED
    if weight_type is None:
        are_few = are_integers and weights.mean() <= LARGEST_MEAN_COUNT
        if not (are_few and y is not None and are_cells(X, y)):
            return None
    elif not are_integers:
        raise ValueError(
            f"sample_weight is to be counts: give whole numbers of sum {MOST_REPEATED:,} at most"
        )
    return weights.astype(int)


def stated_weights(
    sample_weight: ArrayLike | None,
    n: int,
    weight_type: WeightType | None,
    X: Table | None,
    y: ArrayLike | None,
) -> tuple[Floats | None, Integers | None, str]:
    """Return weights (n,), if there are any, counts as in `counts_of`, and a remark.

    The remark names the type that was found if whole numbers leave it open, "" otherwise.
    """
    if weight_type is not None:
        check_choice("weight_type", weight_type, ("counts", "sampling"))
        if sample_weight is None:
            raise ValueError("weight_type needs weights: give sample_weight")
    weights = check_weights(sample_weight, n)
    if weights is None:
        return None, None, ""
    counts = counts_of(weights, weight_type, X, y)
    # Equal weights, and weights of 0, select rows of either type.
    is_known = weight_type is not None or (weights % 1.0).any()
    if is_known or np.ptp(weights[weights > 0.0]) == 0.0:
        return weights, counts, ""
    return weights, counts, _type_found(weights, counts)


def effective_sample_size(weights: Array) -> float:
    """Compute the number of equal weights with the same variance of a mean (Kish 1965)."""
    return float(weights.sum() ** 2 / (weights @ weights))


def _type_found(weights: Floats, counts: Integers | None) -> str:
    """State the type of whole-number weights, and how to give the other one."""
    n = f"{len(weights):,} rows"
    if counts is not None:
        return (
            f"whole-number weights of the cells of a table are counts: {n} count as "
            f"{counts.sum():,}; if they are survey weights, {setting('weight_type', ['sampling'])}"
        )
    return (
        f"whole-number weights are relative: {n} have an effective size of "
        f"{effective_sample_size(weights):,.0f}; if they count equal rows, "
        f"{setting('weight_type', ['counts'])}"
    )


# Probability that cells of independent rows all differ.
BY_CHANCE = 0.1


def are_cells(X: Any, y: Any) -> bool:
    """Test whether rows are the cells of a contingency table, by the birthday problem.

    All cells differ. So many independent samples would do so with a small probability.
    """
    parts = [pd.DataFrame(part).reset_index(drop=True) for part in (X, y)]
    table = pd.concat(parts, axis=1)
    n = len(table)
    n_levels = table.nunique(dropna=False).to_numpy(float)
    is_factor = n_levels < n  # others number the rows
    is_factor[-1] = True  # the class
    n_cells = n_levels[is_factor].prod()
    # Of a factor with many levels there are more than were observed, as of measurements.
    has_many = is_factor & (n_levels > min(20, n * 2 / 3))
    others = table.loc[:, ~is_factor].select_dtypes("number", "timedelta")
    if n > n_cells or has_many[:-1].any() or (others % 1.0 > 0.0).any(axis=None):
        return False
    all_differ = np.prod(1.0 - np.arange(n) / n_cells)
    return all_differ < BY_CHANCE and not table.loc[:, is_factor].duplicated().any()
