"""Tasks that several processes share, of which this one is the first."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from functools import cache
from multiprocessing import current_process
from threading import current_thread, main_thread
from typing import Any, Literal

from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import LokyBackend, SequentialBackend, get_active_backend

SECONDS = 0.5  # between two looks whether the parent is there
IDLE = 300  # seconds after which a process without work ends
AHEAD = 2  # tasks that a process has at a time, so that it need not wait for the next one
# seconds of tasks that are worth the start of a process, which takes two, and one that is there
WORTH_A_PROCESS, WORTH_SENDING = 4.0, 0.2

Report = Callable[[int, int], None]  # how many tasks are done, of how many


def say_nothing(*progress: object) -> None:
    """Report nothing."""


def jobs_for(n_jobs: int | None, n_tasks: int) -> int | None:
    """Return ``n_jobs``, but no more than there are tasks: joblib would start them."""
    return n_jobs if n_jobs is None or n_jobs < 0 else min(n_jobs, max(1, n_tasks))


def as_they_come(order: Literal["generator", "generator_unordered"]) -> str:
    """Return ``return_as`` for joblib: "list" where results come at the end only."""
    backend, _ = get_active_backend()
    return order if backend.supports_return_generator else "list"


def share(
    tasks: Sequence[Callable[[], Any]],
    n_jobs: int | None,
    report: Report = say_nothing,
    *,
    apart: bool = False,
) -> list[Any]:
    """Return what tasks return, in order; ``n_jobs`` processes share what takes long.

    This process takes the first task that is left and others the last one: it need not
    wait for them to start. They end with it, and when it is interrupted. How long the
    first task takes decides whether others are worth their start, if none are there. One
    call at a time has them: another thread's does its tasks alone. Tasks that belong
    ``apart``, because they may end their process, are all done by others, if there are to
    be any.

    Where `joblib.parallel_config` names another backend, such as that of Dask, it has the
    tasks.
    """
    results: dict[int, Any] = {}
    left, sent = deque(range(len(tasks))), dict[Any, int]()
    executor: Any = None
    others, n_others = _others_of(os.getpid()), 0  # that this call has

    def keep(index: int, result: Any) -> None:
        results[index] = result
        report(len(results), len(tasks))

    is_first = current_process().name == "MainProcess"
    backend, _ = get_active_backend()
    is_ours = isinstance(backend, LokyBackend | SequentialBackend)
    if not is_ours and is_first and current_thread() is main_thread():
        in_turn = Parallel(return_as=as_they_come("generator"))
        for index, result in enumerate(in_turn(delayed(task)() for task in tasks)):
            keep(index, result)
        return list(results.values())
    n_jobs, started = effective_n_jobs(n_jobs), time.perf_counter()
    try:
        while left or sent:
            done, spent = len(results), time.perf_counter() - started
            most = n_jobs - (not apart)
            wanted = min(most, len(left))
            worth = WORTH_SENDING if others.suffice(wanted, most) else WORTH_A_PROCESS
            is_long = done and spent * len(left) > worth * done
            may_send = is_first and not n_others and n_jobs > 1 and wanted
            if may_send and (is_long or apart) and others.taken.acquire(blocking=False):
                n_others = wanted
                executor = others.executor(wanted, most)
            while left and len(sent) < AHEAD * n_others:
                index = left.pop()
                sent[executor.submit(tasks[index])] = index
            works = bool(left) and not (apart and n_others)
            if works:
                index = left.popleft()
                keep(index, tasks[index]())
            for future in wait(sent, 0 if works else None, FIRST_COMPLETED).done:
                keep(sent.pop(future), future.result())
    except BaseException:
        if n_others:
            others.end(wait=False)
        raise
    finally:
        if n_others:
            others.taken.release()
    return [results[index] for index in range(len(tasks))]


class _Others:
    """Processes that later calls take, too: one pool in all, and not that of joblib."""

    def __init__(self) -> None:
        self.taken = threading.Lock()
        self._executor: Any = None
        self._size = 0

    def suffice(self, fewest: int, most: int) -> bool:
        """Return whether so many are there already."""
        return fewest <= self._size <= most

    def executor(self, fewest: int, most: int) -> Any:
        """Return that of so many processes at least and at most."""
        if not self.suffice(fewest, most):
            self.end()
            from joblib.externals.loky import ProcessPoolExecutor  # heavy

            about = {"timeout": IDLE, "initializer": _begin, "initargs": (os.getpid(),)}
            self._executor, self._size = ProcessPoolExecutor(fewest, **about), fewest
        return self._executor

    def end(self, wait: bool = True) -> None:
        """End them, whatever they do."""
        if self._executor is not None:
            self._executor.shutdown(wait, kill_workers=True)
        self._executor, self._size = None, 0


@cache
def _others_of(process: int) -> _Others:
    """Return those of this process: a forked copy must not wait for its parent's."""
    return _Others()


def _begin(parent: int) -> None:
    """In a process that ``parent`` started: end as soon as that one has ended.

    It would finish what it does, and then wait for minutes.
    """
    # the parent is interrupted, and ends this one
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()
