from __future__ import annotations

import numpy as np
import pytest

from moselect.plots import decision
from tests.plots.conftest import legend


@pytest.mark.parametrize("kind", ["linear", "proportional odds"])
def test_what_is_drawn_is_the_evidence(searched, kind):
    search, *_ = searched
    evidence = search.select([1, 1, 4], model=kind).evidence
    figure = decision(evidence)
    left, right = figure.axes
    rules = evidence.candidates.sort_values("terms", kind="stable")
    for place, bar in enumerate(left.containers):
        (low, high) = bar.lines[2][0].get_segments()[0][:, 0]
        middle, error = rules.iloc[place][["cost", "std_error"]]
        assert bar.lines[0].get_xydata().tolist() == [[middle, place]]
        assert (high - low) / 2 == pytest.approx(1.95996 * error, rel=1e-4)
    names = [label.get_text().split("\n")[0] for label in left.get_yticklabels()]
    assert names == list(rules.index)
    bars = [each for each in right.containers if hasattr(each, "patches")]
    missed, alarms = ([bar.get_width() for bar in each] for each in bars)
    called = evidence.predicted[kind].to_numpy()
    for k, label in enumerate(evidence.samples.classes[1:]):
        above = evidence.samples.classes[k + 1 :]
        is_called, is_high = np.isin(called, above), np.isin(evidence.true, above)
        assert missed[k] == pytest.approx(1.0 - is_called[is_high].mean())
        assert alarms[k] == pytest.approx(is_called[~is_high].mean())
        assert right.get_yticklabels()[k].get_text().startswith(label)
    assert {"other candidates", bars[0].get_label()} < {*legend(figure.legends[0])}
