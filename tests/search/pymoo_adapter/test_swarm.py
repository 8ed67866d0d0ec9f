from __future__ import annotations

import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from moselect import ParetoSearch
from moselect.metrics import Objectives, ranking_scores
from moselect.search import OrdinalProblem, settings
from moselect.search.problem import WeightProblem
from moselect.search.pymoo_adapter import PymooSwarm, algorithms
from moselect.search.pymoo_adapter.algorithms import ALGORITHMS
from moselect.search.runs.run import Limits, SwarmRun, run_swarm
from moselect.search.swarm import DirectionSwarm, ParticleSwarm

ALL = Objectives()
SOME = Objectives(("u_ovo", "accuracy"))

# Those that pymoo compiles are slow.
each_algorithm = pytest.mark.parametrize(
    "algorithm",
    [
        pytest.param(name, marks=pytest.mark.slow if name.startswith("agemoea") else ())
        for name in ALGORITHMS
    ],
)
encodings = pytest.mark.parametrize("thresholds", ["exact", "search"])


def first_swarm(problem, objectives, n_particles):
    """Return what makes the swarm at whose positions a population begins."""
    common = {"objectives": objectives, "n_particles": n_particles}
    if isinstance(problem, WeightProblem):
        return partial(ParticleSwarm, turbulence=0.1, velocity_range=(-1.0, 1.0), **common)
    return partial(DirectionSwarm, starts=np.eye(problem.n_dimensions)[:2], **common)


def make(algorithm, problem, objectives=ALL, seed=0, n_particles=20):
    first = first_swarm(problem, objectives, n_particles)
    return PymooSwarm(problem, objectives, algorithm, first, np.random.default_rng(seed))


class Recording:
    """Hands everything on to a swarm and records what it was told."""

    def __init__(self, swarm):
        self.swarm, self.asked, self.told = swarm, [], []

    @property
    def archive(self):
        return self.swarm.archive

    def ask(self, n=None):
        positions = self.swarm.ask(n)
        self.asked.append(positions.copy())
        return positions

    def tell(self, objectives):
        self.told.append(objectives)
        self.swarm.tell(objectives)

    def state(self):
        return self.swarm.state()

    def restore(self, state):
        self.swarm.restore(state)


def start(algorithm, problem, budget, objectives=ALL, **settings):
    swarm = Recording(make(algorithm, problem, objectives, **settings))
    return SwarmRun(problem, objectives, swarm, Limits(budget))


def search(algorithm, problem, budget, **settings):
    run = start(algorithm, problem, budget, **settings)
    run_swarm(run)
    assert run.n_evaluations == budget
    return run.swarm


@each_algorithm
@encodings
@pytest.mark.parametrize("objectives", [ALL, SOME], ids=["all", "two"])
def test_all_models_of_all_positions_enter_the_archive(
    awkward, dominated, algorithm, thresholds, objectives
):
    problem = OrdinalProblem(*awkward(1, 4), thresholds=thresholds)
    swarm = search(algorithm, problem, 70, objectives=objectives)
    told = np.concatenate(swarm.told).reshape(-1, 6)[:, objectives.indices]
    members = swarm.archive.points
    assert not dominated(members, told).any()
    for candidate in told:
        assert (members >= candidate).all(axis=1).any()
    positions, mixtures = swarm.archive.payload[:, :-1], swarm.archive.payload[:, -1].astype(int)
    found = problem.evaluate(positions).reshape(len(positions), -1, 6)
    chosen = found[np.arange(len(positions)), mixtures][:, objectives.indices]
    np.testing.assert_array_equal(chosen, members)


@pytest.mark.slow
@each_algorithm
@encodings
def test_the_same_seed_has_the_same_history(boston, algorithm, thresholds):
    problem = OrdinalProblem(*boston, thresholds=thresholds)
    # Long enough for every archive within an algorithm to be cut down.
    runs = [search(algorithm, problem, 1200, seed=seed) for seed in (5, 5, 6)]
    first, second, other = (np.concatenate(swarm.asked) for swarm in runs)
    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


def test_an_archive_of_mopso_cd_that_is_full_is_cut_down_by_the_seed(boston, monkeypatch):
    def make_small(n, n_objectives, start):
        return algorithms._SeededMOPSOCD(n, archive_size=5, sampling=start)

    monkeypatch.setitem(ALGORITHMS, "small", make_small)
    problem = OrdinalProblem(*boston)
    first, second = (np.concatenate(search("small", problem, 300).asked) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@each_algorithm
def test_the_global_random_state_is_neither_used_nor_changed(awkward, algorithm):
    problem = OrdinalProblem(*awkward(2, 3))
    np.random.seed(0)  # noqa: NPY002
    drawn = np.random.get_state()[1].copy()  # noqa: NPY002
    search(algorithm, problem, 100)
    np.testing.assert_array_equal(np.random.get_state()[1], drawn)  # noqa: NPY002


@each_algorithm
@encodings
def test_it_begins_where_the_given_swarm_begins(awkward, algorithm, thresholds):
    problem = OrdinalProblem(*awkward(3, 3), thresholds=thresholds)
    first = first_swarm(problem, ALL, 20)(problem, rng=np.random.default_rng(4)).ask()
    np.testing.assert_allclose(make(algorithm, problem, seed=4).ask(), first, rtol=1e-14)


@each_algorithm
def test_the_population_has_the_objectives_of_its_variables(boston, monkeypatch, algorithm):
    made = []

    def make_and_keep(*settings):
        made.append(ALGORITHMS[algorithm](*settings))
        return made[-1]

    problem = OrdinalProblem(*boston)
    monkeypatch.setitem(ALGORITHMS, "kept", make_and_keep)
    swarm = search("kept", problem, 300, objectives=SOME)
    lengths = np.linalg.norm(np.concatenate(swarm.asked), axis=1)
    np.testing.assert_allclose(lengths, 1.0, rtol=1e-14)
    X, F = made[0].pop.get("X", "F")
    np.testing.assert_allclose(np.linalg.norm(X[:, :-1], axis=1), 1.0, rtol=1e-14)
    mixtures = np.minimum(np.floor(X[:, -1]), 7).astype(int)
    measured = problem.evaluate(X[:, :-1])[np.arange(len(X)), mixtures]
    np.testing.assert_array_equal(F, -measured[:, SOME.indices])
    assert len(set(mixtures)) > 1


@each_algorithm
@encodings
def test_a_population_goes_where_the_objectives_are_high(boston, algorithm, thresholds):
    problem = OrdinalProblem(*boston, thresholds=thresholds)
    reached = []
    for sign in (-1.0, 1.0):
        swarm = make(algorithm, problem, objectives=SOME, n_particles=30)
        for _ in range(25):
            positions = swarm.ask()
            values = problem.evaluate(positions)
            swarm.tell(sign * values)
        reached.append(values.reshape(-1, 6)[:, SOME.indices].mean())
    assert reached[1] > reached[0] + 0.05


@each_algorithm
@encodings
def test_a_run_that_was_left_goes_on_to_the_last_bit(boston, algorithm, thresholds):
    problem = OrdinalProblem(*boston, thresholds=thresholds)
    whole = start(algorithm, problem, 210)
    run_swarm(whole)
    left = start(algorithm, problem, 210)
    assert not left.can_be_left  # nothing has happened that could be lost
    run_swarm(left, stopped=lambda: left.n_evaluations >= 100)
    assert left.can_be_left
    again = start(algorithm, problem, 210)
    again.restore({name: values.copy() for name, values in left.state().items()})
    run_swarm(again)
    np.testing.assert_array_equal(again.swarm.archive.points, whole.swarm.archive.points)
    np.testing.assert_array_equal(again.swarm.archive.payload, whole.swarm.archive.payload)


@each_algorithm
@encodings
def test_a_budget_may_end_within_a_round(awkward, algorithm, thresholds):
    problem = OrdinalProblem(*awkward(4, 3), thresholds=thresholds)
    swarm = make(algorithm, problem)
    for n in (7, None, 3, None):
        positions = swarm.ask(n)
        assert len(positions) == (n or 20)
        swarm.tell(problem.evaluate(positions))


@each_algorithm
@encodings
def test_what_was_asked_stays_as_it_was(awkward, algorithm, thresholds):
    problem = OrdinalProblem(*awkward(3, 3), thresholds=thresholds)
    swarm = make(algorithm, problem)
    asked = []
    for _ in range(4):
        positions = swarm.ask()
        asked.append((positions, positions.copy()))
        swarm.tell(problem.evaluate(positions))
    for positions, before in asked:
        np.testing.assert_array_equal(positions, before)


@each_algorithm
@pytest.mark.parametrize("n_particles", [1, 2, 5])
def test_small_populations(smooth, algorithm, n_particles):
    problem = OrdinalProblem(*smooth(seed=0, r=3, n=20, p=1))
    swarm = search(algorithm, problem, 30, n_particles=n_particles)
    assert len(swarm.archive) > 0


def test_nothing_is_imported_from_pymoo_before_it_is_needed():
    program = "import sys, moselect.search; sys.exit('pymoo' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_search_offers_all_algorithms():
    assert ("mopso", *ALGORITHMS) == settings.ALGORITHMS


@each_algorithm
@encodings
def test_a_search_by_another_algorithm_has_the_same_kind_of_front(boston, algorithm, thresholds):
    X, y = boston
    options = {"algorithm": algorithm, "thresholds": thresholds, "n_particles": 30}
    options |= {"n_iterations": 4, "n_runs": 2, "cv": None, "random_state": 5}
    first, again = (ParetoSearch(**options, n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2))
    assert first.front_.objectives.equals(again.front_.objectives)
    assert first.n_evaluations_ == again.n_evaluations_
    for model, row in zip(first.front_, first.front_.objectives.to_numpy(), strict=True):
        assert ranking_scores(y, model.decision_function(X)) == pytest.approx(row[2:])
        assert (model.predict(X) == y).mean() == pytest.approx(row[0])


def test_an_unknown_algorithm_is_told(boston):
    with pytest.raises(ValueError, match="unknown algorithm 'spea9': choose from mopso, nsga2"):
        ParetoSearch(algorithm="spea9").fit(*boston)


@each_algorithm
def test_asking_twice_or_telling_first_is_an_error(awkward, algorithm):
    problem = OrdinalProblem(*awkward(3, 3))
    swarm = make(algorithm, problem)
    with pytest.raises(RuntimeError, match="told without having asked"):
        swarm.tell(np.zeros((20, 8, 6)))
    positions = swarm.ask()
    with pytest.raises(RuntimeError, match="asked twice"):
        swarm.ask()
    swarm.tell(problem.evaluate(positions))
    assert (swarm.archive.points > 0.0).any()
