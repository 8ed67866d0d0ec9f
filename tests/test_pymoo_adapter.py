import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.optimize import minimize

import moselect
from moselect import ParetoSearch
from moselect.pymoo_adapter import MOPSO, OrdinalProblem
from tests.fronts import slow_front

SOME = ("u_ovo", "accuracy")

encodings = pytest.mark.parametrize("thresholds", ["exact", "search"])


def draw(problem, n):
    return np.random.default_rng(0).uniform(problem.xl, problem.xu, (n, problem.n_var))


def test_the_problem_minimises_the_objectives_of_a_scalarisation(boston):
    problem = OrdinalProblem(*boston, objectives=SOME)
    assert (problem.n_var, problem.n_obj) == (14, 2)
    assert (problem.xl[-1], problem.xu[-1]) == (0.0, 8.0)
    X = draw(problem, 40)
    X[0, -1], X[1, -1] = 0.0, 8.0  # the first and the last scalarisation
    measured = moselect.OrdinalProblem(*boston).evaluate(X[:, :-1])
    scalarisations = np.minimum(np.floor(X[:, -1]), 7).astype(int)
    expected = -measured[np.arange(40), scalarisations][:, [4, 0]]
    assert_array_equal(problem.evaluate(X), expected)
    assert len(set(scalarisations)) == 8
    assert (measured != measured[:, :1]).any()


@encodings
@pytest.mark.parametrize(
    "objectives", [SOME, moselect.metrics.OBJECTIVES], ids=["two", "all"]
)
def test_the_front_equals_a_pareto_search_bit_for_bit(boston, thresholds, objectives):
    problem = OrdinalProblem(*boston, thresholds=thresholds, objectives=objectives)
    result = minimize(problem, MOPSO(30), ("n_gen", 6), seed=3)
    search = ParetoSearch(
        objectives,
        thresholds=thresholds,
        n_particles=30,
        n_iterations=6,
        cv=None,
        random_state=3,
    ).fit(*boston)
    found = problem.front(result.X)
    pd.testing.assert_frame_equal(
        found.to_frame(), search.front_.to_frame(), check_exact=True
    )
    assert found.chance.equals(search.front_.chance)
    assert found.classes.tolist() == [1, 2, 3, 4, 5]
    assert result.algorithm.evaluator.n_eval == search.n_evaluations_ == 180


@encodings
def test_other_algorithms_search_the_problem(boston, thresholds):
    problem = OrdinalProblem(*boston, thresholds=thresholds, objectives=SOME)
    result = minimize(problem, NSGA2(20), ("n_gen", 15), seed=1)
    front = problem.front(result.X)
    assert list(front.objectives) == list(SOME)
    assert (-result.F).mean() > (-problem.evaluate(draw(problem, 200))).mean() + 0.05
    found = front.objectives.to_numpy()
    expected = -result.F[slow_front(-result.F)]
    assert_array_equal(np.unique(found, axis=0), np.unique(expected, axis=0))
