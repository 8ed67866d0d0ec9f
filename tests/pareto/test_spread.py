import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.pareto import crowding_distance, spread_subset


def slow_crowding(points):
    """Compute the crowding distance by Deb et al. (2002), section III-B; ties in given order."""
    distance = [0.0] * len(points)
    for values in zip(*points, strict=True):
        order = sorted(range(len(values)), key=values.__getitem__)
        lowest = values[order[0]]
        highest = values[order[-1]]
        if lowest == highest:
            continue
        distance[order[0]] = distance[order[-1]] = math.inf
        for before, i, after in zip(order, order[1:], order[2:], strict=False):
            distance[i] += (values[after] - values[before]) / (highest - lowest)
    return distance


@st.composite
def clouds(draw, elements):
    m = draw(st.integers(1, 4))
    return np.array(draw(st.lists(st.tuples(*[elements] * m), min_size=1, max_size=15)))


COARSE = clouds(st.integers(0, 3).map(float))
FINE = clouds(st.floats(-1e3, 1e3).map(lambda x: round(x, 3)))


@given(COARSE | FINE)
def test_crowding_equals_the_definition_of_nsga2(points):
    np.testing.assert_allclose(
        crowding_distance(points), slow_crowding(points.tolist()), rtol=1e-12
    )


@given(COARSE | FINE, st.integers(1, 20))
def test_subsets_start_with_the_best_and_end_with_duplicates(points, k):
    chosen = spread_subset(points, k)
    assert len(set(chosen.tolist())) == len(chosen) == min(k, len(points))
    n_distinct = len(np.unique(points, axis=0))
    assert len(np.unique(points[chosen], axis=0)) == min(k, n_distinct)
    first = points[chosen[: points.shape[1]]]
    kept = min(k, points.shape[1])
    np.testing.assert_array_equal(first.max(axis=0)[:kept], points.max(axis=0)[:kept])
    assert chosen.tolist() == spread_subset(points, k + 1)[:k].tolist()


@pytest.mark.parametrize("seed", range(3))
def test_each_next_point_is_the_farthest_from_its_predecessors(seed):
    rng = np.random.default_rng(seed)
    points = rng.random((40, 3)) * [1.0, 1e-3, 1e4] - [5.0, 0.0, 7.0]
    chosen = spread_subset(points, 15)
    scaled = (points - points.min(axis=0)) / (points.max(axis=0) - points.min(axis=0))
    # Greedy farthest-point selection after scaling each objective to its range.
    between = np.linalg.norm(scaled[:, None] - scaled, axis=2)
    for i in range(len(set(points.argmax(axis=0))), 15):
        to_nearest = between[:, chosen[:i]].min(axis=1)
        assert to_nearest[chosen[i]] == pytest.approx(to_nearest.max())
