from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.pareto import ParetoArchive


def slow_front(points):
    """Places of the points that none dominates and that have no equal before them."""
    at_least = (points[:, None] >= points[None]).all(axis=2)
    better = at_least & ~at_least.T
    earlier_equal = (
        at_least & at_least.T & (np.arange(len(points))[:, None] < np.arange(len(points)))
    )
    return np.flatnonzero(~(better | earlier_equal).any(axis=0))


def assert_archive_filters(batches, m):
    """Add the batches one by one; the payload of a point is its place in the history, twice."""
    archive = ParetoArchive(n_objectives=m, payload_width=2)
    history = np.empty((0, m))
    for batch in batches:
        first = len(history)
        history = np.vstack([history, batch])
        places = np.arange(first, len(history), dtype=float)
        entered = archive.add(batch, np.column_stack([places, -places]))
        front = slow_front(history)
        members = archive.payload[:, 0].astype(int)
        assert sorted(members) == front.tolist()
        assert len(archive) == len(front)
        np.testing.assert_array_equal(archive.payload[:, 1], -archive.payload[:, 0])
        np.testing.assert_array_equal(archive.points, history[members])
        np.testing.assert_array_equal(archive.columns, history[members].T)
        assert entered.tolist() == (front[front >= first] - first).tolist()


def draw_sphere(rng, n, m):
    points = np.abs(rng.normal(size=(n, m)))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@given(st.integers(1, 4), st.data())
def test_members_are_the_front_of_everything_ever_added(m, data):
    point = st.tuples(*[st.integers(0, 3).map(float)] * m)
    batch = st.lists(point, max_size=8).map(lambda rows: np.array(rows).reshape(-1, m))
    assert_archive_filters(data.draw(st.lists(batch, min_size=1, max_size=6)), m)


@pytest.mark.parametrize("m", [2, 3, 6])
def test_many_batches_while_the_front_moves_outwards(m):
    rng = np.random.default_rng(m)
    radii = np.linspace(0.8, 1.0, 25)
    assert_archive_filters([radius * draw_sphere(rng, 30, m) for radius in radii], m)


def test_payload_survives_growth_after_members_have_left():
    rng = np.random.default_rng(0)
    sizes = [50, 1, 1, 1, 120, 7, 300]
    batches = [(1 + i) * draw_sphere(rng, size, 2) for i, size in enumerate(sizes)]
    assert_archive_filters(batches, 2)


def test_a_point_that_enters_and_is_pushed_out_in_the_same_call_is_not_returned():
    archive = ParetoArchive(2, 1)
    points = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 0.0]])
    assert archive.add(points, np.zeros((3, 1))).tolist() == [1, 2]


def test_the_first_of_equal_points_stays():
    archive = ParetoArchive(2, 1)
    archive.add(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[7.0], [8.0]]))
    entered = archive.add(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[9.0], [10.0]]))
    assert entered.tolist() == [0]
    assert sorted(archive.payload[:, 0]) == [7.0, 9.0]


@pytest.mark.parametrize("n_before", [0, 5])
def test_an_empty_batch_changes_nothing(n_before):
    archive = ParetoArchive(2, 1)
    steps = np.arange(n_before, dtype=float)
    archive.add(np.column_stack([steps, -steps]), steps[:, None])
    points, payload = archive.points.copy(), archive.payload.copy()
    assert archive.add(np.empty((0, 2)), np.empty((0, 1))).tolist() == []
    np.testing.assert_array_equal(archive.points, points)
    np.testing.assert_array_equal(archive.payload, payload)


def test_the_archive_keeps_copies():
    archive = ParetoArchive(2, 1)
    points, payload = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[3.0], [4.0]])
    archive.add(points, payload)
    points[:], payload[:] = 9.0, 9.0
    assert sorted(archive.points.tolist()) == [[0.0, 1.0], [1.0, 0.0]]
    assert sorted(archive.payload.tolist()) == [[3.0], [4.0]]


def test_the_same_history_gives_the_same_order():
    archives = ParetoArchive(3, 1), ParetoArchive(3, 1)
    for archive in archives:
        rng = np.random.default_rng(3)
        for _ in range(4):
            archive.add(draw_sphere(rng, 50, 3), rng.random((50, 1)))
    np.testing.assert_array_equal(archives[0].points, archives[1].points)
    np.testing.assert_array_equal(archives[0].payload, archives[1].payload)
