"""Parts of a batch in several threads: the kernels and numpy's sort let each other run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from joblib import cpu_count


def count_threads(n_jobs: int | None) -> int:
    """Give the number of threads that ``n_jobs`` stands for, in joblib's way of counting.

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
