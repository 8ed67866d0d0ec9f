"""Compiled loops over plain arrays: no checks, no randomness, no files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def code_bits(n_classes: int) -> int:
    """Return the number of bits of a sort key for the class codes ``0 .. n_classes - 1``."""
    return max(1, int(n_classes - 1).bit_length())


def compiled() -> bool:
    """Return whether machine code of the slowest kernels is cached on this machine."""
    from moselect._kernels.gradient import score_gradients as slowest

    cache = Path(slowest.stats.cache_path or ".")
    # The slowest kernel stands for all: it is compiled last in the first search.
    return any(cache.glob(f"gradient.{slowest.py_func.__name__}-*.nbi"))


@contextmanager
def compile_ahead() -> Iterator[None]:
    """Compile kernels in a second process, before the first search on this machine."""
    from moselect._kernels.gradient import score_gradients as slowest

    if not slowest.stats.cache_path or compiled() or os.cpu_count() == 1:
        yield
        return
    # With one core a second process would only take time from the search.
    nowhere = subprocess.DEVNULL
    arguments = [sys.executable, "-m", "moselect._kernels.ahead"]
    with subprocess.Popen(
        arguments, stdin=nowhere, stdout=nowhere, stderr=nowhere
    ) as process:
        try:
            yield
        finally:
            process.terminate()
