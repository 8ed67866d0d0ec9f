from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from moselect import metrics
from moselect.plots import ranking_curve
from tests.plots.conftest import legend

rng = np.random.default_rng(0)
Y = rng.normal(size=80)
GOOD = metrics.ranking_curve(Y, Y + rng.normal(size=80), n_bootstrap=50, random_state=0)
RANDOM = metrics.ranking_curve(Y, rng.normal(size=80), n_buckets=5)


def test_line_and_band_are_those_of_the_curve():
    ax = ranking_curve(GOOD)
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), np.arange(1, 11))
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), GOOD.values)
    (band,) = ax.collections
    corners = band.get_paths()[0].vertices
    for x, low, high in zip(GOOD.positions, GOOD.lower, GOOD.upper, strict=True):
        assert {low, high} == set(corners[corners[:, 0] == x, 1])
    assert legend(ax.get_legend())[0].endswith(f"first {GOOD.difference:.3g}")


def test_a_random_ranking_stays_at_the_mean_of_the_target():
    ax = ranking_curve(RANDOM)
    assert len(ax.collections) == 0  # no band was asked for
    np.testing.assert_allclose(ax.lines[1].get_ydata(), Y.mean())


def test_several_curves_are_named_and_differ():
    ax = Figure().subplots()
    assert ranking_curve({"model": GOOD, "chance": RANDOM}, ax=ax) is ax
    assert [text.split(":")[0] for text in legend(ax.get_legend())[:2]] == ["model", "chance"]
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), RANDOM.values)
