"""One run of a swarm that searches samples of the rows first, and all rows at last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from moselect._types import Floats
from moselect.metrics import Objectives
from moselect.pareto import ParetoArchive, spread_subset
from moselect.search.problem import DirectionProblem
from moselect.search.runs.run import Limits, SwarmRun
from moselect.search.swarm import State, Swarm, count_of, numbers_of

SPREAD_OVER = 3  # members spread out for each direction wanted: some share theirs


@dataclass(frozen=True)
class Stage:
    """A stage of a search: a part of its rows for a part of its budget.

    Attributes
    ----------
    rows : int
        Rows searched; the last stage searches all.
    end : float
        Share of the budget, from 0 to 1, at which the stage ends.
    carried : int
        Rounds that measure directions of the stage before.
    """

    rows: int
    end: float
    carried: int


class StagedRun:
    """A swarm a stage, each beginning with well spread directions of the one before.

    It is a run as `SwarmRun`, one of which it makes for each stage; archives of samples are left
    behind, because figures of different rows cannot be compared.

    Parameters
    ----------
    problems : sequence of DirectionProblem
        The rows of each stage, all rows last.
    stages : sequence of Stage
        The same number.
    objectives : Objectives
        The m objectives that count.
    make_swarm : callable
        Returns a fresh swarm for a problem and the directions ``carried`` over, or None.
    n_particles : int
        Size of the swarm P.
    limits : Limits
        Of the whole run. Too few rounds without growth end a stage, and with the last one the run.
    """

    def __init__(
        self,
        problems: Sequence[DirectionProblem],
        stages: Sequence[Stage],
        objectives: Objectives,
        make_swarm: Callable[..., Swarm],
        n_particles: int,
        limits: Limits,
    ) -> None:
        self._problems = problems
        self._objectives = objectives
        self._make_swarm = make_swarm
        self._n_particles = n_particles
        self._limits = limits
        rounds = -(-limits.evaluations // n_particles)
        # The last stage has a round at least, even of the smallest budget.
        self._ends = [
            min(round(stage.end * rounds), rounds - 1) * n_particles for stage in stages[:-1]
        ] + [limits.evaluations]
        self._carried = [stage.carried * n_particles for stage in stages]
        self._shares = [stage.end for stage in stages]
        first = next(i for i, end in enumerate(self._ends) if end > 0)
        self._begin(first, None, 0, 0.0)

    @property
    def swarm(self) -> Swarm:
        """The swarm of the present stage."""
        return self._run.swarm

    @property
    def chance(self) -> Floats:
        """The objectives (m,) that the present rows reach without features."""
        return self._run.chance

    @property
    def n_samples(self) -> int:
        """Rows of the present stage."""
        return self._run.n_samples

    @property
    def n_evaluations(self) -> int:
        """Evaluations done, in all stages."""
        return self._evaluations_before + self._run.n_evaluations

    @property
    def seconds(self) -> float:
        """Time spent, in all stages."""
        return self._seconds_before + self._run.seconds

    @property
    def finished(self) -> bool:
        """Whether the last stage has finished."""
        return self._is_last and self._run.finished and self._run.n_evaluations > 0

    @property
    def can_be_left(self) -> bool:
        """Whether `restore` can go on from the present state."""
        return True

    def advance(self) -> None:
        """Do one round, on the rows of the next stage if the present one has finished."""
        if self._run.finished and not self._is_last:
            following = self._next_stage()
            carried = self._carry_over(following, self._carried[following])
            self._begin(following, carried, self.n_evaluations, self.seconds)
        self._run.advance()

    def state(self) -> State:
        """Return the state of the present stage, and what was done before it."""
        return {
            **self._run.state(),
            "n_evaluations": np.array(self.n_evaluations),
            "seconds": np.array(self.seconds),
            "stage": np.array(self._stage),
            "evaluations_before": np.array(self._evaluations_before),
            "seconds_before": np.array(self._seconds_before),
        }

    def restore(self, state: State) -> None:
        """Go on from a state, as `SwarmRun.restore` does."""
        before, stage = count_of(state, "evaluations_before"), count_of(state, "stage")
        seconds = float(numbers_of(state, "seconds_before"))
        if stage >= len(self._ends):
            raise ValueError(f"the checkpoint is damaged: there is no stage {stage}")
        self._begin(stage, None, before, seconds)
        self._run.restore(
            {
                **state,
                "n_evaluations": np.array(count_of(state, "n_evaluations") - before),
                "seconds": np.array(float(numbers_of(state, "seconds")) - seconds),
            }
        )

    def archive_on_all_rows(self) -> ParetoArchive:
        """Return the archive; after a sample, that of its best directions measured on all rows."""
        if self._is_last:
            return self.swarm.archive
        problem = self._problems[-1]
        directions = self._carry_over(-1, self._n_particles)
        swarm = self._make_swarm(problem, carried=directions)
        swarm.tell(problem.evaluate(swarm.ask()))
        return swarm.archive

    @property
    def _is_last(self) -> bool:
        return self._stage == len(self._problems) - 1

    def _next_stage(self) -> int:
        """Return the next stage for which budget and time are left, or else the last one."""
        for stage in range(self._stage + 1, len(self._ends) - 1):
            in_time = self.seconds < self._limits.seconds * self._shares[stage]
            if self.n_evaluations < self._ends[stage] and in_time:
                return stage
        return len(self._ends) - 1

    def _begin(self, stage: int, carried: Floats | None, done: int, seconds: float) -> None:
        """Begin a stage."""
        self._stage = stage
        self._evaluations_before = done
        self._seconds_before = seconds
        problem = self._problems[stage]
        limits = replace(
            self._limits,
            evaluations=self._ends[stage] - done,
            seconds=max(self._limits.seconds * self._shares[stage] - seconds, 0.0),
        )
        swarm = self._make_swarm(problem, carried=carried)
        self._run = SwarmRun(problem, self._objectives, swarm, limits)

    def _carry_over(self, stage: int, size: int) -> Floats:
        """Return the well spread directions (size, d) of the present archive for another stage."""
        archive = self.swarm.archive
        chosen = spread_subset(archive.points, SPREAD_OVER * size)
        directions = archive.payload[chosen, :-1]
        first = np.sort(np.unique(directions, axis=0, return_index=True)[1])
        problem = self._problems[self._stage]
        weights = problem.weights(directions[first[:size]])
        carried = self._problems[stage].carry_over(weights)
        return carried[np.arange(size) % len(carried)]
