"""Archives, hypervolume, crowding distances and subsets against their definitions."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from moselect.search import (
    ParetoArchive,
    crowding_distance,
    hypervolume_above_chance,
    spread_subset,
)
from tests.fronts import draw_sphere, slow_front


def assert_archive_filters(batches, m):
    """Add the batches one by one; the payload of a point is its index in the history, twice."""
    archive = ParetoArchive(n_objectives=m, payload_width=2)
    history = np.empty((0, m))
    for batch in batches:
        indices = np.arange(len(history), len(history) + len(batch), dtype=float)
        history = np.vstack([history, batch])
        archive.add(batch, np.column_stack([indices, -indices]))
        front = slow_front(history)
        members = archive.payload[:, 0].astype(int)
        assert sorted(members) == front.tolist()
        assert len(archive) == len(front)
        assert_array_equal(archive.payload[:, 1], -archive.payload[:, 0])
        assert_array_equal(archive.points, history[members])


@given(st.integers(1, 4), st.data())
def test_members_are_the_front_of_all_added_points(m, data):
    point = st.tuples(*[st.integers(0, 3).map(float)] * m)
    batch = st.lists(point, max_size=8).map(lambda rows: np.array(rows).reshape(-1, m))
    assert_archive_filters(data.draw(st.lists(batch, min_size=1, max_size=6)), m)


def test_payload_survives_growth_after_members_are_dominated(rng):
    sizes = [50, 1, 1, 1, 120, 7, 300]
    batches = [(1 + i) * draw_sphere(rng, size, 2) for i, size in enumerate(sizes)]
    assert_archive_filters(batches, 2)


def slow_hypervolume(points, chance):
    """Inclusion-exclusion over the boxes between chance and each point."""
    boxes = [
        [max(0.0, (x - c) / (1.0 - c)) for x, c in zip(point, chance, strict=True)]
        for point in points
    ]
    total = 0.0
    for size in range(1, len(boxes) + 1):
        for subset in itertools.combinations(boxes, size):
            total -= (-1) ** size * math.prod(map(min, zip(*subset, strict=True)))
    return total


@st.composite
def fronts(draw):
    """Draw points on a coarse grid, many at or below chance, and chance itself."""
    m = draw(st.integers(2, 4))
    chance = draw(st.tuples(*[st.sampled_from([0.0, 0.125, 0.3, 0.5])] * m))
    point = st.tuples(*[st.integers(0, 8).map(lambda k: k / 8)] * m)
    return draw(st.lists(point, min_size=1, max_size=6)), chance


def staircase(n):
    """Return n points on the line x + y = 1 and the area that they dominate above 0."""
    x = np.arange(1, n + 1) / (n + 1)
    return np.column_stack([x, 1.0 - x]), n / (2.0 * (n + 1))


@pytest.mark.checks("Search and thresholds", "inclusion and exclusion of boxes")
@given(fronts(), st.data())
def test_hypervolume_equals_the_union_of_boxes(drawn, data):
    points, chance = drawn
    volume = hypervolume_above_chance(points, chance)
    assert volume == pytest.approx(slow_hypervolume(points, chance), rel=1e-9, abs=1e-12)
    worse = [[max(0.0, x - 0.1) for x in point] for point in points]
    combined = hypervolume_above_chance([*worse, *points, *points[::-1]], chance)
    assert combined == pytest.approx(volume, rel=1e-12)
    extended = [*points, data.draw(st.tuples(*[st.floats(0.0, 1.0)] * len(chance)))]
    assert hypervolume_above_chance(extended, chance) >= volume - 1e-12


def test_a_thousand_points_are_exact_and_more_are_approximated():
    points, area = staircase(1_000)
    assert hypervolume_above_chance(points, [0.0, 0.0]) == pytest.approx(area, rel=1e-12)
    points, area = staircase(1_001)
    assert hypervolume_above_chance(points, [0.0, 0.0]) == pytest.approx(area, rel=1e-3)
    few_nodes = hypervolume_above_chance(points, [0.0, 0.0], n_samples=64)
    assert few_nodes == pytest.approx(area, rel=0.1)
    assert few_nodes != pytest.approx(area, rel=1e-6)


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


@pytest.mark.checks("Search and thresholds", "the definition, point by point")
@given(COARSE | FINE)
def test_crowding_equals_the_definition_of_nsga2(points):
    assert_allclose(crowding_distance(points), slow_crowding(points.tolist()), rtol=1e-12)


@given(COARSE | FINE, st.integers(1, 20))
def test_subsets_start_with_the_best_and_end_with_duplicates(points, k):
    chosen = spread_subset(points, k)
    assert len(set(chosen.tolist())) == len(chosen) == min(k, len(points))
    n_distinct = len(np.unique(points, axis=0))
    assert len(np.unique(points[chosen], axis=0)) == min(k, n_distinct)
    first = points[chosen[: points.shape[1]]]
    kept = min(k, points.shape[1])
    assert_array_equal(first.max(axis=0)[:kept], points.max(axis=0)[:kept])
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
