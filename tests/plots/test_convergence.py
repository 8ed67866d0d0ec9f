from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from moselect.plots import convergence


def make_history(*runs):
    parts = [
        pd.DataFrame({"run": run, "n_evaluations": marks, "hypervolume": volumes})
        for run, (marks, volumes) in enumerate(runs)
    ]
    return pd.concat(parts, ignore_index=True)


HISTORY = make_history(
    ([100, 200, 400], [0.1, 0.3, 0.4]),
    ([100, 200, 400], [0.2, 0.2, 0.9]),
    ([100, 200, 400], [0.0, 0.4, 0.5]),
)


def drawn(ax):
    """Median, and lower and upper edge of the band."""
    corners = ax.collections[0].get_paths()[0].vertices
    x, median = ax.lines[0].get_data()
    edges = [np.sort(np.unique(corners[corners[:, 0] == place, 1]))[[0, -1]] for place in x]
    return x, median, *np.array(edges).T


def test_median_and_range_at_common_marks():
    x, median, low, high = drawn(convergence(HISTORY))
    assert x.tolist() == [100, 200, 400]
    assert median.tolist() == [0.1, 0.3, 0.5]
    assert low.tolist() == [0.0, 0.2, 0.4]
    assert high.tolist() == [0.2, 0.4, 0.9]


def test_runs_grow_evenly_between_marks_and_stay_after_their_end():
    history = make_history(([100, 300], [0.1, 0.3]), ([150, 500], [0.2, 0.9]))
    x, median, low, high = drawn(convergence(history))
    assert x.tolist() == [150, 300, 500]
    second = [0.2, 0.2 + 0.7 * 150 / 350, 0.9]
    np.testing.assert_allclose(low, [0.15, 0.3, 0.3])
    np.testing.assert_allclose(high, second)
    np.testing.assert_allclose(median, (low + high) / 2)


def test_several_searches_are_named_and_seconds_can_be_the_effort():
    history = HISTORY.assign(seconds=HISTORY["n_evaluations"] / 50)
    ax = Figure().subplots()
    assert convergence({"a": history, "b": history[:3]}, against="seconds", ax=ax) is ax
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["a (3 runs)", "b (1 run)"]
    assert ax.lines[0].get_xdata().tolist() == [2, 4, 8]
    assert ax.lines[1].get_ydata().tolist() == [0.1, 0.3, 0.4]
    assert ax.lines[0].get_color() != ax.lines[1].get_color()
    assert ax.get_xlabel() == "seconds of a run"


def test_ticks_are_plain_numbers():
    wide = make_history(([100, 1_000_000], [0.1, 0.3]))
    for history, expected in ((HISTORY, {"100", "200"}), (wide, {"1,000", "10,000", "100,000"})):
        ax = convergence(history)
        ax.figure.draw_without_rendering()
        shown = {label.get_text() for label in ax.get_xticklabels()}
        assert expected <= shown
        assert not any("$" in text for text in shown)


@pytest.mark.parametrize(
    ("history", "settings", "message"),
    [
        (HISTORY, {"against": "hours"}, "unknown effort 'hours'"),
        (HISTORY, {"against": "seconds"}, "history has no column 'seconds'"),
        (HISTORY[:0], {}, "history has no rows"),
        ({}, {}, "there are 0 histories: from 1 to 6"),
        ({str(i): HISTORY for i in range(7)}, {}, "there are 7 histories: from 1 to 6"),
    ],
)
def test_wrong_input_is_refused(history, settings, message):
    with pytest.raises(ValueError, match=message) as caught:
        convergence(history, **settings)
    assert "\n" not in str(caught.value)
