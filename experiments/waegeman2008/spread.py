"""A result and its range over seeds, as a row of the table of results."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def over_seeds(key: str, values: ArrayLike) -> dict[str, Any]:
    """Give the mean over seeds, and the lowest and the highest value."""
    seen = np.asarray(values, dtype=np.float64)
    return {"key": key, "here": seen.mean(), "low": seen.min(), "high": seen.max()}
