from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import precision_score, recall_score

from moselect.plots import decision
from tests.plots.conftest import legend


@pytest.mark.parametrize("kind", ["linear", "proportional odds"])
def test_what_is_drawn_is_the_evidence(searched, kind):
    search, *_ = searched
    evidence = search.select([1, 1, 4], model=kind).evidence
    left, right = decision(evidence).axes
    rules = evidence.candidates.sort_values("terms", kind="stable")
    for place, bar in enumerate(left.containers):
        (low, high) = bar.lines[2][0].get_segments()[0][:, 0]
        middle, error = rules.iloc[place][["cost", "std_error"]]
        assert bar.lines[0].get_xydata().tolist() == [[middle, place]]
        assert (high - low) / 2 == pytest.approx(1.95996 * error, rel=1e-4)
    names = [label.get_text().split("\n")[0] for label in left.get_yticklabels()]
    assert names == list(rules.index)
    # as the bars from above
    entries = ["recall", "false discovery rate", "other candidates"]
    assert legend(right.get_legend()) == entries
    found, alarms = ([bar.get_width() for bar in bars] for bars in right.containers)
    truth, predicted = evidence.true, evidence.predicted[kind]
    labels = list(evidence.confusion)
    given = {"labels": labels, "average": None, "zero_division": np.nan}
    np.testing.assert_allclose(found, recall_score(truth, predicted, **given))
    precision = np.nan_to_num(precision_score(truth, predicted, **given), nan=1.0)
    np.testing.assert_allclose(alarms, 1.0 - precision)
