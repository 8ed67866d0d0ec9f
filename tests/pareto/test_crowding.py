from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.pareto import crowding_distance


def slow_crowding(points):
    """Crowding distance as Deb et al. 2002, section III-B, write it down; ties in given order."""
    distance = [0.0] * len(points)
    for values in zip(*points, strict=True):
        order = sorted(range(len(values)), key=values.__getitem__)
        lowest, highest = values[order[0]], values[order[-1]]
        if lowest == highest:
            continue
        distance[order[0]] = distance[order[-1]] = math.inf
        for before, i, after in zip(order, order[1:], order[2:], strict=False):
            distance[i] += (values[after] - values[before]) / (highest - lowest)
    return distance


@pytest.mark.parametrize("m", [1, 2, 6])
@given(st.data())
def test_crowding_is_that_of_nsga2(m, data):
    point = st.tuples(*[st.floats(-1e6, 1e6, width=32)] * m)
    points = data.draw(st.lists(point, min_size=1, max_size=12))
    np.testing.assert_allclose(crowding_distance(points), slow_crowding(points), rtol=1e-12)


@pytest.mark.parametrize("m", [2, 3])
@given(st.data())
def test_crowding_with_ties_and_constant_objectives(m, data):
    point = st.tuples(st.just(5.0), *[st.integers(0, 3).map(float)] * m)
    points = data.draw(st.lists(point, min_size=1, max_size=12))
    np.testing.assert_allclose(crowding_distance(points), slow_crowding(points), rtol=1e-12)


@given(
    st.lists(
        st.tuples(*[st.integers(-50, 50).map(float)] * 3),
        min_size=1,
        unique_by=tuple(lambda point, j=j: point[j] for j in range(3)),
    ),
    st.randoms(use_true_random=False),
)
def test_distances_travel_with_their_points(points, random):
    order = random.sample(range(len(points)), len(points))
    shuffled = crowding_distance([points[i] for i in order])
    np.testing.assert_array_equal(shuffled, crowding_distance(points)[order])


def test_units_of_the_objectives_do_not_matter():
    points = np.random.default_rng(0).random((30, 3))
    other_units = points * [1.0, 1024.0, 2.0**-20]
    np.testing.assert_array_equal(crowding_distance(other_units), crowding_distance(points))


def test_the_extremes_of_every_objective_are_infinitely_lonely():
    points = np.random.default_rng(0).random((50, 4))
    extremes = {*points.argmin(axis=0), *points.argmax(axis=0)}
    assert set(np.flatnonzero(np.isinf(crowding_distance(points)))) == extremes


@pytest.mark.parametrize("empty", [[], np.empty((0, 3))])
def test_no_points_have_no_distances(empty):
    assert crowding_distance(empty).shape == (0,)


def test_one_point_has_no_neighbours():
    assert crowding_distance([[0.3, 0.7]]).tolist() == [0.0]


def test_two_points_are_both_extreme():
    assert crowding_distance([[0.3, 0.7], [0.4, 0.6]]).tolist() == [math.inf, math.inf]


def test_equal_points_have_no_distance():
    assert crowding_distance([[0.3, 0.7]] * 4).tolist() == [0.0] * 4


def test_points_are_not_changed():
    points = np.random.default_rng(0).random((20, 3))
    before = points.copy()
    crowding_distance(points)
    np.testing.assert_array_equal(points, before)
