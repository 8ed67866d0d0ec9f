"""Threads: parts of a batch in several of them, and BLAS in one."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
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
    """Hold BLAS and OpenMP to one thread; limits of OpenMP are those of the calling thread.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     np.ones((2, 2)) @ np.ones(2)
    array([2., 2.])
    """
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


class ThreadTeam:
    """Threads that share work with whoever asks them to, and stay until the team is forgotten.

    Starting threads anew for every batch takes as long as a small batch.

    Examples
    --------
    >>> ThreadTeam().work_on([slice(0, 2), slice(2, 3)], print, n_threads=1)
    slice(0, 2, None)
    slice(2, 3, None)
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._size = self._process = 0

    def __reduce__(self) -> tuple[type[ThreadTeam], tuple[()]]:
        return ThreadTeam, ()  # threads stay in their process

    def work_on(
        self, parts: Sequence[slice], work: Callable[[slice], None], n_threads: int
    ) -> None:
        """Do the work on every part; the calling thread takes its share. An error is raised."""
        waiting = iter(parts)

        def take_parts() -> None:
            for part in waiting:
                work(part)

        n_helpers = min(n_threads, len(parts)) - 1
        helpers = [self._threads(n_helpers).submit(take_parts) for _ in range(n_helpers)]
        try:
            take_parts()
        finally:  # nobody works on when this returns
            wait([helper for helper in helpers if not helper.cancel()])
        for helper in helpers:
            if not helper.cancelled():
                helper.result()

    def _threads(self, size: int) -> ThreadPoolExecutor:
        """Return as many threads, started in this process: a fork takes none with it."""
        if self._pool is None or self._size < size or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(size)
            self._size, self._process = size, os.getpid()
        return self._pool
