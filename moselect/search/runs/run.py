"""One run of a swarm: from its seed, or from where it was left, to its archive."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from moselect._types import Floats
from moselect.metrics import Objectives
from moselect.pareto import ParetoArchive, hypervolume_above_chance
from moselect.search.problem import Problem
from moselect.search.swarm import State, Swarm, count_of, numbers_of

if TYPE_CHECKING:
    from moselect.search.runs.plan import Run


QUICK_SAMPLES = 2**12  # for the hypervolume while searching


def quick_hypervolume(points: Floats, chance: Floats) -> float:
    """Approximate the hypervolume above chance in a few milliseconds, within some thousandths.

    Examples
    --------
    >>> quick_hypervolume(np.array([[0.75, 0.75]]), np.array([0.5, 0.5]))
    0.25
    """
    return hypervolume_above_chance(points, chance, exact_up_to=50, n_samples=QUICK_SAMPLES)


@dataclass(frozen=True)
class Limits:
    """When a run ends: at the first of these.

    Attributes
    ----------
    evaluations : int
        So many evaluations were done.
    seconds : float
        So much time was spent in the run.
    rounds : int or None
        In so many rounds the hypervolume grew by less than ``growth``, as a share of itself.
    growth : float
        See ``rounds``.
    """

    evaluations: int
    seconds: float = math.inf
    rounds: int | None = None
    growth: float = 0.0


class SwarmRun:
    """One swarm that searches a problem.

    Parameters
    ----------
    problem : Problem
        What is searched.
    objectives : Objectives
        The m objectives that count.
    swarm : Swarm
        Fresh, also if the run is then restored.
    limits : Limits
        When to end.

    Attributes
    ----------
    n_evaluations : int
        Evaluations done.
    seconds : float
        Time spent.
    chance : ndarray of shape (m,)
        The objectives that are reached without features.
    """

    def __init__(
        self, problem: Problem, objectives: Objectives, swarm: Swarm, limits: Limits
    ) -> None:
        self.swarm = swarm
        self.n_evaluations = 0
        self.seconds = 0.0
        self._problem = problem
        self.chance = objectives.among(problem.chance)
        self._limits = limits
        self._rounds = 0
        self._volume = 0.0
        self._stalled = False

    @property
    def n_samples(self) -> int:
        """Rows that are searched."""
        return self._problem.batch.n_samples

    @property
    def finished(self) -> bool:
        """Whether a limit is reached."""
        return (
            self._stalled
            or self.n_evaluations >= self._limits.evaluations
            or self.seconds >= self._limits.seconds
        )

    def advance(self) -> None:
        """Do one round: every particle moves and is evaluated, or as many as may be."""
        started = time.perf_counter()
        positions = self.swarm.ask(self._limits.evaluations - self.n_evaluations)
        self.swarm.tell(self._problem.evaluate(positions))
        self.n_evaluations += len(positions)
        self._rounds += 1
        if self._limits.rounds is not None and self._rounds % self._limits.rounds == 0:
            volume = quick_hypervolume(self.swarm.archive.points, self.chance)
            self._stalled = volume < (1.0 + self._limits.growth) * self._volume
            self._volume = volume
        self.seconds += time.perf_counter() - started

    def archive_on_all_rows(self) -> ParetoArchive:
        """Return the archive."""
        return self.swarm.archive

    @property
    def can_be_left(self) -> bool:
        """Whether `restore` can go on from the present state."""
        return self.finished or bool(self.swarm.state())

    def state(self) -> State:
        """Return the archive, the counts, and the state of the swarm."""
        archive = self.swarm.archive
        return {
            "points": archive.points,
            "payload": archive.payload,
            "n_evaluations": np.array(self.n_evaluations),
            "seconds": np.array(self.seconds),
            "rounds": np.array(self._rounds),
            "volume": np.array(self._volume),
            "stalled": np.array(self._stalled),
            **{f"swarm.{name}": values for name, values in self.swarm.state().items()},
        }

    def restore(self, state: State) -> None:
        """Go on from a state; the result is, to the last bit, that of a run in one go.

        Raises
        ------
        ValueError
            If it is none of such a run: it may come from a file that anyone has made.
        """
        archive = self.swarm.archive
        points = numbers_of(state, "points", None, archive.points.shape[1])
        payload = numbers_of(state, "payload", len(points), archive.payload.shape[1])
        if not np.isin(payload[:, -1], np.arange(self._problem.n_mixtures)).all():
            raise ValueError("the checkpoint is damaged: it has models of no mixture")
        archive.add(points, payload)
        self.n_evaluations = count_of(state, "n_evaluations")
        self.seconds = float(numbers_of(state, "seconds"))
        self._rounds = count_of(state, "rounds")
        self._volume = float(numbers_of(state, "volume"))
        self._stalled = bool(count_of(state, "stalled"))
        prefix = "swarm."
        inside = {n.removeprefix(prefix): v for n, v in state.items() if n.startswith(prefix)}
        if inside:
            self.swarm.restore(inside)


def run_swarm(
    run: Run,
    callback: Callable[[Run], None] = lambda run: None,
    stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Continue a run until it has finished or is stopped; the callback follows each round."""
    while not run.finished and not stopped():
        run.advance()
        callback(run)
