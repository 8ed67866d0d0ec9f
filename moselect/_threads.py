"""Threads: one of BLAS in fits, whose sums depend on their number, and batches over several."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache

from threadpoolctl import OpenBLASController, threadpool_limits

from moselect._types import Array

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


def map_parts(
    work: Callable[[slice], tuple[Array, ...]],
    n_models: int,
    n_samples: int,
    n_jobs: int | None,
) -> list[tuple[Array, ...]]:
    """Apply work to the parts of a batch of models on the same samples, over threads.

    A part fits the caches. A batch without models has one part without models, so that
    results have their shapes.
    """
    from joblib import effective_n_jobs  # slow to import, and predictions need no batches

    most_threads = effective_n_jobs(n_jobs)
    # fewest scores for one more thread
    fewest_scores = 2**14
    n_threads = min(most_threads, n_models * n_samples // fewest_scores)
    # Two parts a thread: threads that end early take another.
    fair = n_models if n_threads < 2 else n_models // (2 * n_threads)
    # Half a megabyte of scores fits the caches.
    step = max(1, min(2**19 // (8 * n_samples), fair))
    starts = range(0, max(1, n_models), step)
    parts = [slice(start, start + step) for start in starts]
    if min(n_threads, len(parts)) < 2:
        return list(map(work, parts))
    # The list waits for all parts, and raises the errors of the threads.
    return list(_thread_pool(most_threads, os.getpid()).map(work, parts))


@cache
def _thread_pool(n_threads: int, process: int) -> ThreadPoolExecutor:
    """Return the threads of a process, which a fork does not inherit.

    They are kept: a search divides thousands of batches.
    """
    return ThreadPoolExecutor(n_threads)
