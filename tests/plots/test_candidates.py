import numpy as np
import pandas as pd
import pytest

from moselect.inspection.groups import group_estimates
from moselect.plots import by_group, decision
from tests.without_features import samples_of


def test_groups_are_in_the_order_of_their_cost_without_small_ones():
    group = np.array([*"b" * 90, *"a" * 90, *"c" * 20])
    codes = np.arange(200) % 2
    wrong = (np.arange(200) % 3 == 0) & (group == "b") | (group == "c")
    costs = np.array([[0.0, 1.0], [4.0, 0.0]])
    predicted = np.where(wrong, 1 - codes, codes)
    town = pd.Series(group, name="town")
    found = group_estimates(town, samples_of(codes), predicted, costs)
    names = [label.get_text() for label in by_group(found).get_yticklabels()]
    assert names == ["a (90)", "b (90)"]  # from below
    found = group_estimates(town[:20], samples_of(codes[:20]), predicted[:20], costs)
    with pytest.raises(ValueError, match="no group of 'town' has 30 rows"):
        by_group(found)


@pytest.mark.checks("Files, exports and pages", "the evidence that is drawn")
def test_costs_match_the_evidence(selected):
    evidence = selected.evidence
    (cost_axis,) = decision(evidence).axes
    # Candidates of as many terms are in the order of their forms.
    simplest_first = ["always one class", "proportional odds", "linear", "best member"]
    rules = evidence.candidates.reindex(simplest_first).dropna(how="all")
    assert len(rules) == len(evidence.candidates)
    assert rules["terms"].is_monotonic_increasing
    for place, bar in enumerate(cost_axis.containers):
        (low, high) = bar.lines[2][0].get_segments()[0][:, 0]
        middle, error = rules.iloc[place][["cost", "std_error"]]
        assert bar.lines[0].get_xydata().tolist() == [[middle, place]]
        assert (high - low) / 2 == pytest.approx(1.95996 * error, rel=1e-4)
    names = [label.get_text().split("\n")[0] for label in cost_axis.get_yticklabels()]
    assert names == list(rules.index)
