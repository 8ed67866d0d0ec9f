"""Independent runs in threads, processes or on a cluster by joblib; handling of Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Protocol, TypeVar

from joblib import cpu_count
from joblib.parallel import get_active_backend

from moselect._parallel import count_jobs, one_blas_thread, parallel_jobs
from moselect.budgets import SEARCH
from moselect.search.pareto import ParetoArchive
from moselect.search.swarm import State
from moselect.search.swarm_run import Callback, Plan, SwarmRun

Result = TypeVar("Result")


class RunStates(Protocol):
    """Store of the states of runs, such as `moselect.io.Checkpoints`.

    Examples
    --------
    >>> class InMemory:
    ...     def __init__(self):
    ...         self.states = {}
    ...     def load(self, run):
    ...         return self.states.get(run)
    ...     def save(self, run, state):
    ...         self.states[run] = state
    >>> checkpoints: RunStates = InMemory()
    >>> checkpoints.load(0) is None
    True
    """

    def load(self, run: int) -> State | None:
        """Return the last state of a run; None if there is none."""

    def save(self, run: int, state: State) -> None:
        """Save a state of a run; failures must not end the search."""


def search_runs(plan: Plan, watch: Watch, n_jobs: int | None) -> ParetoArchive:
    """Execute all runs; return their merged archive, evaluated on all rows.

    Runs that share memory with the caller (threads, the default) are watched after every
    round; runs in other processes at their end. KeyboardInterrupt if stopped before the
    first round.
    """
    n_runs = len(plan.evaluations)
    states = [watch.load(run) for run in range(n_runs)]
    here = shares_memory()
    parallel = parallel_jobs(n_jobs, n_runs, prefer="threads")
    problem = plan.problems[-1]
    merged = ParetoArchive(len(problem.objectives), problem.n_dimensions + 1)
    ended = parallel(
        partial(_execute, plan, number, state, watch if here else None)
        for number, state in enumerate(states)
    )
    for number, state in enumerate(ended):
        run = SwarmRun(plan, number, state)
        # A run that was stopped before its first round has nothing to add.
        if not run.n_evaluations:
            continue
        watch.keep(run)
        if not here:
            watch.tell(run)
        archive = run.archive_on_all_rows()
        merged.add(archive.points, archive.payload)
        # Runs here end by themselves when stopped; those elsewhere are abandoned.
        if watch.stop.is_set() and not here:
            break
    if not len(merged):
        raise KeyboardInterrupt
    return merged


@contextmanager
def in_background(
    work: Callable[[], Result], stop: threading.Event, n_jobs: int | None
) -> Iterator[Callable[[], Result]]:
    """Run work in a background thread; yield a callable that returns its result.

    With one core or job, or if runs do not share memory, the work runs when its result is
    requested.
    """
    n_threads = cpu_count() if n_jobs is None else count_jobs(n_jobs)
    if n_threads == 1 or not shares_memory():
        yield work
        return
    with ThreadPoolExecutor(1) as thread:
        future = thread.submit(work)
        try:
            yield future.result
        except BaseException:
            stop.set()  # its result is no longer needed
            raise


@contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """Set an event on the first Ctrl-C, for a graceful end of the search.

    A second Ctrl-C interrupts as usual. Outside the main thread, where signals cannot be
    caught, the event is never set.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def set_stop(signum: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, previous)
        stop.set()

    previous = signal.signal(signal.SIGINT, set_stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, previous)


class Watch:
    """Monitor of all runs: counts evaluations, reports progress, saves checkpoints, stops.

    Checkpoints with another ``identity`` belong to another search and are not loaded.
    """

    def __init__(
        self,
        stop: threading.Event,
        callback: Callback | None,
        checkpoints: RunStates | None,
        identity: str,
    ) -> None:
        self.stop = stop
        self._done: dict[int, int] = {}
        self._callback = callback
        self._checkpoints = checkpoints
        self._identity = identity
        self._lock = threading.Lock()

    @property
    def n_evaluations(self) -> int:
        """Number of evaluations of all runs together."""
        return sum(self._done.values())

    def load(self, number: int) -> State | None:
        """Return the saved state of a run; None if there is none."""
        state = None if self._checkpoints is None else self._checkpoints.load(number)
        if state is not None:
            if str(state.get("search")) != self._identity:
                raise ValueError(
                    "the checkpoint belongs to another search: give the same data and settings, or "
                    "begin anew"
                )
            self._done[number] = int(state["n_evaluations"])
        return state

    def tell(self, run: SwarmRun) -> None:
        """Report the progress of a run to the callback."""
        with self._lock:
            self._done[run.number] = run.n_evaluations
            total = self.n_evaluations
        if self._callback is not None:
            self._callback(run.progress(total))

    def keep(self, run: SwarmRun) -> None:
        """Save the state of a run."""
        if self._checkpoints is not None:
            state = {**run.state(), "search": self._identity}
            self._checkpoints.save(run.number, state)


def _execute(plan: Plan, number: int, state: State | None, watch: Watch | None) -> State:
    """Execute one run, watched if it shares memory with the caller; return its last state."""
    # A worker process limits its own BLAS to one thread.
    with one_blas_thread():
        run = SwarmRun(plan, number, state)
        kept_at = time.monotonic()
        while not (run.finished or (watch and watch.stop.is_set())):
            run.advance()
            if watch is None:
                continue
            watch.tell(run)
            if time.monotonic() - kept_at >= SEARCH.checkpoint_seconds:
                watch.keep(run)
                kept_at = time.monotonic()
        return run.state()


def shares_memory() -> bool:
    """Return whether concurrent runs share memory with the caller."""
    backend, _ = get_active_backend(prefer="threads")
    return getattr(backend, "supports_sharedmem", False)
