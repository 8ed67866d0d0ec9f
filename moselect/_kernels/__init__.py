"""Compiled loops over plain arrays: no checks, no randomness, no files.

They fill arrays of their callers, since each kind of allocation takes long to compile.
"""

from pathlib import Path


def code_bits(n_classes: int) -> int:
    """Return the number of bits of a sort key for the class codes ``0 .. n_classes - 1``."""
    return max(1, int(n_classes - 1).bit_length())


def compiled() -> bool:
    """Return whether machine code of the slowest kernels is cached on this machine."""
    from moselect._kernels.smoothed_ranking import score_gradients as slowest

    cache = Path(slowest.stats.cache_path or ".")
    # The slowest kernel stands for all: it is compiled last in the first search.
    return any(cache.glob(f"*.{slowest.py_func.__name__}-*.nbi"))
