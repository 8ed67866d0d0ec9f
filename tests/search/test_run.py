import math

import numpy as np
import pytest

from moselect.search import OrdinalProblem
from moselect.search.swarm_run import Plan, SwarmRun


@pytest.fixture
def problem(smooth):
    return OrdinalProblem(*smooth(seed=0, r=3, n=30, p=3))


def begin(problem, evaluations, seconds=math.inf, state=None):
    plan = Plan(
        (problem,),
        (1.0,),
        10,
        (-1.0, 1.0),
        np.eye(problem.n_dimensions),
        (evaluations,),
        seconds,
        (np.random.default_rng(0),),
    )
    return SwarmRun(plan, 0, state)


def finish(run):
    done = []
    while not run.finished:
        run.advance()
        done.append(run.n_evaluations)
    return done


@pytest.mark.parametrize("thresholds", ["exact", "search"])
@pytest.mark.parametrize("n_rounds", [1, 3, 8])
def test_a_resumed_run_equals_an_uninterrupted_one(smooth, thresholds, n_rounds):
    X, y = smooth(seed=0, r=3, n=60, p=3)
    problem = OrdinalProblem(X, y, thresholds=thresholds)
    uninterrupted = begin(problem, 95)
    finish(uninterrupted)
    paused = begin(problem, 95)
    for _ in range(n_rounds):
        paused.advance()
    state = {name: np.array(values) for name, values in paused.state().items()}
    paused.advance()  # must not reach into the state
    resumed = begin(OrdinalProblem(X, y, thresholds=thresholds), 95, state=state)
    assert resumed.n_evaluations == 10 * n_rounds
    finish(resumed)
    expected, found = uninterrupted.state(), resumed.state()
    assert found.keys() == expected.keys()
    for name in expected.keys() - {"seconds"}:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
