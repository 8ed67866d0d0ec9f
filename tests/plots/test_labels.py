from itertools import combinations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from moselect.plots.compared_models import RADIUS, name_points
from moselect.plots.style import lay_out


def draw(x, y, names):
    ax = Figure(figsize=(7.0, 4.8), layout="constrained").subplots()
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), xlabel="a long label\nof two lines")
    lay_out(ax)
    name_points(ax, x, y, names)
    ax.figure.draw_without_rendering()
    notes = [note for note in ax.texts if note.get_text()]
    assert [note.get_text() for note in notes] == list(names)
    return ax, notes


def assert_no_overlap(one, other):
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
        assert_no_overlap(one, other)
    radius = 0.9 * RADIUS * ax.figure.dpi / 72.0
    for point in ax.transData.transform(places):
        dot = Bbox([point - radius, point + radius])
        for box in boxes:
            assert_no_overlap(dot, box)
    frame = ax.bbox.padded(1.5)  # pixels
    assert all(frame.count_contains(box.corners()) == 4 for box in boxes)
