"""pymoo's algorithms, made reproducible where they are not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from pymoo.algorithms.moo.age import AGEMOEA
from pymoo.algorithms.moo.age2 import AGEMOEA2
from pymoo.algorithms.moo.cmopso import CMOPSO
from pymoo.algorithms.moo.mopso_cd import MOPSO_CD
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.nsga3 import NSGA3
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.util.archive import RandomTruncation
from pymoo.util.ref_dirs import get_reference_directions
from pymoo.util.reference_direction import get_partition_closest_to_points

from moselect._types import Floats


class GivenVariables(Sampling):  # type: ignore[misc]
    """Begins with given variables."""

    def __init__(self, X: Floats) -> None:
        super().__init__()
        self.X = X

    def _do(self, *args: Any, **kwargs: Any) -> Floats:
        return self.X


class _SeededCMOPSO(CMOPSO):  # type: ignore[misc]
    """CMOPSO whose elites are chosen by the generator of the run.

    pymoo's calls the tournament that truncates them without it, so that every call seeds itself.
    """

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        super()._setup(problem, **kwargs)
        tournament = self.elites.truncation.survival

        def truncate(elites: Population, k: int) -> Population:
            return tournament.do(problem, elites, n_survive=k, random_state=self.random_state)

        self.elites.truncation = truncate


class _SeededMOPSOCD(MOPSO_CD):  # type: ignore[misc]
    """MOPSO-CD whose archive is truncated by the generator of the run.

    pymoo's shares the name of its archive with one that every algorithm adds to after a round,
    which is truncated at random by generators that seed themselves.
    """

    def _update_archive(self, pop: Population) -> Population:
        archive = super()._update_archive(pop)
        archive.truncation = partial(RandomTruncation(), random_state=self.random_state)
        return archive


def _nsga3(n: int, n_objectives: int, start: Sampling) -> Algorithm:
    partitions = get_partition_closest_to_points(n, n_objectives)
    directions = get_reference_directions("das-dennis", n_objectives, n_partitions=partitions)
    return NSGA3(directions, pop_size=n, sampling=start)


# (population size, number of objectives, start) -> algorithm
ALGORITHMS: dict[str, Callable[[int, int, Sampling], Algorithm]] = {
    "nsga2": lambda n, m, start: NSGA2(n, sampling=start),
    "nsga3": _nsga3,
    "agemoea": lambda n, m, start: AGEMOEA(n, sampling=start),
    "agemoea2": lambda n, m, start: AGEMOEA2(n, sampling=start),
    "cmopso": lambda n, m, start: _SeededCMOPSO(n, sampling=start),
    "mopso_cd": lambda n, m, start: _SeededMOPSOCD(n, sampling=start),
}
