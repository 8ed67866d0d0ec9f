"""pymoo's algorithms in the place of our swarms, as ask and tell on arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
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
from pymoo.core.termination import NoTermination
from pymoo.util.archive import RandomTruncation
from pymoo.util.ref_dirs import get_reference_directions
from pymoo.util.reference_direction import get_partition_closest_to_points

from moselect.pareto import ParetoArchive
from moselect.search.mixtures import N_MIXTURES
from moselect.search.problem import OrdinalProblem
from moselect.search.run import Swarm
from moselect.search.state import State
from moselect.search.swarm import unit

Floats = NDArray[np.float64]


class _Given(Sampling):  # type: ignore[misc]
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


class PymooSwarm:
    """A population that moves by an algorithm of pymoo.

    With exact thresholds an individual is a direction and a last variable, whose integer part
    says which mixture of errors and MAE its thresholds minimise. The algorithm sees that model
    only; the archive takes those of all mixtures.

    Parameters
    ----------
    problem : OrdinalProblem
        The problem.
    columns : ndarray of int, shape (m,)
        Which of the six objectives count.
    algorithm : str
        One of `ALGORITHMS`.
    make_first : callable
        Gives, for a problem and ``rng``, the swarm at whose first positions the population begins.
    rng : numpy.random.Generator
        The only source of chance.

    Attributes
    ----------
    archive : ParetoArchive
        All non-dominated models seen; the payload is position and mixture.
    """

    _asked: Population
    _positions: Floats
    _mixtures: NDArray[np.int64]

    def __init__(
        self,
        problem: OrdinalProblem,
        columns: NDArray[np.int64],
        algorithm: str,
        make_first: Callable[..., Swarm],
        rng: np.random.Generator,
    ) -> None:
        self.archive = ParetoArchive(len(columns), problem.n_dimensions + 1)
        self._exact = problem.thresholds == "exact"
        self._columns = columns
        self._make = ALGORITHMS[algorithm]
        self._first = make_first(problem, rng=rng)
        self._rng = rng
        self._history: list[Floats] = []  # what the algorithm was told in each round
        self._algorithm: Any = None  # made when first asked

    def ask(self, n: int | None = None) -> Floats:
        """Give the next positions to evaluate, shape (P, d), or the first ``n`` of them."""
        if self._algorithm is None:
            self._algorithm = self._begin()
        self._asked = self._algorithm.ask()
        X = self._asked.get("X")
        if self._exact:  # the length of a direction says nothing, but would distort what follows
            X[:, :-1] = unit(X[:, :-1])
            self._asked.set("X", X)
        self._positions, self._mixtures = self._split(X)
        return self._positions[:n]

    def tell(self, objectives: Floats) -> None:
        """Take the objectives (P, 6) or (P, mixtures, 6) of the positions that `ask` gave.

        Fewer rows than positions (the end of a budget) enter the archive, but move nothing.
        """
        told, m = len(objectives), len(self._columns)
        models = objectives[..., self._columns].reshape(told, -1, m)
        n_models = models.shape[1]
        positions = np.repeat(self._positions[:told], n_models, axis=0)
        mixtures = np.tile(np.arange(n_models), told)
        self.archive.add(models.reshape(-1, m), np.column_stack([positions, mixtures]))
        if told == len(self._positions):
            self._pass_on(models[np.arange(told), self._mixtures])

    def state(self) -> State:
        """Give all that the algorithm was told, which is all that it depends on but the seed."""
        if not self._history:
            return {}
        rounds = np.array([len(values) for values in self._history])
        return {"told": np.concatenate(self._history), "rounds": rounds}

    def restore(self, state: State) -> None:
        """Let a fresh algorithm live through it again, without any evaluation."""
        for values in np.split(state["told"], np.cumsum(state["rounds"])[:-1]):
            self.ask()
            self._pass_on(values)

    def _pass_on(self, values: Floats) -> None:
        """Tell the algorithm the objectives (P, m) of the individuals."""
        self._history.append(values)
        self._asked.set("F", -values)
        self._algorithm.tell(infills=self._asked)

    def _begin(self) -> Algorithm:
        X = self._first.ask()
        n, d = X.shape
        low, high = np.full((2, d), [[-1.0], [1.0]])
        if self._exact:
            X = np.column_stack([X, self._rng.uniform(0.0, N_MIXTURES, n)])
            low, high = np.append(low, 0.0), np.append(high, N_MIXTURES)
        m = len(self._columns)
        algorithm = self._make(n, m, _Given(X))
        variables = Problem(n_var=X.shape[1], n_obj=m, xl=low, xu=high)
        # pymoo makes a generator of the seed; one that is given stays as it is.
        return algorithm.setup(variables, seed=self._rng, termination=NoTermination())

    def _split(self, X: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """Turn variables into positions and mixtures."""
        if not self._exact:
            return X, np.zeros(len(X), dtype=np.int64)
        return X[:, :-1], np.minimum(X[:, -1].astype(np.int64), N_MIXTURES - 1)
