"""How the swarm over directions begins, and which moves its particles make."""

from __future__ import annotations

import numpy as np
import pytest

from moselect.search import OrdinalProblem
from moselect.search.direction_swarm import DirectionSwarm
from moselect.search.whitening import unit
from tests.search.conftest import fly

LEADER, START = np.eye(4)[:2]


@pytest.fixture(scope="module")
def problem(smooth):
    return OrdinalProblem(*smooth(seed=0, r=3, n=60, p=4))


def second_positions(problem, told, seeds):
    """Return where particles that begin at e1, e2, ... go when told objectives (n, mixtures, 6)."""
    n, moved = len(told), []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        swarm = DirectionSwarm(problem, n, np.eye(4)[:n], rng)
        np.testing.assert_allclose(swarm.ask(), np.eye(4)[:n], atol=1e-14)
        swarm.tell(np.asarray(told))
        moved.append(swarm.ask().copy())
    return np.array(moved)


@pytest.fixture(scope="module")
def alone(problem):
    """Where a particle goes that is its own leader, 150 times."""
    return second_positions(problem, np.full((1, 1, 6), 0.7), 150)[:, 0]


def samples_of(problem, X):
    """Return the whitened coordinates (n, d) of samples."""
    weights = problem.models(np.eye(problem.n_dimensions))[0]
    return (X - X.mean(axis=0)) @ weights.T


def across(directions, base):
    """Return the parts of directions that are orthogonal to a base."""
    return directions - np.outer(directions @ base, base)


def towards(positions, base, ways):
    """Find which positions lie, on the sphere, on the line from a base along one of some ways."""
    cosines = unit(across(positions, base)) @ unit(across(ways, base)).T
    return (np.abs(cosines) > 1.0 - 1e-9).any(axis=1)


def test_a_fifth_crosses_a_threshold_with_one_sample(smooth, problem, alone):
    X, _ = smooth(seed=0, r=3, n=60, p=4)
    crossed = towards(alone, LEADER, samples_of(problem, X))
    assert crossed.mean() == pytest.approx(0.2, abs=0.08)


def ascents(problem, objective):
    widths = np.geomspace(0.05, 0.5, 3000)
    base, weights = np.tile(LEADER, (3000, 1)), np.tile(np.eye(6)[objective], (3000, 1))
    return problem.gradients(base, np.zeros(3000, dtype=np.int64), weights, widths)


def test_a_fifth_climbs_the_chosen_objectives(smooth):
    # All ranking measures of two classes have the same slope, if smoothed alike.
    problem = OrdinalProblem(*smooth(seed=0, r=2, n=60, p=4))
    slopes = ascents(problem, 5)
    slopes = unit(across(slopes, LEADER))
    shares = []
    for names in (("vus", "u_ovo"), ("accuracy", "one_minus_mae")):
        chosen = OrdinalProblem(*smooth(seed=0, r=2, n=60, p=4), objectives=names)
        moved = second_positions(chosen, np.full((1, 1, 2), 0.7), 100)[:, 0]
        steps = across(moved, LEADER)
        steps = steps[np.linalg.norm(steps, axis=1) > 1e-12]
        climbing = (unit(steps) @ slopes.T).max(axis=1) > 1.0 - 1e-6
        shares.append(climbing.sum() / 100)
    assert shares[0] == pytest.approx(0.2, abs=0.09)
    assert shares[1] < 0.02


def test_differences_of_members_pull_without_velocity(problem):
    left, right = np.array([0.9, 0.7] * 3), np.array([0.7, 0.9] * 3)
    moved = second_positions(problem, [[left], [right]], 75).reshape(-1, 4)
    in_plane = moved[(np.abs(moved[:, 2:]) < 1e-14).all(axis=1)]
    # flying and differences
    assert len(in_plane) / len(moved) == pytest.approx(0.4, abs=0.1)
    # e1 + c (e1 - e2) or e2 + c (e2 - e1) leaves the arc between the two, which flying does not
    assert (in_plane.min(axis=1) < -0.1).mean() > 0.05


def best_after(problem, first, second):
    """Return whether the personal bests of particles are what they saw second."""
    swarm = DirectionSwarm(problem, 21, np.empty((0, 4)), np.random.default_rng(2))
    start = swarm.ask().copy()
    swarm.tell(np.array([first[0]] + [first[1]] * 20))
    later = swarm.ask().copy()
    swarm.tell(np.array([second[0]] + [second[1]] * 20))
    moved = (start != later).any(axis=1)
    moved[0] = False  # the leader
    assert moved.sum() > 10
    best = swarm.state()["personal_best"][moved]
    new, old = ((best == where[moved]).all(axis=1) for where in (later, start))
    assert (new.all() and not old.any()) or (old.all() and not new.any())
    return bool(new.all())


@pytest.mark.parametrize(("second", "moves_on"), [(0.6, False), (0.7, True), (0.8, True)])
def test_a_personal_best_gives_way_to_what_is_as_good(problem, second, moves_on):
    first = np.full((2, 1, 6), [[[0.9]], [[0.7]]])
    found = best_after(problem, first, np.full((2, 1, 6), [[[0.9]], [[second]]]))
    assert found is moves_on


@pytest.mark.parametrize(("second", "moves_on"), [(0.7, False), (0.85, True)])
def test_the_best_of_a_directions_mixtures_counts(problem, second, moves_on):
    first = [[[0.9] * 6, [0.9] * 6], [[0.6] * 6, [0.8] * 6]]
    found = best_after(problem, first, [[[0.9] * 6] * 2, [[second] * 6, [0.7] * 6]])
    assert found is moves_on


@pytest.mark.parametrize("n_particles", [2, 5])
def test_a_swarm_begins_with_the_ready_made_directions(awkward, n_particles):
    problem = OrdinalProblem(*awkward(8, 3))
    starts = np.array(list(problem.ready_made().values()))[:3]
    swarm = DirectionSwarm(problem, n_particles, starts, np.random.default_rng(0))
    first = swarm.ask()
    assert len(first) == n_particles
    np.testing.assert_allclose(first[:3], starts[:n_particles], rtol=1e-12)


def test_a_swarm_begins_higher_than_anywhere(boston):
    problem = OrdinalProblem(*boston)
    swarm = DirectionSwarm(problem, 50, np.empty((0, 13)), np.random.default_rng(0))
    anywhere = np.random.default_rng(1).normal(size=(50, 13))
    climbed, plain = (
        problem.evaluate(where).max(axis=1) for where in (swarm.ask(), anywhere)
    )
    assert (climbed.min(axis=0) > np.median(plain, axis=0)).all()
    assert (climbed.std(axis=0) > 1e-3).all()  # and not all in one place


def test_a_swarm_finds_the_direction_that_made_the_labels(smooth):
    X, _ = smooth(seed=1, r=3, n=200, p=5)
    weights = np.array([3.0, -2.0, 1.0, 0.0, 0.5]) / X.std(axis=0)
    ranks = np.digitize(X @ weights, np.quantile(X @ weights, [0.5, 0.8]))
    problem = OrdinalProblem(X, ranks)
    swarm = DirectionSwarm(problem, 30, np.empty((0, 5)), np.random.default_rng(0))
    fly(problem, swarm, 100)
    np.testing.assert_allclose(swarm.archive.points.max(axis=0), 1.0, atol=0.01)
