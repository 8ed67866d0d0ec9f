"""What both swarms promise, and what the one over directions does."""

from __future__ import annotations

import numpy as np
import pytest
from moselect.search.classic import ClassicSwarm
from moselect.search.steps import gradients

from moselect.search import OrdinalProblem
from moselect.search.swarm import DirectionSwarm

ALL = np.arange(6)
SOME = np.array([4, 0])


class Choosing(np.random.Generator):
    """Chooses one of the five moves for all particles, and a half-width of 0.3."""

    def __init__(self, move, seed=0):
        super().__init__(np.random.PCG64(seed))
        self.move = move

    def choice(self, n, size=None, **_):
        return np.full(size, self.move if n == 5 else 0)

    def uniform(self, low, high, size=None):
        return np.full(size, np.log(0.3))


class Flying(np.random.Generator):
    """Lets all particles fly, with 1/2 for every uniform number between 0 and 1."""

    def random(self, size=None):
        return np.full(size, 0.5)

    def choice(self, *_, size=None, **__):
        return np.zeros(size, dtype=np.int64)


def make(kind, table, columns, seed, n_particles=25):
    rng = np.random.default_rng(seed)
    if kind == "classic":
        problem = OrdinalProblem(*table, thresholds="search")
        return problem, ClassicSwarm(problem, columns, n_particles, 0.1, (-1.0, 1.0), rng)
    problem = OrdinalProblem(*table)
    starts = np.eye(problem.n_dimensions)[:2]
    return problem, DirectionSwarm(problem, columns, n_particles, starts, rng)


def run(problem, swarm, rounds):
    """Give all positions asked for and all objectives told."""
    asked, told = [], []
    for _ in range(rounds):
        asked.append(swarm.ask().copy())
        told.append(problem.evaluate(asked[-1]))
        swarm.tell(told[-1])
    return np.array(asked), np.array(told)


kinds = pytest.mark.parametrize("kind", ["exact", "classic"])
subsets = pytest.mark.parametrize("columns", [ALL, SOME], ids=["all", "two"])


@kinds
@subsets
def test_no_member_is_dominated_and_none_is_missing(awkward, dominated, kind, columns):
    problem, swarm = make(kind, awkward(1, 4), columns, seed=1)
    told = run(problem, swarm, 12)[1].reshape(-1, 6)[:, columns]
    members = swarm.archive.points
    assert not dominated(members, told).any()
    assert len(np.unique(members, axis=0)) == len(members)
    for candidate in told:
        assert (members >= candidate).all(axis=1).any()


@kinds
@subsets
def test_payload_gives_the_archived_objectives_again(awkward, kind, columns):
    problem, swarm = make(kind, awkward(2, 3), columns, seed=2)
    run(problem, swarm, 12)
    positions, mixtures = swarm.archive.payload[:, :-1], swarm.archive.payload[:, -1].astype(int)
    found = problem.evaluate(positions).reshape(len(positions), -1, 6)
    chosen = found[np.arange(len(positions)), mixtures][:, columns]
    np.testing.assert_array_equal(chosen, swarm.archive.points)


@kinds
def test_the_same_seed_has_the_same_history(awkward, kind):
    histories = [run(*make(kind, awkward(3, 3), ALL, seed), 8)[0] for seed in (5, 5, 6)]
    np.testing.assert_array_equal(histories[0], histories[1])
    assert (histories[0] != histories[2]).any()


@kinds
def test_what_was_asked_stays_as_it_was(awkward, kind):
    problem, swarm = make(kind, awkward(3, 3), ALL, seed=1)
    asked = []
    for _ in range(6):
        positions = swarm.ask()
        asked.append((positions, positions.copy()))
        swarm.tell(problem.evaluate(positions))
    for positions, before in asked:
        np.testing.assert_array_equal(positions, before)


@kinds
def test_a_budget_may_end_within_a_round(awkward, kind):
    table = awkward(4, 3)
    problem, whole = make(kind, table, ALL, seed=7)
    _, cut = make(kind, table, ALL, seed=7)
    run(problem, whole, 3)
    run(problem, cut, 3)
    first = cut.ask(4)
    np.testing.assert_array_equal(first, whole.ask()[:4])
    cut.tell(problem.evaluate(first))
    assert len(cut.ask()) == 25  # and it can go on


@kinds
def test_only_what_is_told_is_archived(awkward, kind):
    problem, swarm = make(kind, awkward(5, 3), ALL, seed=8)
    positions = swarm.ask(3)
    swarm.tell(problem.evaluate(positions))
    assert (swarm.archive.payload[:, None, :-1] == positions).all(axis=2).any(axis=1).all()


@kinds
def test_members_are_not_moved_by_later_rounds(awkward, kind):
    problem, swarm = make(kind, awkward(6, 3), ALL, seed=9)
    asked, _ = run(problem, swarm, 6)
    seen = asked.reshape(-1, asked.shape[2])
    for position in swarm.archive.payload[:, :-1]:
        assert (seen == position).all(axis=1).any()


def test_directions_are_finite_unit_vectors(awkward):
    problem, swarm = make("exact", awkward(7, 4), ALL, seed=0)
    asked = run(problem, swarm, 15)[0]
    np.testing.assert_allclose(np.linalg.norm(asked, axis=2), 1.0, rtol=1e-12)


def test_positions_of_the_classic_swarm_are_finite(awkward):
    problem, swarm = make("classic", awkward(7, 4), ALL, seed=0)
    assert np.isfinite(run(problem, swarm, 15)[0]).all()


@pytest.mark.parametrize("n_particles", [2, 5])
def test_a_swarm_begins_with_the_ready_made_directions(awkward, n_particles):
    problem = OrdinalProblem(*awkward(8, 3))
    starts = np.array(list(problem.ready_made().values()))[:3]
    swarm = DirectionSwarm(problem, ALL, n_particles, starts, np.random.default_rng(0))
    first = swarm.ask()
    assert len(first) == n_particles
    np.testing.assert_allclose(first[:3], starts[:n_particles], rtol=1e-12)


@pytest.mark.parametrize(
    ("move", "leaves"), [(0, False), (1, True), (2, False), (3, True), (4, True)]
)
def test_who_is_alone_leaves_by_turbulence_crossing_and_ascent_only(smooth, move, leaves):
    # Nothing pulls one who is its own leader, nor is there a difference of two members.
    problem = OrdinalProblem(*smooth(seed=0, r=3, n=60, p=4))
    swarm = DirectionSwarm(problem, ALL, 1, np.eye(4)[:1], Choosing(move))
    start = swarm.ask().copy()
    swarm.tell(np.full((1, 1, 6), 0.7))
    assert np.allclose(swarm.ask(), start, atol=1e-14) is not leaves


def test_ascent_climbs_the_chosen_objectives(smooth):
    # All ranking measures of two classes have the same slope.
    problem = OrdinalProblem(*smooth(seed=0, r=2, n=60, p=4))
    swarm = DirectionSwarm(problem, np.array([2, 4]), 1, np.eye(4)[:1], Choosing(4))
    start = swarm.ask().copy()
    swarm.tell(np.full((1, 1, 6), 0.7))
    slope = gradients(problem, start, np.zeros(1, int), np.eye(6)[[5]], np.array([0.3]))[0]
    slope[0] = 0.0  # along the sphere
    step = swarm.ask()[0] * [0.0, 1.0, 1.0, 1.0]
    np.testing.assert_allclose(unit(step), unit(slope), atol=1e-10)


def test_crossing_starts_from_what_is_good_at_errors(smooth):
    problem = OrdinalProblem(*smooth(seed=0, r=3, n=60, p=4))
    slope = np.linspace(0.0, 0.01, 8)[:, None]
    of_errors = np.array([0.9, 0.9] + [0.6] * 4) + slope * [1, -1, 0, 0, 0, 0]
    of_ranking = np.array([0.6, 0.6] + [0.9] * 4) + slope * [0, 0, 1, -1, 0, 0]
    moved = []
    for seed in range(20):
        swarm = DirectionSwarm(problem, ALL, 2, np.eye(4)[:2], Choosing(3, seed))
        swarm.ask()
        swarm.tell(np.array([of_errors, of_ranking]))
        moved.append(swarm.ask().copy())
    first, second = np.abs(np.concatenate(moved))[:, :2].T
    assert (first > second).mean() > 0.75


def test_differences_of_members_pull_without_velocity(smooth):
    problem = OrdinalProblem(*smooth(seed=0, r=3, n=60, p=4))
    left, right = np.array([0.9, 0.7] * 3), np.array([0.7, 0.9] * 3)
    moved = []
    for seed in range(20):
        swarm = DirectionSwarm(problem, ALL, 2, np.eye(4)[:2], Choosing(2, seed))
        swarm.ask()
        swarm.tell(np.array([[left], [right]]))
        moved.append(swarm.ask().copy())
    moved = np.concatenate(moved)
    np.testing.assert_allclose(moved[:, 2:], 0.0, atol=1e-14)
    # e1 + c (e1 - e2) or e2 + c (e2 - e1) leaves the arc between the two, which flying does not
    assert (moved[:, :2].min(axis=1) < -0.1).mean() > 0.1


def unit(direction):
    return direction / np.linalg.norm(direction)


@pytest.mark.parametrize(("second", "moves_on"), [(0.6, False), (0.7, True), (0.8, True)])
def test_a_personal_best_gives_way_to_what_is_as_good(smooth, second, moves_on):
    problem = OrdinalProblem(*smooth(seed=0, r=3, n=30, p=4))
    swarm = DirectionSwarm(problem, ALL, 2, np.eye(4)[:2], Flying(np.random.PCG64(0)))
    leader, start = swarm.ask().copy()
    swarm.tell(np.full((2, 1, 6), [[[0.9]], [[0.7]]]))
    v1 = 1.5 * 0.5 * (leader - start)  # no velocity yet, and it stands at its personal best
    x1 = unit(start + v1)
    np.testing.assert_allclose(swarm.ask(), [leader, x1], atol=1e-14)
    swarm.tell(np.full((2, 1, 6), [[[0.9]], [[second]]]))
    best = x1 if moves_on else start
    v2 = 0.35 * v1 + 0.5 * (best - x1) + 1.5 * 0.5 * (leader - x1)
    np.testing.assert_allclose(swarm.ask(), [leader, unit(x1 + v2)], atol=1e-14)


def test_the_best_of_a_directions_mixtures_counts(smooth):
    problem = OrdinalProblem(*smooth(seed=0, r=3, n=30, p=4))
    swarm = DirectionSwarm(problem, ALL, 2, np.eye(4)[:2], Flying(np.random.PCG64(0)))
    leader, start = swarm.ask().copy()
    swarm.tell(np.array([[[0.9] * 6, [0.9] * 6], [[0.6] * 6, [0.8] * 6]]))
    v1 = 0.75 * (leader - start)
    x1 = swarm.ask()[1].copy()
    swarm.tell(np.array([[[0.9] * 6, [0.9] * 6], [[0.7] * 6, [0.7] * 6]]))
    v2 = 0.35 * v1 + 0.5 * (start - x1) + 0.75 * (leader - x1)
    np.testing.assert_allclose(swarm.ask()[1], unit(x1 + v2), atol=1e-14)


def test_a_swarm_begins_higher_than_anywhere(boston):
    problem = OrdinalProblem(*boston)
    swarm = DirectionSwarm(problem, ALL, 50, np.empty((0, 13)), np.random.default_rng(0))
    anywhere = np.random.default_rng(1).normal(size=(50, 13))
    climbed, plain = (problem.evaluate(where).max(axis=1) for where in (swarm.ask(), anywhere))
    assert (climbed.min(axis=0) > np.median(plain, axis=0)).all()
    assert (climbed.std(axis=0) > 1e-3).all()  # and not all in one place


def test_a_swarm_begins_where_the_chosen_objectives_are_high(boston):
    problem = OrdinalProblem(*boston)
    nowhere = np.empty((0, 13))
    of_errors, of_ranking = (
        DirectionSwarm(problem, columns, 50, nowhere, np.random.default_rng(0)).ask()
        for columns in (np.array([0, 1]), np.array([2, 3]))
    )
    vus_of_errors, vus_of_ranking = (
        problem.evaluate(positions)[:, 0, 2] for positions in (of_errors, of_ranking)
    )
    assert vus_of_ranking.mean() > vus_of_errors.mean() + 0.1


def test_one_dimension_and_one_particle(smooth):
    X, ranks = smooth(seed=0, r=3, n=20, p=1)
    problem = OrdinalProblem(X, ranks)
    swarm = DirectionSwarm(problem, ALL, 1, np.empty((0, 1)), np.random.default_rng(0))
    asked = run(problem, swarm, 10)[0]
    np.testing.assert_array_equal(np.abs(asked), 1.0)


def test_a_flock_finds_the_direction_that_made_the_labels(smooth):
    X, _ = smooth(seed=1, r=3, n=200, p=5)
    weights = np.array([3.0, -2.0, 1.0, 0.0, 0.5]) / X.std(axis=0)
    ranks = np.digitize(X @ weights, np.quantile(X @ weights, [0.5, 0.8]))
    problem = OrdinalProblem(X, ranks)
    swarm = DirectionSwarm(problem, ALL, 30, np.empty((0, 5)), np.random.default_rng(0))
    run(problem, swarm, 100)
    np.testing.assert_allclose(swarm.archive.points.max(axis=0), 1.0, atol=0.01)
