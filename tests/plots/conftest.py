from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import pytest
from matplotlib.text import Text


def labels_out_of_sight(ax):
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not low <= tick.get_loc() <= high:
                yield from (tick.label1, tick.label2)


@pytest.fixture(scope="session")
def texts_in_sight():
    """Lay a figure out and give its texts, and which pairs of them touch."""

    def look(figure):
        figure.draw_without_rendering()
        hidden = {label for ax in figure.axes for label in labels_out_of_sight(ax)}
        seen = [
            text
            for text in figure.findobj(Text)
            if text.get_visible() and text.get_text() and text not in hidden
        ]
        boxes = [text.get_window_extent().shrunk(0.98, 0.9) for text in seen]
        whole = figure.bbox
        inside = [k for k, box in enumerate(boxes) if whole.overlaps(box)]
        touching = [
            (seen[a].get_text(), seen[b].get_text())
            for a, b in itertools.combinations(inside, 2)
            if boxes[a].overlaps(boxes[b])
            and seen[a].get_rotation() % 90 == seen[b].get_rotation() % 90 == 0  # boxes are tight
        ]
        return [seen[k] for k in inside], touching

    return look


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")
