"""pymoo's algorithms instead of our swarms, as ask and tell on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.problem import Problem as PymooProblem
from pymoo.core.termination import NoTermination

from moselect._types import Floats
from moselect.metrics import Objectives
from moselect.pareto import ParetoArchive
from moselect.search.problem import Problem
from moselect.search.pymoo_adapter.algorithms import ALGORITHMS, GivenVariables
from moselect.search.pymoo_adapter.encoding import Encoding
from moselect.search.swarm import AskThenTell, State, Swarm, unit


class PymooSwarm:
    """A population that moves by an algorithm of pymoo.

    With exact thresholds an individual is a direction and a last variable, whose integer part
    says which mixture of errors and MAE its thresholds minimise. The algorithm sees that model
    only; the archive takes those of all mixtures.

    Parameters
    ----------
    problem : Problem
        What is searched.
    objectives : Objectives
        The m objectives that count.
    algorithm : str
        One of `ALGORITHMS`.
    make_first : callable
        Returns, for a problem and ``rng``, the swarm whose first positions are the initial
        population.
    rng : numpy.random.Generator
        The only source of chance.

    Attributes
    ----------
    archive : ParetoArchive
        All non-dominated models seen; the payload is the position and the index of the mixture.
    """

    _asked: Population
    _positions: Floats
    _mixtures: NDArray[np.int64]

    def __init__(
        self,
        problem: Problem,
        objectives: Objectives,
        algorithm: str,
        make_first: Callable[..., Swarm],
        rng: np.random.Generator,
    ) -> None:
        self.archive = ParetoArchive(len(objectives), problem.n_dimensions + 1)
        self._encoding = Encoding(problem)
        self._objectives = objectives
        self._order = AskThenTell()
        self._make = ALGORITHMS[algorithm]
        self._first = make_first(problem, rng=rng)
        self._rng = rng
        self._history: list[Floats] = []  # what the algorithm was told in each round
        self._algorithm: Any = None  # made when first asked

    def ask(self, n: int | None = None) -> Floats:
        """Return the positions to evaluate next, shape (P, d), or the first ``n`` of them."""
        self._order.asked()
        self._ask_algorithm()
        return self._positions[:n]

    def tell(self, objectives: Floats) -> None:
        """Take the objectives (P, 6) or (P, mixtures, 6) of the positions that `ask` returned.

        Fewer rows than positions (the end of a budget) enter the archive, but move nothing.
        """
        self._order.told()
        told, m = len(objectives), len(self._objectives)
        models = self._objectives.among(objectives).reshape(told, -1, m)
        n_models = models.shape[1]
        positions = np.repeat(self._positions[:told], n_models, axis=0)
        mixtures = np.tile(np.arange(n_models), told)
        self.archive.add(models.reshape(-1, m), np.column_stack([positions, mixtures]))
        if told == len(self._positions):
            self._pass_on(models[np.arange(told), self._mixtures])

    def state(self) -> State:
        """Return all that the algorithm was told: besides the seed it depends on nothing else."""
        if not self._history:
            return {}
        rounds = np.array([len(values) for values in self._history])
        return {"told": np.concatenate(self._history), "rounds": rounds}

    def restore(self, state: State) -> None:
        """Replay to a fresh algorithm what it was told, without any evaluation."""
        for values in np.split(state["told"], np.cumsum(state["rounds"])[:-1]):
            self._ask_algorithm()
            self._pass_on(values)

    def _ask_algorithm(self) -> None:
        if self._algorithm is None:
            self._algorithm = self._begin()
        self._asked = self._algorithm.ask()
        X = self._asked.get("X")
        if self._encoding.has_mixture:  # a direction: its length would distort what follows
            X[:, :-1] = unit(X[:, :-1])
            self._asked.set("X", X)
        self._positions, self._mixtures = self._encoding.decode(X)

    def _pass_on(self, values: Floats) -> None:
        """Pass the objectives (P, m) of the individuals to the algorithm."""
        self._history.append(values)
        self._asked.set("F", -values)
        self._algorithm.tell(infills=self._asked)

    def _begin(self) -> Algorithm:
        encoding, positions, m = self._encoding, self._first.ask(), len(self._objectives)
        mixtures = np.zeros(len(positions))
        if encoding.has_mixture:
            mixtures = self._rng.uniform(0.0, encoding.upper[-1], len(positions))
        X = encoding.encode(positions, mixtures)
        algorithm = self._make(len(X), m, GivenVariables(X))
        variables = PymooProblem(n_var=X.shape[1], n_obj=m, xl=encoding.lower, xu=encoding.upper)
        # pymoo makes a generator of the seed; one that is given stays as it is.
        return algorithm.setup(variables, seed=self._rng, termination=NoTermination())
