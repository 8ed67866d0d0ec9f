from __future__ import annotations

import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from sklearn.metrics import recall_score

from moselect.metrics import roc_surface, vus_score
from moselect.plots import roc_surface as draw_surface


def make_surface(n):
    rng = np.random.default_rng(n)
    y = np.arange(n) % 3
    scores = y + rng.normal(size=n)
    return roc_surface(y, scores), y, scores


def corners(ax):
    (drawn,) = [c for c in ax.collections if isinstance(c, Poly3DCollection)]
    old = not hasattr(drawn, "_faces")  # Matplotlib 3.10
    points = drawn._vec[:3].T if old else np.concatenate(drawn._faces)
    return np.unique(np.round(points, 12), axis=0)


def test_small_surface_is_drawn_point_by_point():
    surface, y, scores = make_surface(24)
    expected = [
        recall_score(y, np.searchsorted(sorted_pair, scores), average=None)
        for a in [-np.inf, *scores[y == 0]]
        for b in [-np.inf, *scores[y == 1]]
        for sorted_pair in [(a, max(a, b))]
    ]
    ax = draw_surface(surface)
    np.testing.assert_allclose(corners(ax), np.unique(np.round(expected, 12), axis=0))
    assert f"{vus_score(y, scores):.3f}" in ax.get_title()


def test_operating_point_is_marked_in_sight():
    surface, *_ = make_surface(30)
    ax = draw_surface(surface, [0.5, 0.25, 1.0])
    (star,) = [line for line in ax.lines if "operating" in str(line.get_label())]
    assert np.ravel(star.get_data_3d()).tolist() == [0.5, 0.25, 1.0]
    assert star.get_label() == "operating point: 0.50, 0.25, 1.00"
    assert not ax.computed_zorder
    (drawn,) = ax.collections
    assert star.get_zorder() > drawn.get_zorder()
    feet = sorted(np.array(line.get_data_3d())[:, 0].tolist() for line in ax.lines[:3])
    assert feet == [[0.0, 0.25, 1.0], [0.5, 0.0, 1.0], [0.5, 0.25, 0.0]]
