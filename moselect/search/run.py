"""One run of a swarm, from its seed to its archive."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from moselect.pareto import ParetoArchive
from moselect.search.problem import OrdinalProblem

Floats = NDArray[np.float64]


class Swarm(Protocol):
    """What a run needs of a swarm."""

    archive: ParetoArchive

    def ask(self, n: int | None = None) -> Floats:
        """Give positions to evaluate."""

    def tell(self, objectives: Floats) -> None:
        """Take their objectives."""


@dataclass(frozen=True)
class Progress:
    """How far a search is.

    Attributes
    ----------
    run : int
        Which run reports, from 0.
    n_evaluations : int
        Evaluations that this run has done.
    budget : int
        Evaluations that all runs together may do.
    points : ndarray of shape (k, m)
        Objective values of the run's archive; a view, to be read at once or copied.
    chance : ndarray of shape (m,)
        The objectives that are reached without features.
    """

    run: int
    n_evaluations: int
    budget: int
    points: Floats
    chance: Floats


def run_swarm(
    problem: OrdinalProblem,
    swarm: Swarm,
    n_evaluations: int,
    report: Callable[[int, Floats], None],
    stop: threading.Event,
) -> int:
    """Let a swarm search until its evaluations are used up or ``stop`` is set.

    ``report`` is called after each round with the evaluations done and the archive's points.
    Returns the evaluations done.
    """
    done = 0
    while done < n_evaluations and not stop.is_set():
        positions = swarm.ask(n_evaluations - done)
        swarm.tell(problem.evaluate(positions))
        done += len(positions)
        report(done, swarm.archive.points)
    return done


@contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into a set event, so that a search can end in good order.

    A second one interrupts as usual. Outside the main thread, where signals cannot be caught,
    the event is never set.
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
