"""One run of a swarm, from a seed or a saved state to its archive, and its progress."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from moselect._parallel import ProgressLine
from moselect._types import Floats, record
from moselect.search.direction_problem import DirectionProblem
from moselect.search.direction_swarm import DirectionSwarm
from moselect.search.ordinal_problem import Problem, WeightProblem
from moselect.search.pareto import ParetoArchive, hypervolume_above_chance, spread_subset
from moselect.search.swarm import ParticleSwarm, State
from moselect.search.whitening import unit

UNBOUNDED = 2**62  # evaluations, where only time limits a search
# Both ask for positions, are told their objectives, and keep an archive whose payload is a
# position and the index of its scalarisation.
Swarm = DirectionSwarm | ParticleSwarm


@record
class Plan:
    """Work of all runs of a search; sent to worker processes."""

    # One problem a stage, the last on all rows; a search of weights has a single stage.
    problems: tuple[Problem, ...]
    ends: tuple[float, ...]  # share of the budget, from 0 to 1, at which each stage ends
    n_particles: int
    velocity_range: tuple[float, float]  # only for swarms of weights and thresholds
    starts: Floats  # initial directions (s, d)
    evaluations: tuple[int, ...]  # maximum of each run
    seconds: float  # time limit of a run
    generators: tuple[np.random.Generator, ...]  # the only randomness of each run


def make_swarm(
    problem: Problem,
    n_particles: int,
    velocity_range: tuple[float, float],
    rng: np.random.Generator,
    starts: Floats,
    carried: Floats | None = None,
) -> Swarm:
    """Build the swarm of a problem; directions start at ``starts`` or ``carried`` ones."""
    if isinstance(problem, WeightProblem):
        return ParticleSwarm(problem, n_particles, velocity_range, rng)
    return DirectionSwarm(problem, n_particles, starts, rng, carried)


@record
class SearchProgress:
    """Progress of a search.

    Attributes
    ----------
    run : int
        Index of the run, from 0.
    n_evaluations : int
        Evaluations done, all runs together.
    budget : int or None
        Maximum number of evaluations of all runs; None with a time limit only.
    points : ndarray of shape (k, m)
        Objective values of the run's archive; a view, valid during the callback only.
    chance : ndarray of shape (m,)
        Objectives attained without features, on the rows of ``points``.
    run_evaluations : int
        Evaluations done by this run.
    run_seconds : float
        Search time of this run.
    n_samples : int
        Number of rows of the current stage: a subsample at first, finally all.

    Examples
    --------
    >>> import numpy as np
    >>> def show(progress):
    ...     print(f"{progress.n_evaluations} of {progress.budget}: {len(progress.points)} models")
    >>> show(SearchProgress(0, 500, 1000, np.zeros((42, 6)), np.zeros(6), 500, 0.1, 506))
    500 of 1000: 42 models
    """

    run: int
    n_evaluations: int
    budget: int | None
    points: Floats
    chance: Floats
    run_evaluations: int
    run_seconds: float
    n_samples: int


Callback = Callable[[SearchProgress], None]


def print_evaluations() -> Callback:
    """Return a callback that prints the number of evaluations, and the remaining time."""
    line = ProgressLine()

    def show(progress: SearchProgress) -> None:
        # A time limit alone bounds no number of evaluations.
        if progress.budget is not None:
            line("search", progress.n_evaluations, progress.budget)

    return show


class History:
    """Record the convergence of the hypervolume, as ``callback`` of `ParetoSearch.fit`.

    Each round takes a few milliseconds for an approximation to about 0.001. The front is
    the same with and without it.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> history = History()
    >>> search = moselect.ParetoSearch(n_iterations=4, n_runs=2, random_state=1)
    >>> front = search.fit(X, y, callback=history).front_
    >>> history.table["n_evaluations"].tolist()
    [100, 200, 300, 400, 100, 200, 300, 400]
    """

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, float, float]] = []

    def __call__(self, progress: SearchProgress) -> None:
        """Record the progress of a run; records of one run must come in order."""
        volume = hypervolume_above_chance(
            progress.points, progress.chance, exact_up_to=50, n_samples=2**12
        )
        self._rows.append(
            (progress.run, progress.run_evaluations, volume, progress.run_seconds)
        )

    @property
    def table(self) -> pd.DataFrame:
        """Recorded values, a row each: run, n_evaluations, hypervolume, seconds.

        Evaluations and seconds of the run, excluding callbacks.
        """
        return pd.DataFrame(
            sorted(self._rows), columns=["run", "n_evaluations", "hypervolume", "seconds"]
        )


# Members selected for each direction carried over: several may share one direction.
SPREAD_OVER = 3
# Swarm sizes of directions that a stage takes over from the previous one.
SWARMS_CARRIED = 2


class SwarmRun:
    """Run of a search in stages: a swarm each, started from the directions of the last.

    Archives of earlier stages are discarded, because objectives on different rows are not
    comparable. A run resumed from its ``state`` yields, to the last bit, the result of an
    uninterrupted run.
    """

    swarm: Swarm

    def __init__(self, plan: Plan, number: int, state: State | None) -> None:
        self.number = number
        self._plan = plan
        self._rng = plan.generators[number]
        self._last = len(plan.problems) - 1
        budget = plan.evaluations[number]
        rounds = math.ceil(budget / plan.n_particles)
        # The last stage has at least one round, however small the budget.
        self._ends = [
            min(round(end * rounds), rounds - 1) * plan.n_particles
            for end in plan.ends[:-1]
        ] + [budget]
        self.n_evaluations = 0
        self.seconds = 0.0
        if state is None:
            self._begin(self._stage_after(-1))
            return
        self._begin(int(state["stage"]))
        self.swarm.archive.add(state["points"], state["payload"])
        self.n_evaluations = int(state["n_evaluations"])
        self.seconds = float(state["seconds"])
        self._evaluations_before = int(state["evaluations_before"])
        self.swarm.restore(state)

    @property
    def finished(self) -> bool:
        """Whether the last stage has ended."""
        has_begun = self.n_evaluations > self._evaluations_before or not self._ends[-1]
        is_last = self._stage == self._last
        return is_last and self._has_ended(self._stage) and has_begun

    def advance(self) -> None:
        """Do one round, in the next stage if the current one has ended.

        Every particle moves and is evaluated, as far as the budget allows.
        """
        if self._has_ended(self._stage) and self._stage < self._last:
            size = SWARMS_CARRIED * self._plan.n_particles
            self._begin(self._stage_after(self._stage), size)
        started = time.perf_counter()
        positions = self.swarm.ask(self._ends[self._stage] - self.n_evaluations)
        self.swarm.tell(self._problem.evaluate(positions))
        self.n_evaluations += len(positions)
        self.seconds += time.perf_counter() - started

    def progress(self, total: int) -> SearchProgress:
        """Describe this run, with the ``total`` of the evaluations of all runs."""
        budget = sum(self._plan.evaluations)
        return SearchProgress(
            self.number,
            total,
            budget if budget < UNBOUNDED else None,
            self.swarm.archive.points,
            self._problem.chance,
            self.n_evaluations,
            self.seconds,
            self._problem.batch.n_samples,
        )

    def state(self) -> State:
        """Return the archive, the counts, and the state of the swarm."""
        archive = self.swarm.archive
        return {
            "points": archive.points,
            "payload": archive.payload,
            "n_evaluations": self.n_evaluations,
            "seconds": self.seconds,
            "stage": self._stage,
            "evaluations_before": self._evaluations_before,
            **self.swarm.state(),
        }

    def archive_on_all_rows(self) -> ParetoArchive:
        """Return the archive; before the last stage, re-evaluate its directions on all rows."""
        if self._stage < self._last:
            self._begin(self._last, self._plan.n_particles)
            self.swarm.tell(self._problem.evaluate(self.swarm.ask()))
        return self.swarm.archive

    def _has_ended(self, stage: int) -> bool:
        """Return whether the budget or the time of a stage is exhausted."""
        end = self._plan.seconds * self._plan.ends[stage]
        return self.n_evaluations >= self._ends[stage] or self.seconds >= end

    def _stage_after(self, stage: int) -> int:
        """Return the next stage with budget and time to spend, or the last one."""
        following = range(stage + 1, self._last)
        return next((k for k in following if not self._has_ended(k)), self._last)

    def _begin(self, stage: int, n_carried: int = 0) -> None:
        """Begin a stage with directions of the last one, or with classical models."""
        plan = self._plan
        carried = self._carry_over(stage, n_carried) if n_carried else None
        self._stage = stage
        self._problem = plan.problems[stage]
        self._evaluations_before = self.n_evaluations
        self.swarm = make_swarm(
            self._problem,
            plan.n_particles,
            plan.velocity_range,
            self._rng,
            plan.starts,
            carried,
        )

    def _carry_over(self, stage: int, size: int) -> Floats:
        """Select well-spread directions (size, d) of the archive for another stage."""
        archive = self.swarm.archive
        problem = self._problem
        other = self._plan.problems[stage]
        assert isinstance(problem, DirectionProblem)
        assert isinstance(other, DirectionProblem)
        chosen = spread_subset(archive.points, SPREAD_OVER * size)
        directions = archive.payload[chosen, :-1]
        first = np.sort(np.unique(directions, axis=0, return_index=True)[1])
        weights = problem.weights(directions[first[:size]])
        carried = other.feasible(unit(other.whitening.of_weights(weights)))
        return carried[np.arange(size) % len(carried)]
