"""Positions of particles, as an evaluation takes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_positions(positions: ArrayLike, n_dimensions: int) -> NDArray[np.float64]:
    """Return positions as a C-contiguous array (P, d); ValueError for a wrong shape or NaN."""
    batch = np.ascontiguousarray(positions, dtype=np.float64)
    if batch.ndim != 2 or batch.shape[1] != n_dimensions:
        raise ValueError(f"positions have shape {batch.shape}, expected (P, {n_dimensions})")
    if not np.isfinite(batch).all():
        raise ValueError("positions must be finite")
    return batch
