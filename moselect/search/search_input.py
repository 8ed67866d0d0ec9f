"""What a search is given: samples, their classes, and how often each of them counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array

from moselect._validation import check_unmasked, check_weights
from moselect.columns.training_columns import unprepared_samples
from moselect.models.training import ordinal_target
from moselect.samples import Samples


def plain_table(X: Any) -> Any:
    """Return an array of numbers (n, p); a DataFrame as it is, to be prepared by columns."""
    if hasattr(X, "columns"):
        return X
    check_unmasked("X", X)
    return check_array(X, dtype=np.float64, ensure_all_finite=False, input_name="X")


def encode_samples(
    X: ArrayLike | pd.DataFrame, y: ArrayLike, labels: Sequence[Any] | None
) -> Samples:
    """Check a table and its labels, at least two samples of each class, and encode the labels."""
    table = plain_table(X)
    classes, codes = ordinal_target(y, labels)
    return unprepared_samples(table, codes, classes)


def sample_counts(sample_weight: ArrayLike | None, n: int) -> NDArray[np.int64] | None:
    """Return how often each sample counts (n,), or None for once each.

    The search counts samples, and so do its standard errors: a weight is a number of equal samples.
    """
    weights = check_weights(sample_weight, n)
    if weights is None or (weights == 1.0).all():
        return None
    broken = np.flatnonzero(weights != np.floor(weights))
    if len(broken):
        raise ValueError(
            f"sample_weight[{broken[0]}] is {weights[broken[0]]:g}: the search counts samples, so "
            "weights must be whole numbers (for other shares of the classes give priors)"
        )
    return weights.astype(np.int64)
