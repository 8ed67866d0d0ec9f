"""What must be true of the data before a search begins."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def check_classes(
    values: Floats, codes: NDArray[np.int64], classes: NDArray[Any], *, fewest: int = 1
) -> None:
    """Raise ValueError unless rows have labels and every class has at least so many objects."""
    if len(codes) != len(values):
        raise ValueError(f"X has {len(values)} rows but y has {len(codes)} labels")
    if len(codes) == 0:
        raise ValueError("there are no rows: X and y are empty")
    counts = np.bincount(codes, minlength=len(classes))
    if len(classes) < 2:
        raise ValueError(f"y has one class only ({classes[0]}): there is nothing to order")
    for label, count in zip(classes, counts, strict=True):
        if count == 0:
            raise ValueError(f"class {label} has no objects: drop it from the labels")
        if count < fewest:
            raise ValueError(
                f"class {label} has a single object: merge it with a neighbouring class"
            )


def warn_of_constants(values: Floats, names: Sequence[str] | None) -> None:
    """Name the columns that say nothing, unless all do, which is an error elsewhere."""
    constant = np.flatnonzero(np.ptp(values, axis=0) == 0.0)
    if 0 < len(constant) < values.shape[1]:
        found = ", ".join(names[int(j)] if names else str(j) for j in constant)
        warnings.warn(
            f"constant columns are left out (weight 0): {found}", UserWarning, stacklevel=3
        )
