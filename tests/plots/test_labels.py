from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from scipy.optimize import minimize

from moselect.plots.labels import RADIUS, name_points, spread

PLACES = st.lists(st.floats(-0.5, 1.5), min_size=1, max_size=8)


@given(PLACES, st.floats(0.01, 0.4))
def test_places_are_apart_in_range_and_in_order(places, gap):
    moved = spread(places, gap)
    least = min(gap, 1.0 / max(1, len(places) - 1))
    assert (np.diff(np.sort(moved)) >= least - 1e-9).all()
    assert moved.min() >= -1e-9
    assert moved.max() <= 1.0 + 1e-9
    assert (np.diff(moved[np.argsort(np.clip(places, 0, 1), kind="stable")]) > 0.0).all()


@pytest.mark.parametrize("seed", range(5))
def test_moves_are_the_least(seed):
    places = np.sort(np.random.default_rng(seed).random(5))
    best = minimize(
        lambda moved: ((moved - places) ** 2).sum(),
        np.linspace(0, 1, 5),
        bounds=[(0, 1)] * 5,
        constraints={"type": "ineq", "fun": lambda moved: np.diff(moved) - 0.15},
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    np.testing.assert_allclose(spread(places, 0.15), best.x, atol=1e-5)


def draw(x, y, names):
    ax = Figure(figsize=(7.0, 4.8), layout="constrained").subplots()
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), xlabel="a long label\nof two lines")
    name_points(ax, x, y, names)
    ax.figure.draw_without_rendering()
    notes = [note for note in ax.texts if note.get_text()]
    assert [note.get_text() for note in notes] == list(names)
    return ax, notes


def assert_apart(one, other):
    common = Bbox.intersection(one, other)
    assert common is None or min(common.width, common.height) < 1.5  # pixels: of rounding


@pytest.mark.slow
@settings(max_examples=12, phases=[Phase.explicit, Phase.generate])
@given(
    n=st.integers(1, 10),
    seed=st.integers(0, 10**6),
    narrow=st.sampled_from([1.0, 0.3, 0.1]),
    corner=st.sampled_from([0.0, 0.4, 1.0]),
)
def test_names_cover_neither_each_other_nor_points(n, seed, narrow, corner):
    places = corner * (1.0 - narrow) + narrow * np.random.default_rng(seed).random((n, 2))
    ax, notes = draw(*places.T, [f"model number {i}" for i in range(n)])
    boxes = [note.get_window_extent() for note in notes]
    for one, other in combinations(boxes, 2):
        assert_apart(one, other)
    radius = 0.9 * RADIUS * ax.figure.dpi / 72.0
    for point in ax.transData.transform(places):
        dot = Bbox([point - radius, point + radius])
        for box in boxes:
            assert_apart(dot, box)
    for box in boxes:
        inside = Bbox.intersection(box, ax.bbox)
        assert inside.width == pytest.approx(box.width, abs=1.5)  # pixels
        assert inside.height == pytest.approx(box.height, abs=1.5)


def test_a_name_stays_beside_its_point_unless_it_must_not():
    _, (near, far) = draw([0.2, 0.8], [0.5, 0.5], ["near", "too"])
    for note in (near, far):
        assert note.get_position() == (5.0, 0.0)
    _, (edge,) = draw([0.99], [0.5], ["to the left"])
    assert edge.get_position() == (-5.0, 0.0)


def test_names_far_from_their_points_are_joined_to_them():
    places = np.full((9, 2), 0.5)
    ax, notes = draw(*places.T, [f"model number {i}" for i in range(9)])
    leaders = [note for note in ax.texts if not note.get_text()]
    away = [note.get_position() for note in notes if np.hypot(*note.get_position()) > 8.0]
    assert len(away) > 0
    assert [leader.get_position() for leader in leaders] == away
