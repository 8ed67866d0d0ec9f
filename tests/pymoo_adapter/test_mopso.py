from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.optimize import minimize
from pymoo.problems import get_problem
from pymoo.termination.ftol import MultiObjectiveSpaceTermination
from pymoo.termination.robust import RobustTermination

import moselect
from moselect import ParetoSearch
from moselect.pymoo_adapter import MOPSO, OrdinalProblem

SOME = ("u_ovo", "accuracy")

encodings = pytest.mark.parametrize("thresholds", ["exact", "search"])


def best_of(F):
    """Return the rows that no other one dominates (minimised), as a set."""
    return {tuple(row) for row in F if not ((row >= F).all(axis=1) & (row > F).any(axis=1)).any()}


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


@pytest.mark.parametrize("objectives", ["vus", ("vus",), ("vus", "mae")])
def test_objectives_that_do_not_exist(boston, objectives):
    with pytest.raises((TypeError, ValueError), match=r"objective"):
        OrdinalProblem(*boston, objectives=objectives)


@encodings
@pytest.mark.parametrize("objectives", [SOME, moselect.metrics.OBJECTIVES], ids=["two", "all"])
def test_the_front_is_that_of_a_pareto_search_bit_for_bit(boston, thresholds, objectives):
    problem = OrdinalProblem(*boston, thresholds=thresholds, objectives=objectives)
    result = minimize(problem, MOPSO(30), ("n_gen", 12), seed=3)
    search = ParetoSearch(
        objectives, thresholds=thresholds, n_particles=30, n_iterations=12, cv=None, random_state=3
    ).fit(*boston)
    found = problem.front(result.X)
    pd.testing.assert_frame_equal(found.to_frame(), search.front_.to_frame(), check_exact=True)
    assert found.chance.equals(search.front_.chance)
    assert found.classes.tolist() == [1, 2, 3, 4, 5]
    assert result.algorithm.evaluator.n_eval == search.n_evaluations_ == 360


def test_settings_reach_the_swarm_of_the_paper(boston):
    settings = {"velocity_range": (-0.2, 0.3)}
    problem = OrdinalProblem(*boston, thresholds="search")
    result = minimize(problem, MOPSO(30, **settings), ("n_gen", 6), seed=3)
    search = ParetoSearch(
        thresholds="search", n_particles=30, n_iterations=6, cv=None, random_state=3, **settings
    ).fit(*boston)
    front = problem.front(result.X)
    pd.testing.assert_frame_equal(front.to_frame(), search.front_.to_frame(), check_exact=True)


@encodings
def test_a_result_holds_the_whole_archive(boston, thresholds):
    problem = OrdinalProblem(*boston, thresholds=thresholds)
    seen = []
    result = minimize(
        problem,
        MOPSO(30),
        ("n_gen", 8),
        seed=3,
        callback=lambda algorithm: seen.append(algorithm.pop.get("measured").reshape(-1, 6)),
    )
    told = -np.concatenate(seen)
    np.testing.assert_array_equal(problem.evaluate(result.X), result.F)
    assert {tuple(row) for row in result.F} == best_of(told)
    assert len(result.F) == len(result.opt) == len(best_of(told))


@encodings
def test_the_same_seed_gives_the_same_result(boston, thresholds):
    problem, algorithm = OrdinalProblem(*boston, thresholds=thresholds), MOPSO(20)
    first, second, other = (
        minimize(problem, algorithm, ("n_gen", 5), seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.X, second.X)
    np.testing.assert_array_equal(first.F, second.F)
    assert not np.array_equal(first.F, other.F)


@pytest.mark.parametrize("copied", [True, False])
def test_an_algorithm_is_copied_if_that_is_wanted(boston, copied):
    algorithm = MOPSO(20)
    result = minimize(
        OrdinalProblem(*boston), algorithm, ("n_gen", 2), seed=1, copy_algorithm=copied
    )
    assert (result.algorithm is algorithm) == (not copied)
    assert (algorithm.problem is None) == copied


@encodings
def test_a_history_remembers_every_round(boston, thresholds):
    problem = OrdinalProblem(*boston, thresholds=thresholds)
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


def test_ask_and_tell(boston):
    problem = OrdinalProblem(*boston)
    algorithm = MOPSO(20, seed=1).setup(problem, termination=("n_gen", 4))
    while algorithm.has_next():
        infills = algorithm.ask()
        algorithm.evaluator.eval(problem, infills)
        algorithm.tell(infills=infills)
    expected = minimize(problem, MOPSO(20), ("n_gen", 4), seed=1)
    np.testing.assert_array_equal(algorithm.result().F, expected.F)


def test_terminations(boston):
    problem = OrdinalProblem(*boston)
    by_evaluations = minimize(problem, MOPSO(20), ("n_eval", 70), seed=1)
    assert by_evaluations.algorithm.evaluator.n_eval == 80
    by_time = minimize(problem, MOPSO(20), ("time", "00:00:01"), seed=1)
    assert by_time.exec_time >= 1.0
    stalled = RobustTermination(MultiObjectiveSpaceTermination(tol=0.05), period=5)
    by_tolerance = minimize(problem, MOPSO(20), stalled, seed=1)
    assert 5 <= by_tolerance.algorithm.n_gen < 500


def test_what_is_printed(boston, capsys):
    result = minimize(OrdinalProblem(*boston), MOPSO(20), ("n_gen", 3), seed=1, verbose=True)
    last = capsys.readouterr().out.splitlines()[-1].split("|")
    assert [int(cell) for cell in last[:3]] == [3, 60, len(result.F)]


def test_other_problems_are_refused():
    with pytest.raises(TypeError, match="the problem is ZDT1: MOPSO flies over"):
        minimize(get_problem("zdt1"), MOPSO(), ("n_gen", 2))


@encodings
def test_other_algorithms_search_the_problem(boston, thresholds):
    problem = OrdinalProblem(*boston, thresholds=thresholds, objectives=SOME)
    result = minimize(problem, NSGA2(40), ("n_gen", 25), seed=1)
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
