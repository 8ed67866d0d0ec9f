from __future__ import annotations

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
@pytest.mark.parametrize("left_after", [1, 3, 8])
def test_a_run_that_was_left_ends_as_one_that_was_not(smooth, thresholds, left_after):
    X, y = smooth(seed=0, r=3, n=60, p=3)
    problem = OrdinalProblem(X, y, thresholds=thresholds)
    straight = begin(problem, 95)
    finish(straight)
    left = begin(problem, 95)
    for _ in range(left_after):
        left.advance()
    state = {name: np.array(values) for name, values in left.state().items()}
    left.advance()  # must not reach into the state
    resumed = begin(OrdinalProblem(X, y, thresholds=thresholds), 95, state=state)
    assert resumed.n_evaluations == 10 * left_after
    finish(resumed)
    expected, found = straight.state(), resumed.state()
    assert found.keys() == expected.keys()
    for name in expected.keys() - {"seconds"}:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
