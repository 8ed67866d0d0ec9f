from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect._kernels.pareto import BLOCK, insert
from tests.fronts import draw_sphere, slow_front


def store(points, capacity):
    """Put points (k, m) into columns, followed by points that would dominate all, if read."""
    columns = np.full((points.shape[1], capacity), np.inf)
    columns[:, : len(points)] = points.T
    ids = np.full(capacity, -1)
    ids[: len(points)] = np.arange(len(points))
    return columns, ids


def assert_insert_filters(inside, candidates):
    """``inside`` (k, m) must not dominate each other."""
    union = np.vstack([inside, candidates])
    columns, ids = store(inside, len(union))
    before = candidates.copy()
    size = insert(
        columns, ids, len(inside), candidates, np.arange(len(inside), len(union))
    )
    assert sorted(ids[:size].tolist()) == slow_front(union).tolist()
    np.testing.assert_array_equal(columns[:, :size].T, union[ids[:size]])
    np.testing.assert_array_equal(candidates, before)


@given(st.integers(2, 6), st.data())
def test_insert_few_points_with_many_ties(m, data):
    point = st.tuples(*[st.integers(-2, 2).map(float)] * m)
    inside = np.array(data.draw(st.lists(point, min_size=1, max_size=12)))
    candidates = np.array(data.draw(st.lists(point, min_size=1, max_size=12)))
    assert_insert_filters(inside[slow_front(inside)], candidates)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("m", [2, 3, 4, 5, 6])
def test_insert_into_an_archive_of_several_blocks(m, seed):
    rng = np.random.default_rng(seed)
    inside = draw_sphere(rng, 3 * BLOCK + 5, m)
    inside = inside[slow_front(inside)]
    assert len(inside) > 2 * BLOCK
    radius = rng.uniform(0.8, 1.1, size=(80, 1))
    candidates = draw_sphere(rng, 80, m) * radius
    candidates = np.vstack(
        [candidates, inside[:10], candidates[:10], candidates[:5] + 1e-9]
    )
    assert_insert_filters(inside, candidates)
