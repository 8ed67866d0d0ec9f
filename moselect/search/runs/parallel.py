"""Independent runs side by side: in threads, processes, or on a cluster, by joblib."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend

from moselect._types import Floats
from moselect._validation import as_they_come, jobs_for
from moselect.models.threads import one_blas_thread
from moselect.pareto import ParetoArchive
from moselect.search.runs.plan import Plan, Problems, Run
from moselect.search.runs.run import run_swarm
from moselect.search.swarm import State, count_of

Ended = tuple[ParetoArchive, int]  # what a run found, and the evaluations that it did

CHECKPOINT_SECONDS = 2.0  # between two checkpoints of a run


class Checkpoints(Protocol):
    """Where the states of runs are kept, such as `moselect.storage.Checkpoints`.

    Examples
    --------
    >>> class InMemory:
    ...     def __init__(self):
    ...         self.states = {}
    ...     def load(self, run):
    ...         return self.states.get(run)
    ...     def save(self, run, state):
    ...         self.states[run] = state
    >>> checkpoints: Checkpoints = InMemory()
    >>> checkpoints.load(0) is None
    True
    """

    def load(self, run: int) -> State | None:
        """Return the last state of a run; None if there is none."""

    def save(self, run: int, state: State) -> None:
        """Keep a state of a run; a failure to do so must not end the search."""


@dataclass(frozen=True)
class SearchProgress:
    """How far a search has come.

    Attributes
    ----------
    run : int
        Index of the run, from 0.
    n_evaluations : int
        Evaluations that all runs together have done.
    budget : int
        Evaluations that all runs together may do.
    points : ndarray of shape (k, m)
        Objective values of the run's archive; a view, to be read at once or copied.
    chance : ndarray of shape (m,)
        The objectives that are reached without features, on the rows of ``points``.
    run_evaluations : int
        Evaluations that this run has done.
    run_seconds : float
        Time that this run has spent searching.
    n_samples : int
        Rows on which ``points`` were measured: all, or a sample while the search is young.

    Examples
    --------
    >>> def show(progress):
    ...     print(f"{progress.n_evaluations} of {progress.budget}: {len(progress.points)} models")
    >>> show(SearchProgress(0, 500, 1000, np.zeros((42, 6)), np.zeros(6), 500, 0.1, 506))
    500 of 1000: 42 models
    """

    run: int
    n_evaluations: int
    budget: int
    points: Floats
    chance: Floats
    run_evaluations: int
    run_seconds: float
    n_samples: int


Callback = Callable[[SearchProgress], None]


def threads_of_a_run(n_runs: int, n_jobs: int | None) -> int:
    """Share out the threads of a search among its runs; a process or worker has one for each."""
    return max(1, effective_n_jobs(n_jobs) // n_runs) if _shares_memory() else 1


def search_runs(
    problems: Problems,
    plan: Plan,
    n_jobs: int | None,
    stop: threading.Event,
    callback: Callback | None = None,
    checkpoints: Checkpoints | None = None,
) -> tuple[ParetoArchive, int]:
    """Do all runs; returns their merged archive and the number of evaluations that they did.

    Runs that have not begun when the time is up are left out, with a warning.

    ``problems`` are those of the stages of the plan, that of all rows last; the archive is exact
    on all rows.

    Runs that share memory with the caller (threads, the default) call back and keep their state
    after rounds, and heed ``stop``. Runs in other processes do so when they end.

    Raises
    ------
    KeyboardInterrupt
        If the search was stopped before its first round.
    """
    states = [_load(checkpoints, run, plan.identity) for run in range(len(plan.limits))]
    budget = sum(limits.evaluations for limits in plan.limits)
    chance = plan.objectives.among(problems[-1].chance)
    n_samples = problems[-1].batch.n_samples
    done = {run: count_of(state, "n_evaluations") for run, state in enumerate(states) if state}
    lock = threading.Lock()
    began_at, begun = time.monotonic(), []

    def begins(run: int) -> bool:
        """Whether a run may begin or go on: the first one always, the others in time."""
        in_time = time.monotonic() - began_at < plan.seconds
        if not (in_time or run == 0 or states[run]):
            return False
        begun.append(run)
        return True

    def tell(run: int, progress: SearchProgress) -> None:
        with lock:
            done[run] = progress.run_evaluations
            total = sum(done.values())
        if callback is not None:
            callback(replace(progress, n_evaluations=total))

    def keep(run: int, state: State) -> None:
        if checkpoints is not None:
            checkpoints.save(run, {**state, "search": np.array(plan.identity)})

    def perform(run: int) -> Ended | None:
        if not begins(run):
            return None
        going = plan.begin(problems, run, states[run])
        kept_at = time.monotonic()

        def after_round(going: Run) -> None:
            nonlocal kept_at
            points, evaluations = going.swarm.archive.points, going.n_evaluations
            tell(
                run,
                SearchProgress(
                    run,
                    0,
                    budget,
                    points,
                    going.chance,
                    evaluations,
                    going.seconds,
                    going.n_samples,
                ),
            )
            if time.monotonic() - kept_at >= CHECKPOINT_SECONDS and going.can_be_left:
                keep(run, going.state())
                kept_at = time.monotonic()

        run_swarm(going, after_round, stop.is_set)
        if not going.n_evaluations:  # it was stopped before
            return None
        if going.can_be_left:
            keep(run, going.state())
        return going.archive_on_all_rows(), going.n_evaluations

    n_workers = jobs_for(n_jobs, len(states))
    ended: list[Ended] = []
    if _shares_memory():
        found = Parallel(n_workers, prefer="threads")(
            delayed(perform)(run) for run in range(len(states))
        )
        ended = [one for one in found if one is not None]
    else:
        for state in Parallel(n_workers, return_as=as_they_come("generator"))(
            delayed(_perform_elsewhere)(problems, plan, run, state)
            for run, state in enumerate(states)
            if begins(run)
        ):
            run = begun[len(ended)]
            keep(run, state)
            evaluations, seconds = int(state["n_evaluations"]), float(state["seconds"])
            points = state["points"]
            tell(
                run,
                SearchProgress(run, 0, budget, points, chance, evaluations, seconds, n_samples),
            )
            own = ParetoArchive(points.shape[1], state["payload"].shape[1])
            own.add(points, state["payload"])
            ended.append((own, evaluations))
            if stop.is_set():
                break
    if len(begun) < len(states) and not stop.is_set():
        warnings.warn(
            f"the time was up before {len(states) - len(begun)} of {len(states)} runs began: ask "
            "for fewer runs, or give more seconds",
            UserWarning,
            stacklevel=3,
        )
    if not ended:
        raise KeyboardInterrupt
    archive = ParetoArchive(len(plan.objectives), ended[0][0].payload.shape[1])
    for own, _ in ended:
        archive.add(own.points, own.payload)
    return archive, sum(evaluations for _, evaluations in ended)


def _shares_memory() -> bool:
    backend, _ = get_active_backend(prefer="threads")
    return getattr(backend, "supports_sharedmem", False)


def _load(checkpoints: Checkpoints | None, run: int, identity: str) -> State | None:
    state = None if checkpoints is None else checkpoints.load(run)
    if state is not None and str(state.get("search")) != identity:
        raise ValueError(
            "the checkpoint belongs to another search: give the data and settings that it began "
            "with, or begin anew"
        )
    return state


def _perform_elsewhere(problems: Problems, plan: Plan, run: int, state: State | None) -> State:
    """Do one run in another process, which has its own BLAS to hold to one thread."""
    with one_blas_thread():
        going = plan.begin(problems, run, state)
        run_swarm(going)
        return going.state()
