import itertools
import math

import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.pareto import hypervolume_above_chance


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


@pytest.fixture(scope="module")
def cloud():
    """Draw over 1,000 trade-offs between six measures, and their chance levels."""
    rng = np.random.default_rng(0)
    scalarisations = rng.dirichlet(np.ones(6), size=1_150)
    best = np.array([0.62, 0.82, 0.45, 0.90, 0.88, 0.87])
    curvature = rng.uniform(0.02, 0.12, size=6)
    distance = ((scalarisations[:, None, :] - np.eye(6)) ** 2).sum(axis=2)
    points = best - curvature * distance - 0.002 * rng.exponential(size=distance.shape)
    return points, np.array([0.3, 0.6, 1 / 120, 0.5, 0.5, 0.5])


@given(fronts(), st.data())
def test_hypervolume_equals_the_union_of_boxes(drawn, data):
    points, chance = drawn
    volume = hypervolume_above_chance(points, chance)
    expected = slow_hypervolume(points, chance)
    assert volume == pytest.approx(expected, rel=1e-9, abs=1e-12)
    worse = [[max(0.0, x - 0.1) for x in point] for point in points]
    combined = hypervolume_above_chance([*worse, *points, *points[::-1]], chance)
    assert combined == pytest.approx(volume, rel=1e-12)
    extended = [*points, data.draw(st.tuples(*[st.floats(0.0, 1.0)] * len(chance)))]
    assert hypervolume_above_chance(extended, chance) >= volume - 1e-12


@pytest.mark.slow
def test_the_approximation_has_an_error_below_a_thousandth(cloud):
    points, chance = cloud
    gains = (points - chance) / (1.0 - chance)
    assert moocore.is_nondominated(gains, maximise=True).sum() > 1_000
    exact = moocore.hypervolume(gains, ref=np.zeros(6), maximise=True)
    assert hypervolume_above_chance(points, chance) == pytest.approx(exact, rel=1e-3)


def test_a_thousand_points_are_exact_and_more_are_approximated():
    points, area = staircase(1_000)
    assert hypervolume_above_chance(points, [0.0, 0.0]) == pytest.approx(area, rel=1e-12)
    points, area = staircase(1_001)
    few_nodes = hypervolume_above_chance(points, [0.0, 0.0], n_samples=64)
    assert few_nodes == pytest.approx(area, rel=0.1)
    assert few_nodes != pytest.approx(area, rel=1e-6)
