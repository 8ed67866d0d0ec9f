"""Independent runs side by side: in threads, processes, or on a cluster, by joblib."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend
from numpy.typing import NDArray

from moselect.models import one_blas_thread
from moselect.pareto import ParetoArchive
from moselect.search.problem import Problem
from moselect.search.runs.plan import Plan
from moselect.search.runs.run import SwarmRun, run_swarm
from moselect.search.swarm import State

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CHECKPOINT_SECONDS = 2.0  # between two checkpoints of a run


class Checkpoints(Protocol):
    """Where the states of runs are kept, such as `moselect.storage.Checkpoints`."""

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
        The objectives that are reached without features.
    run_evaluations : int
        Evaluations that this run has done.
    run_seconds : float
        Time that this run has spent searching.
    """

    run: int
    n_evaluations: int
    budget: int
    points: Floats
    chance: Floats
    run_evaluations: int
    run_seconds: float


Callback = Callable[[SearchProgress], None]


def threads_of_a_run(n_runs: int, n_jobs: int | None) -> int:
    """Share out the threads of a search among its runs; a process or worker has one for each."""
    return max(1, effective_n_jobs(n_jobs) // n_runs) if _shares_memory() else 1


def search_runs(
    problem: Problem,
    plan: Plan,
    n_jobs: int | None,
    stop: threading.Event,
    callback: Callback | None = None,
    checkpoints: Checkpoints | None = None,
) -> tuple[ParetoArchive, int]:
    """Do all runs; returns their merged archive and the number of evaluations that they did.

    Runs that share memory with the caller (threads, the default) call back and keep their state
    after rounds, and heed ``stop``. Runs in other processes do so when they end.
    """
    states = [_load(checkpoints, run, plan.identity) for run in range(len(plan.limits))]
    budget = sum(limits.evaluations for limits in plan.limits)
    chance = plan.objectives.among(problem.chance)
    done = {run: int(state["n_evaluations"]) for run, state in enumerate(states) if state}
    lock = threading.Lock()

    def tell(run: int, n_evaluations: int, seconds: float, points: Floats) -> None:
        with lock:
            done[run] = n_evaluations
            total = sum(done.values())
        if callback is not None:
            callback(SearchProgress(run, total, budget, points, chance, n_evaluations, seconds))

    def keep(run: int, state: State) -> None:
        if checkpoints is not None:
            checkpoints.save(run, {**state, "search": np.array(plan.identity)})

    def perform(run: int) -> State:
        going = plan.begin(problem, run, states[run])
        kept_at = time.monotonic()

        def after_round(going: SwarmRun) -> None:
            nonlocal kept_at
            tell(run, going.n_evaluations, going.seconds, going.swarm.archive.points)
            if time.monotonic() - kept_at >= CHECKPOINT_SECONDS and going.can_be_left:
                keep(run, going.state())
                kept_at = time.monotonic()

        run_swarm(going, after_round, stop.is_set)
        if going.n_evaluations and going.can_be_left:
            keep(run, going.state())
        return going.state()

    if _shares_memory():
        ended = Parallel(n_jobs, prefer="threads")(
            delayed(perform)(run) for run in range(len(states))
        )
    else:
        ended = []
        for state in Parallel(n_jobs, return_as="generator")(
            delayed(_perform_elsewhere)(problem, plan, run, state)
            for run, state in enumerate(states)
        ):
            keep(len(ended), state)
            evaluations, seconds = int(state["n_evaluations"]), float(state["seconds"])
            tell(len(ended), evaluations, seconds, state["points"])
            ended.append(state)
            if stop.is_set():
                break
    archive = ParetoArchive(len(plan.objectives), ended[0]["payload"].shape[1])
    for state in ended:
        archive.add(state["points"], state["payload"])
    return archive, sum(int(state["n_evaluations"]) for state in ended)


def _shares_memory() -> bool:
    backend, _ = get_active_backend(prefer="threads")
    return getattr(backend, "supports_sharedmem", False)


def _load(checkpoints: Checkpoints | None, run: int, identity: str) -> State | None:
    state = None if checkpoints is None else checkpoints.load(run)
    if state is not None and str(state["search"]) != identity:
        raise ValueError(
            "the checkpoint belongs to another search: give the data and settings that it began "
            "with, or begin anew"
        )
    return state


def _perform_elsewhere(problem: Problem, plan: Plan, run: int, state: State | None) -> State:
    """Do one run in another process, which has its own BLAS to hold to one thread."""
    with one_blas_thread():
        going = plan.begin(problem, run, state)
        run_swarm(going)
        return going.state()
