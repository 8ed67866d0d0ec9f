"""Compiled loops over plain arrays: no checks, no randomness, no files.

They fill arrays of their callers, since each kind of allocation takes long to compile.
"""

import atexit
import os
import sys
from pathlib import Path


def code_bits(n_classes: int) -> int:
    """Return the number of bits of a sort key for the class codes ``0 .. n_classes - 1``."""
    return max(1, int(n_classes - 1).bit_length())


def compiled() -> bool:
    """Return whether machine code of the slowest kernel is cached, or cannot be."""
    from moselect._kernels.score_gradients import score_gradients as slowest

    cache = slowest.stats.cache_path
    return cache is None or any(Path(cache).glob(f"*.{slowest.py_func.__name__}-*.nbi"))


def compile_ahead() -> None:
    """Start a process that compiles kernels of a search, if there are processors for both."""
    if (os.cpu_count() or 1) > 1 and not compiled():
        from subprocess import DEVNULL, Popen  # once on a machine

        command = [sys.executable, "-m", "moselect._kernels.ahead"]
        # Python imports from the working folder first, which may hold anything.
        folder = Path(__file__).parents[2]
        process = Popen(
            command, cwd=folder, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
        )
        atexit.register(process.kill)  # without the search it has no use
