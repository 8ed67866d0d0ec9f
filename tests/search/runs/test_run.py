from __future__ import annotations

import numpy as np
import pytest

from moselect.metrics import Objectives
from moselect.pareto import hypervolume_above_chance
from moselect.search import OrdinalProblem
from moselect.search.runs.run import Limits, SwarmRun, run_swarm
from moselect.search.swarm import DirectionSwarm, ParticleSwarm

ALL = Objectives()


def make_directions(problem):
    return DirectionSwarm(problem, ALL, 10, np.eye(3), np.random.default_rng(0))


def make_particles(problem):
    return ParticleSwarm(problem, ALL, 10, 0.1, (-1.0, 1.0), np.random.default_rng(0))


@pytest.fixture
def problem(smooth):
    return OrdinalProblem(*smooth(seed=0, r=3, n=30, p=3))


def begin(problem, make=make_directions, **limits):
    return SwarmRun(problem, ALL, make(problem), Limits(**limits))


@pytest.mark.parametrize("budget", [0, 1, 9, 10, 11, 37])
def test_a_budget_is_used_up_and_no_more(problem, budget):
    done = []
    run = begin(problem, evaluations=budget)
    run_swarm(run, lambda run: done.append(run.n_evaluations))
    assert run.n_evaluations == budget
    assert done == [*range(10, budget, 10), budget][: -(-budget // 10)]
    assert (len(run.swarm.archive) > 0) == (budget > 0)
    assert run.finished


def test_a_run_stops_after_the_round_in_which_it_is_asked_to(problem):
    run = begin(problem, evaluations=1000)
    run_swarm(run, stopped=lambda: run.n_evaluations >= 20)
    assert run.n_evaluations == 20
    assert not run.finished


def test_a_run_ends_when_its_time_is_over(problem):
    run = begin(problem, evaluations=10**9, seconds=0.2)
    run_swarm(run)
    assert run.finished
    assert run.seconds >= 0.2
    assert 0 < run.n_evaluations < 10**9


def test_a_run_ends_when_the_hypervolume_has_stalled(problem):
    volumes = []

    def note(run):
        values = run.swarm.archive.points
        volumes.append(hypervolume_above_chance(values, problem.chance, exact_up_to=10**6))

    run = begin(problem, evaluations=10**6, rounds=7, growth=0.01)
    run_swarm(run, note)
    assert run.n_evaluations < 10**6
    assert len(volumes) % 7 == 0
    growth = np.diff([0.0, *volumes[6::7]]) / np.array(volumes[6::7])
    assert growth[-1] < 0.02  # the run looks at a coarse approximation
    assert (growth[:-1] > 0.0).all()


@pytest.mark.parametrize("make", [make_directions, make_particles], ids=["exact", "search"])
@pytest.mark.parametrize("left_after", [1, 3, 8])
def test_a_run_that_was_left_ends_as_one_that_was_not(smooth, make, left_after):
    X, y = smooth(seed=0, r=3, n=60, p=3)
    encoding = "exact" if make is make_directions else "search"
    problem = OrdinalProblem(X, y, thresholds=encoding)
    limits = {"evaluations": 95, "rounds": 4, "growth": 0.0}
    straight = begin(problem, make, **limits)
    run_swarm(straight)
    left = begin(problem, make, **limits)
    for _ in range(left_after):
        left.advance()
    assert left.can_be_left
    state = {name: np.array(values) for name, values in left.state().items()}
    left.advance()  # must not reach into the state
    resumed = begin(OrdinalProblem(X, y, thresholds=encoding), make, **limits)
    resumed.restore(state)
    assert resumed.n_evaluations == 10 * left_after
    run_swarm(resumed)
    expected = straight.state()
    found = resumed.state()
    assert found.keys() == expected.keys()
    for name in expected.keys() - {"seconds"}:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
