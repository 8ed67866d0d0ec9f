import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

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
            assert_array_equal(
                lines[candidate].get_xydata(), part[["false_alarm_rate", "miss_rate"]]
            )
        chosen, trivial = ax.containers
        above = labels[labels.index(label) :]
        predicted_high = np.isin(evidence.predicted["linear"], above)
        high = np.isin(evidence.true, above)
        expected = [predicted_high[~high].mean(), 1.0 - predicted_high[high].mean()]
        assert_allclose(chosen.lines[0].get_xydata()[0], expected)
        assert sorted(trivial.lines[0].get_xydata()[0]) == [0.0, 1.0]
    (entries,) = figure.legends
    assert legend(entries)[-2:] == ["linear, selected", "always one class"]
    rates = re.findall(r"(\d+) %", entries.get_title().get_text())
    assert_allclose(np.array(rates, float) / 100, expected[::-1], atol=0.005)


@pytest.mark.parametrize(
    ("costs", "refer", "label"), [([4, 1, 1], None, "low"), ([1, 1, 4], 0.6, "high")]
)
def test_rates_are_those_of_the_costliest_class_without_referred_samples(
    searched, costs, refer, label
):
    evidence = searched[0].select(costs, model="linear", refer=refer).evidence
    predicted = evidence.predicted["linear"].to_numpy()
    is_classified = predicted != "refer"
    assert is_classified.all() == (refer is None)
    is_true = np.asarray(evidence.true) == label
    is_wrong = is_classified & ((predicted == label) != is_true)
    figure = trade_off(evidence)
    (entries,) = figure.legends
    # of all samples: a referred one is not missed
    words = f"{100 * is_wrong[is_true].mean():.0f} % of {label} missed"
    assert words in entries.get_title().get_text()
    (ax,) = (ax for ax in figure.axes if ax.get_title() == label)
    rates = [is_wrong[is_classified & part].mean() for part in (~is_true, is_true)]
    assert_allclose(ax.containers[0].lines[0].get_xydata()[0], rates)
    if refer is not None:
        coverage = referral(evidence).axes[1].lines[0].get_xdata()
        assert coverage.max() <= 1.0 - max(30, 0.1 * len(predicted)) / len(predicted)
