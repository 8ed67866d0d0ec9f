import re

import numpy as np
import pytest

from moselect.plots import referral, trade_off
from tests.plots.conftest import legend


@pytest.mark.checks("Files, exports and pages", "the evidence that is drawn")
def test_the_drawn_trade_off_matches_the_evidence(selected):
    evidence = selected.evidence
    figure = trade_off(evidence)
    labels = evidence.samples.classes.tolist()[1:]
    assert [ax.get_title() for ax in figure.axes] == ["middle or above", "high"]
    for ax, label in zip(figure.axes, labels, strict=True):
        table = evidence.trade_off(label)
        lines = {line.get_label(): line for line in ax.lines if len(line.get_xdata()) > 1}
        for candidate in ("linear", "proportional odds"):
            part = table[table["model"] == candidate]
            np.testing.assert_array_equal(
                lines[candidate].get_xydata(), part[["false_alarm_rate", "miss_rate"]]
            )
        chosen, trivial = ax.containers
        predicted_high, high = (
            np.isin(each, labels[labels.index(label) :])
            for each in (evidence.predicted["linear"], evidence.true)
        )
        expected = np.array(
            [predicted_high[~high].mean(), 1.0 - predicted_high[high].mean()]
        )
        np.testing.assert_allclose(chosen.lines[0].get_xydata()[0], expected)
        assert sorted(trivial.lines[0].get_xydata()[0]) == [0.0, 1.0]
    (entries,) = figure.legends
    assert legend(entries)[-2:] == ["linear, selected", "always one class"]
    rates = re.findall(r"(\d+) %", entries.get_title().get_text())
    assert [float(rate) for rate in rates] == pytest.approx(100 * expected[::-1], abs=0.5)


@pytest.mark.slow
def test_pictures_show_the_lowest_class_if_its_errors_cost_most(searched):
    evidence = searched[0].select([4, 1, 1], model="linear").evidence
    is_low = evidence.true == "low"
    is_predicted = evidence.predicted["linear"].to_numpy() == "low"
    miss_rate = 1.0 - is_predicted[is_low].mean()
    false_alarm_rate = is_predicted[~is_low].mean()
    figure = trade_off(evidence)
    (entries,) = figure.legends
    assert f"{100 * miss_rate:.0f} % of low missed" in entries.get_title().get_text()
    ax = figure.axes[0]
    assert ax.get_title() == "low"
    dot = ax.containers[0].lines[0].get_xydata()[0]
    np.testing.assert_allclose(dot, [false_alarm_rate, miss_rate])


@pytest.mark.slow
def test_rates_are_those_of_the_samples_that_are_not_referred(searched):
    search, *_ = searched
    evidence = search.select([1, 1, 4], model="linear", refer=0.4).evidence
    predicted = evidence.predicted["linear"].to_numpy()
    rows = predicted != "refer"
    assert 0 < rows.sum() < len(rows)
    (ax,) = trade_off(evidence, "high").axes
    predicted_high = predicted[rows] == "high"
    high = evidence.true[rows] == "high"
    ((false_alarm_rate, miss_rate),) = ax.containers[0].lines[0].get_xydata()
    assert miss_rate == np.mean(~predicted_high[high])
    assert false_alarm_rate == np.mean(predicted_high[~high])
    coverage = referral(evidence).axes[1].lines[0].get_xdata()
    assert coverage.max() <= 1.0 - max(30, 0.1 * len(rows)) / len(rows)
