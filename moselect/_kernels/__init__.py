"""Compiled loops over plain arrays: no checks, no randomness, no files."""

from __future__ import annotations

from pathlib import Path


def compiled() -> bool:
    """Whether the largest kernel has been compiled on this machine before."""
    from moselect._kernels.objectives import objectives_with_exact_thresholds as largest

    cache = Path(largest.stats.cache_path or ".")
    return any(cache.glob(f"objectives.{largest.py_func.__name__}-*.nbi"))
