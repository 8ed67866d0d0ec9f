"""Fits hold BLAS to one thread: sums depend on how many share them, and ours must not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import OpenBLASController, threadpool_limits

_lock = threading.Lock()
_n_users = 0  # of the limit, which holds for the whole process
_limit: threadpool_limits | None = None
_this_thread = threading.local()  # whether this thread holds the limits of both already


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread; the first to come sets the limit, the last lifts it."""
    global _n_users, _limit
    with _lock:
        if _n_users == 0:
            _release_control()
            _limit = threadpool_limits(limits=1, user_api="blas")
        _n_users += 1
    try:
        yield
    finally:
        with _lock:
            _n_users -= 1
            if _n_users == 0 and _limit is not None:
                _release_control()
                _limit.restore_original_limits()
                _release_control()


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS and OpenMP to one thread; limits of OpenMP hold for the calling thread."""
    if getattr(_this_thread, "is_limited", False):
        yield  # looking for the libraries takes as long as a fit to few rows
        return
    with one_blas_thread(), threadpool_limits(limits=1, user_api="openmp"):
        _this_thread.is_limited = True
        try:
            yield
        finally:
            _this_thread.is_limited = False


def _release_control() -> None:
    """Let this thread set limits of OpenBLAS, which are reserved for the first one."""
    if hasattr(OpenBLASController, "clear_controlling_thread"):
        OpenBLASController.clear_controlling_thread(force=True)
