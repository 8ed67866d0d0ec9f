from __future__ import annotations

import numpy as np
import pytest

from moselect.plots import price_of_limit, thresholds, trade_off
from tests.plots.conftest import legend


@pytest.fixture(scope="module")
def selected(searched):
    search, *_ = searched
    return search.select([1, 1, 4], model="linear", limits={"high<high": 0.6})


def test_the_trade_off_that_is_drawn_is_the_evidence(selected):
    evidence = selected.evidence
    figure = trade_off(evidence)
    labels = evidence.samples.classes.tolist()[1:]
    assert [ax.get_title() for ax in figure.axes] == ["middle or above", "high"]
    for ax, label in zip(figure.axes, labels, strict=True):
        table = evidence.trade_off(label)
        lines = {line.get_label(): line for line in ax.lines if len(line.get_xdata()) > 1}
        for kind in ("linear", "proportional odds"):
            part = table[table["model"] == kind]
            np.testing.assert_array_equal(
                lines[kind].get_xydata(), part[["false_alarm_rate", "miss_rate"]]
            )
        chosen, trivial = ax.containers
        called, high = (
            np.isin(each, labels[labels.index(label) :])
            for each in (evidence.predicted["linear"], evidence.true)
        )
        expected = [called[~high].mean(), 1.0 - called[high].mean()]
        np.testing.assert_allclose(chosen.lines[0].get_xydata()[0], expected)
        assert sorted(trivial.lines[0].get_xydata()[0]) == [0.0, 1.0]
    assert legend(figure.legends[0])[-2:] == ["linear, selected", "always one class"]


def test_prices_hold_up_to_the_limit_of_the_row_before(selected):
    table = selected.evidence.price("high<high")
    (ax,) = price_of_limit(selected.evidence).axes
    assert ax.get_title() == "high called lower"
    drawn = sorted(
        (*segment[:, 0], segment[0, 1])
        for lines in ax.collections
        for segment in lines.get_segments()
    )
    ends = [1.0, *table["limit"]]
    expected = sorted(zip(ends[1:], np.clip(ends[:-1], 0, 1), table["cost"], strict=True))
    np.testing.assert_allclose(drawn, expected)
    assert any(set(line.get_xdata()) == {0.6} for line in ax.lines)  # the limit in use


@pytest.mark.slow
def test_thresholds_are_drawn_with_what_each_cut_misses(searched, selected):
    search, X, y, *_ = searched
    ax = thresholds(selected, X, y)
    (right,) = ax.child_axes
    classes, called = selected.classes_, selected.predict(X)
    for border, text in enumerate(right.get_yticklabels(), start=1):
        above, high = np.isin(y, classes[border:]), np.isin(called, classes[border:])
        missed, alarms = np.mean(~high[above]), np.mean(high[~above])
        assert text.get_text() == f"miss rate {missed:.0%}\nfalse alarm rate {alarms:.0%}"
    dots = sum(len(line.get_xdata()) for line in ax.lines if line.get_marker() == "o")
    assert dots == len(y)
    pool = search.select([1, 1, 4], model="ensemble")
    with pytest.raises(
        ValueError, match="has no thresholds: select a model with one score"
    ):
        thresholds(pool, X, y)
