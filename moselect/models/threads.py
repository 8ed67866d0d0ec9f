"""Threads: parts of a batch in several of them, and BLAS in one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from joblib import cpu_count
from threadpoolctl import OpenBLASController, threadpool_limits

_lock = threading.Lock()
_n_users = 0  # of the limit, which holds for the whole process
_limit: threadpool_limits | None = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread: its sums depend on how many share them, and ours must not.

    The limit of a process is set by the first of its threads to come and lifted by the last to go.

    Examples
    --------
    >>> with one_blas_thread():
    ...     pass
    """
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
                _limit = None


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS and OpenMP to one thread; limits of OpenMP are those of the calling thread."""
    with one_blas_thread(), threadpool_limits(limits=1, user_api="openmp"):
        yield


def _release_control() -> None:
    """Allow the calling thread to set limits, whichever thread set one before.

    Newer versions of threadpoolctl ignore all threads but the first that set a limit of OpenBLAS,
    which may not be the one to lift ours, or may have set another number.
    """
    release = getattr(OpenBLASController, "clear_controlling_thread", None)
    if release is not None:
        release(force=True)


def count_threads(n_jobs: int | None) -> int:
    """Return the number of threads that ``n_jobs`` stands for, in joblib's way of counting.

    None is one, -1 all cores, -2 all but one.
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}: give a number of threads, or -1 for all cores")
    return n_jobs if n_jobs > 0 else max(1, cpu_count() + 1 + n_jobs)


def work_on(parts: Sequence[slice], work: Callable[[slice], None], n_threads: int) -> None:
    """Do the work on every part; the calling thread takes its share. An error is raised."""
    waiting = iter(parts)

    def take_parts() -> None:
        for part in waiting:
            work(part)

    n_helpers = min(n_threads, len(parts)) - 1
    if n_helpers < 1:
        take_parts()
        return
    with ThreadPoolExecutor(n_helpers) as pool:  # for this once: no thread outlives its batch
        helpers = [pool.submit(take_parts) for _ in range(n_helpers)]
        take_parts()
    for helper in helpers:
        helper.result()
