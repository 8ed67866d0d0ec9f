from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.optimize import minimize
from pymoo.problems import get_problem

import moselect
from moselect import ParetoSearch
from moselect.pymoo_adapter import MOPSO, OrdinalProblem

SOME = ("u_ovo", "accuracy")

encodings = pytest.mark.parametrize("thresholds", ["exact", "search"])


def best_of(F):
    """Return the rows that no other one dominates (minimised), as a set."""
    return {
        tuple(row)
        for row in F
        if not ((row >= F).all(axis=1) & (row > F).any(axis=1)).any()
    }


def draw(problem, n, seed=0):
    return np.random.default_rng(seed).uniform(problem.xl, problem.xu, (n, problem.n_var))


def test_the_problem_minimises_the_chosen_objectives_of_the_mixture(boston):
    problem = OrdinalProblem(*boston, objectives=SOME)
    assert (problem.n_var, problem.n_obj) == (14, 2)
    assert (problem.xl[-1], problem.xu[-1]) == (0.0, 8.0)
    X = draw(problem, 40)
    X[0, -1], X[1, -1] = 0.0, 8.0  # the ends belong to the first and the last mixture
    measured = moselect.OrdinalProblem(*boston).evaluate(X[:, :-1])
    mixtures = np.minimum(np.floor(X[:, -1]), 7).astype(int)
    expected = -measured[np.arange(40), mixtures][:, [4, 0]]
    np.testing.assert_array_equal(problem.evaluate(X), expected)
    assert len(set(mixtures)) == 8
    assert (measured != measured[:, :1]).any()


def test_the_problem_with_searched_thresholds(boston):
    problem = OrdinalProblem(*boston, thresholds="search", objectives=SOME)
    assert (problem.n_var, problem.n_obj) == (17, 2)
    X = draw(problem, 40)
    measured = moselect.OrdinalProblem(*boston, thresholds="search").evaluate(X)
    np.testing.assert_array_equal(problem.evaluate(X), -measured[:, [4, 0]])


@encodings
@pytest.mark.parametrize(
    "objectives", [SOME, moselect.metrics.OBJECTIVES], ids=["two", "all"]
)
def test_the_front_is_that_of_a_pareto_search_bit_for_bit(boston, thresholds, objectives):
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
def test_a_result_holds_the_whole_archive(boston, thresholds):
    problem = OrdinalProblem(*boston, thresholds=thresholds)
    seen = []
    result = minimize(
        problem,
        MOPSO(30),
        ("n_gen", 4),
        seed=3,
        callback=lambda algorithm: seen.append(
            algorithm.pop.get("measured").reshape(-1, 6)
        ),
    )
    told = -np.concatenate(seen)
    np.testing.assert_array_equal(problem.evaluate(result.X), result.F)
    assert {tuple(row) for row in result.F} == best_of(told)
    assert len(result.F) == len(result.opt) == len(best_of(told))


def test_a_history_remembers_every_round(boston):
    problem = OrdinalProblem(*boston)
    fronts = []
    result = minimize(
        problem,
        MOPSO(20),
        ("n_gen", 5),
        seed=1,
        save_history=True,
        callback=lambda algorithm: fronts.append(algorithm.opt.get("F")),
    )
    assert [past.n_gen for past in result.history] == [1, 2, 3, 4, 5]
    for past, front in zip(result.history, fronts, strict=True):
        np.testing.assert_array_equal(past.opt.get("F"), front)
        assert past.problem is problem
    assert len(fronts[0]) < len(fronts[-1])


def test_a_copy_in_the_middle_goes_on_as_the_original_does(boston):
    algorithm = MOPSO(20, seed=1).setup(OrdinalProblem(*boston), termination=("n_gen", 6))
    for _ in range(3):
        algorithm.next()
    twin = copy.deepcopy(algorithm)
    np.testing.assert_array_equal(algorithm.run().X, twin.run().X)
    assert twin.swarm.archive is not algorithm.swarm.archive
    assert twin.swarm._problem is algorithm.problem.searched  # the data are not copied


def test_other_problems_are_refused():
    with pytest.raises(TypeError, match="the problem is ZDT1: MOPSO flies over"):
        minimize(get_problem("zdt1"), MOPSO(), ("n_gen", 2))


@encodings
def test_other_algorithms_search_the_problem(boston, thresholds):
    problem = OrdinalProblem(*boston, thresholds=thresholds, objectives=SOME)
    result = minimize(problem, NSGA2(20), ("n_gen", 15), seed=1)
    front = problem.front(result.X)
    assert list(front.objectives) == list(SOME)
    assert (-result.F).mean() > (-problem.evaluate(draw(problem, 200))).mean() + 0.05
    assert {tuple(-row) for row in front.objectives.to_numpy()} == best_of(result.F)


def test_models_of_a_front_predict_what_it_says(boston):
    X, y = boston
    named = y.map(dict(enumerate("abcde", 1)))
    problem = OrdinalProblem(X, named, objectives=SOME, labels=list("abcde"))
    front = problem.front(minimize(problem, MOPSO(20), ("n_gen", 4), seed=1).X)
    for i in (0, len(front) - 1):
        assert (front[i].predict(X) == named).mean() == front.objectives["accuracy"][i]
        score = front[i].decision_function(X)
        assert moselect.metrics.u_ovo_score(y, score) == pytest.approx(
            front.objectives["u_ovo"][i], abs=1e-12
        )
    assert front.feature_names == tuple(X.columns)
