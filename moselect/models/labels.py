"""Labels of a target, as an estimator's ``fit`` is given them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from moselect.labels import class_labels, encode_labels


def ordinal_target(
    y: ArrayLike, labels: Sequence[Any] | None
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the classes (r,), lowest first, and the index of each sample's label among them.

    Raises
    ------
    ValueError
        If labels are missing, continuous, of no known order, or not among ``labels``.

    Examples
    --------
    >>> classes, codes = ordinal_target(["low", "high"], labels=["low", "mid", "high"])
    >>> codes
    array([0, 2])
    """
    if y is None:
        raise ValueError("a classifier requires y to be passed, but the target y is None")
    if np.asarray(y).ndim == 2:
        y = column_or_1d(y, warn=True)
    if len(np.asarray(y)) == 0:
        raise ValueError("there are no rows: X and y are empty")
    if np.asarray(y).dtype.kind == "f":
        assert_all_finite(np.asarray(y), input_name="y")
    check_classification_targets(np.asarray(y))
    classes = class_labels(y, labels)
    if len(classes) < 2:
        raise ValueError(f"y has one class only ({classes[0]}): there is nothing to decide")
    return classes, encode_labels(y, classes)
