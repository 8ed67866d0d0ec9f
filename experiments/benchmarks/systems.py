"""Our search and its peers, with the same objectives, archive and clock.

Peers on the paper's encoding move weights and thresholds in the box from -1 to 1 (a model does not
change with its scale); peers on our encoding move directions of whitened features and the mixture
for which the thresholds are solved, begin where our swarm begins, and keep the models of all
mixtures. Everything that is evaluated enters one unbounded archive. Populations are of 100; the
other settings are those that each library recommends.
"""

from __future__ import annotations

import logging
import os
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from jmetal.algorithm.multiobjective.omopso import OMOPSO
from jmetal.algorithm.multiobjective.smpso import SMPSO
from jmetal.core.problem import FloatProblem
from jmetal.core.solution import FloatSolution
from jmetal.operator.mutation import NonUniformMutation, PolynomialMutation, UniformMutation
from jmetal.util.archive import CrowdingDistanceArchive
from jmetal.util.evaluator import Evaluator
from jmetal.util.termination_criterion import StoppingByEvaluations

from moselect import OrdinalProblem, ParetoSearch
from moselect.datasets import load_boston, load_dataset
from moselect.pareto import ParetoArchive
from moselect.search import SearchProgress

ALL = np.arange(6)
POPULATION = 100
ENDLESS = 10**8  # evaluations; the watch ends a search

logging.getLogger("jmetal").setLevel(logging.WARNING)

Table = tuple[np.ndarray, np.ndarray]


Search = Callable[[Table, int, int, "Watch"], None]  # table, seed, budget, watch


class Enough(Exception):  # noqa: N818
    """Ends a search."""


class Watch:
    """Clocks a search and keeps its front at some numbers of evaluations and of seconds.

    Parameters
    ----------
    evaluations, seconds : sequence of numbers
        When to look, ascending. The search ends when all of these have passed.
    """

    def __init__(self, evaluations: Sequence[int] = (), seconds: Sequence[float] = ()) -> None:
        self._waiting = [list(evaluations), list(seconds)]
        self.fronts: list[list[np.ndarray]] = [[], []]
        self.seconds: list[float] = []  # at each of the numbers of evaluations
        self._started = time.perf_counter()

    def __call__(self, done: int, points: np.ndarray) -> None:
        """Look at the points (k, 6) of an archive after some evaluations."""
        elapsed = time.perf_counter() - self._started
        for waiting, fronts, now in zip(self._waiting, self.fronts, (done, elapsed), strict=True):
            while waiting and now >= waiting[0]:
                waiting.pop(0)
                fronts.append(points.copy())
        self.seconds += [elapsed] * (len(self.fronts[0]) - len(self.seconds))
        if not any(self._waiting):
            raise Enough


def by_moselect(
    settings: dict[str, str], table: Table, seed: int, budget: int, watch: Watch
) -> None:
    """Search by our swarm, or by an algorithm of pymoo in its place."""

    def look(progress: SearchProgress) -> None:
        watch(progress.n_evaluations, progress.points)

    search = ParetoSearch(
        **settings,
        n_particles=POPULATION,
        n_iterations=ENDLESS // POPULATION,
        max_evaluations=None if settings else budget,  # peers may need more to use up our time
        random_state=seed,
    )
    search.fit(*table, callback=look)


def by_jmetal(algorithm: str, table: Table, seed: int, budget: int, watch: Watch) -> None:
    """Search by a swarm of jMetalPy, on the paper's encoding."""
    random.seed(seed)
    problem = _JMetalProblem(table, watch)
    share = 1.0 / problem.number_of_variables()
    common = {
        "problem": problem,
        "swarm_size": POPULATION,
        "leaders": CrowdingDistanceArchive(POPULATION),
        "termination_criterion": StoppingByEvaluations(ENDLESS),
        "swarm_evaluator": _JMetalEvaluator(),
    }
    if algorithm == "smpso":
        SMPSO(mutation=PolynomialMutation(share, 20.0), **common).run()
    else:
        fading = NonUniformMutation(share, 0.5, max_iterations=budget // POPULATION)
        OMOPSO(
            uniform_mutation=UniformMutation(share, 0.5),
            non_uniform_mutation=fading,
            epsilon=0.0075,
            **common,
        ).run()


class _JMetalProblem(FloatProblem):
    """The paper's encoding, measured in batches and archived."""

    def __init__(self, table: Table, watch: Watch) -> None:
        super().__init__()
        self.measured = OrdinalProblem(*table, thresholds="search")
        d = self.measured.n_dimensions
        self.lower_bound, self.upper_bound = [-1.0] * d, [1.0] * d
        self.directions = [self.MINIMIZE] * len(ALL)
        self._archive = ParetoArchive(len(ALL), d)
        self._watch = watch
        self._done = 0

    def number_of_objectives(self) -> int:
        return len(ALL)

    def number_of_constraints(self) -> int:
        return 0

    def name(self) -> str:
        return "linear ordinal models"

    def evaluate(self, solution: FloatSolution) -> FloatSolution:
        return self.evaluate_all([solution])[0]

    def evaluate_all(self, solutions: list[FloatSolution]) -> list[FloatSolution]:
        positions = np.array([solution.variables for solution in solutions])
        objectives = self.measured.evaluate(positions)
        for solution, values in zip(solutions, objectives, strict=True):
            solution.objectives = (-values).tolist()
        self._archive.add(objectives, positions)
        self._done += len(solutions)
        self._watch(self._done, self._archive.points)
        return solutions


class _JMetalEvaluator(Evaluator):
    def evaluate(
        self, solution_list: list[FloatSolution], problem: _JMetalProblem
    ) -> list[FloatSolution]:
        return problem.evaluate_all(solution_list)


def on_directions(algorithm: str) -> Search:
    return partial(by_moselect, {"algorithm": algorithm})


def on_weights(algorithm: str) -> Search:
    return partial(by_moselect, {"algorithm": algorithm, "thresholds": "search"})


OURS = "moselect"
SYSTEMS: dict[str, Search] = {
    OURS: partial(by_moselect, {}),
    "NSGA2, directions": on_directions("nsga2"),
    "CMOPSO, directions": on_directions("cmopso"),
    "NSGA2": on_weights("nsga2"),
    "NSGA3": on_weights("nsga3"),
    "AGE-MOEA2": on_weights("agemoea2"),
    "CMOPSO": on_weights("cmopso"),
    "MOPSO-CD": on_weights("mopso_cd"),
    "SMPSO": partial(by_jmetal, "smpso"),
    "OMOPSO": partial(by_jmetal, "omopso"),
}


def watched(system: str, table: Table, seed: int, budget: int, **looks: Sequence[float]) -> Watch:
    """Let a system search until the watch has seen all that it should."""
    watch = Watch(**looks)
    try:
        SYSTEMS[system](table, seed, budget, watch)
    except Enough:
        return watch
    raise RuntimeError(f"{system} ended before its budget")


def warm_up(systems: Sequence[str], table: Table) -> None:
    """Have everything compiled before the clock counts."""
    for system in systems:
        watched(system, table, 0, 3 * POPULATION, evaluations=[3 * POPULATION])


def load(name: str) -> Table:
    """Load a data set of `set_names`."""
    if name.startswith("boston "):
        return load_boston(binning=name.removeprefix("boston "))
    dataset = load_dataset(name)
    return dataset.X, dataset.y


def set_names() -> list[str]:
    """Name the data sets: Boston in two binnings, and those in the folder MOSELECT_DATA."""
    folder = os.environ.get("MOSELECT_DATA")
    found = sorted(path.stem for path in Path(folder).glob("*.csv")) if folder else []
    again = "bostonhousing_ord"  # is boston uniform
    return ["boston normalised", "boston uniform", *(name for name in found if name != again)]
