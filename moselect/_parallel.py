"""Concurrent work: threads, processes and their progress."""

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any, Literal, TypeVar

from threadpoolctl import OpenBLASController, threadpool_limits

from moselect._garbage import collect_seldom
from moselect._types import Array
from moselect.budgets import PARALLEL

_lock = threading.Lock()
_n_users = 0  # of the limit, which holds for the whole process
_limit: threadpool_limits | None = None


class Held(threading.local):
    """Whether this thread holds the limits of BLAS and OpenMP already."""

    is_limited = False


_this_thread = Held()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread; the first caller sets the limit, the last one lifts it."""
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
    if _this_thread.is_limited:
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
    work: Callable[..., Any],
    of_models: Sequence[Array],
    n_samples: int,
    n_jobs: int | None,
) -> list[Any]:
    """Apply work to the parts of a batch of models on the same samples, over threads.

    ``of_models`` are arrays with a row for each model. A part fits the caches. A batch without
    models has one part without models, so that results have their shapes.
    """
    from joblib import effective_n_jobs  # slow to import, and predictions need no batches

    most_threads = effective_n_jobs(n_jobs)
    n_models = len(of_models[0])
    n_threads = min(most_threads, n_models * n_samples // PARALLEL.scores_per_thread)
    # Two parts a thread: threads that end early take another.
    fair = n_models // max(1, 2 * n_threads)
    # Half a megabyte of scores fits the caches.
    step = max(1, min(2**19 // (8 * n_samples), fair))
    starts = range(0, max(1, n_models), step)
    parts = [[values[start : start + step] for start in starts] for values in of_models]
    if min(n_threads, len(starts)) < 2:
        return list(map(work, *parts))
    # The list waits for all parts, and raises the errors of the threads.
    return list(_threads(most_threads, os.getpid()).map(work, *parts))


@cache
def _threads(n_threads: int, process: int) -> ThreadPoolExecutor:
    """Return the threads of a process, which a fork does not inherit.

    They are kept: a search divides thousands of batches.
    """
    return ThreadPoolExecutor(n_threads)


Result = TypeVar("Result")
Report = Callable[[int, int], None]  # how many tasks are done, of how many


def no_report(*progress: object) -> None:
    """Report nothing."""


class ProgressLine:
    """Print the progress of tasks to standard error, on a line each that is updated.

    Terminals and notebooks show it alike.
    """

    def __init__(self) -> None:
        self._task = ""
        self._started = 0.0

    def __call__(self, task: str, done: int, total: int) -> None:
        """Print the progress of a task, and its remaining time at the speed so far."""
        now = time.monotonic()
        if task != self._task:
            self._task = task
            self._started = now
        line = f"{task}: {done:,} of {total:,}"
        if 0 < done < total:
            seconds = (now - self._started) / done * (total - done)
            line += f", about {math.ceil(seconds)} s left"
        end = "\n" if done == total else ""
        # Blanks overwrite the end of a longer line.
        sys.stderr.write(f"\r{line:60}{end}")
        sys.stderr.flush()


def count_jobs(n_jobs: int | None) -> int:
    """Resolve ``n_jobs`` to a number of concurrent jobs; ValueError for 0."""
    from joblib import effective_n_jobs

    if n_jobs == 0:
        raise ValueError("n_jobs is 0: give a number of jobs, or -1 for all processors")
    return effective_n_jobs(n_jobs)


def parallel_jobs(
    n_jobs: int | None,
    n_tasks: int | None = None,
    order: Literal["generator", "generator_unordered"] = "generator",
    **options: Any,
) -> Callable[[Iterable[Callable[[], Any]]], Iterable[Any]]:
    """Return a function that runs tasks by joblib's `Parallel`, with its ``options``.

    It starts no more jobs than there are tasks. Results come one by one, if the backend of
    joblib can give them.
    """
    # Predictions import this module, and need no joblib.
    from joblib import Parallel, delayed
    from joblib.parallel import get_active_backend

    if n_jobs is not None and n_jobs >= 0 and n_tasks is not None:
        n_jobs = min(n_jobs, max(1, n_tasks))
    backend, _ = get_active_backend()
    if n_jobs == 1 or n_tasks == 1:
        n_jobs = 1
        options["backend"] = "sequential"  # a cluster has all its workers
    return_as = order if backend.supports_return_generator else "list"
    parallel = Parallel(n_jobs, return_as=return_as, **options)
    if n_jobs == 1 or not hasattr(backend, "data_futures"):  # as Dask's has
        return lambda tasks: parallel(delayed(task)() for task in tasks)
    from moselect._cluster import share_data  # an extra

    return lambda tasks: parallel(share_data(task, backend) for task in tasks)


def _start_worker() -> None:
    # Ctrl-C interrupts the main process, which ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()


def run_tasks(
    tasks: Sequence[Callable[[], Result]],
    n_jobs: int | None,
    report: Report = no_report,
) -> list[Result]:
    """Return the results of tasks, in order, by processes of joblib.

    `joblib.parallel_config` may name another backend, such as Dask's, and the number of jobs
    where ``n_jobs`` is None.
    """
    from joblib.parallel import get_active_backend

    count_jobs(n_jobs)  # ValueError for 0, in our words
    backend, _ = get_active_backend()
    parallel = parallel_jobs(
        # Processes that have tasks of a search do not start further ones.
        1 if backend.nesting_level else n_jobs,
        len(tasks),
        initializer=_start_worker,
    )
    results = []
    for result in parallel(tasks):
        results.append(result)
        report(len(results), len(tasks))
    return results
