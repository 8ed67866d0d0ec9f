import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from moselect.pareto import ParetoArchive
from tests.fronts import draw_sphere, slow_front


def assert_archive_filters(batches, m):
    """Add the batches one by one; the payload of a point is its index in the history, twice."""
    archive = ParetoArchive(n_objectives=m, payload_width=2)
    history = np.empty((0, m))
    for batch in batches:
        first = len(history)
        history = np.vstack([history, batch])
        indices = np.arange(first, len(history), dtype=float)
        entered = archive.add(batch, np.column_stack([indices, -indices]))
        front = slow_front(history)
        members = archive.payload[:, 0].astype(int)
        assert sorted(members) == front.tolist()
        assert len(archive) == len(front)
        np.testing.assert_array_equal(archive.payload[:, 1], -archive.payload[:, 0])
        np.testing.assert_array_equal(archive.points, history[members])
        np.testing.assert_array_equal(archive.columns, history[members].T)
        assert entered.tolist() == (front[front >= first] - first).tolist()


@given(st.integers(1, 4), st.data())
def test_members_are_the_front_of_all_added_points(m, data):
    point = st.tuples(*[st.integers(0, 3).map(float)] * m)
    batch = st.lists(point, max_size=8).map(lambda rows: np.array(rows).reshape(-1, m))
    assert_archive_filters(data.draw(st.lists(batch, min_size=1, max_size=6)), m)


def test_payload_survives_growth_after_members_are_dominated():
    rng = np.random.default_rng(0)
    sizes = [50, 1, 1, 1, 120, 7, 300]
    batches = [(1 + i) * draw_sphere(rng, size, 2) for i, size in enumerate(sizes)]
    assert_archive_filters(batches, 2)
