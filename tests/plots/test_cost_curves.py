import numpy as np

from moselect.plots import price_of_limit


def test_the_cost_of_a_limit_matches_the_evidence(selected):
    (ax,) = price_of_limit(selected.evidence).axes
    assert ax.get_title() == "high missed"
    lines = {line.get_label(): line for line in ax.lines}
    table = selected.evidence.price("high<high")
    drawn = lines["cheapest candidate"].get_xydata()[1:]
    np.testing.assert_allclose(drawn, table[["limit", "cost"]])
    assert lines["cheapest candidate"].get_drawstyle() == "steps-pre"
    # The selected candidate alone is nowhere cheaper, and meets the limit in use at its cost.
    limits, costs = lines["linear"].get_xydata()[1:].T
    for limit, cost in zip(limits, costs, strict=True):
        assert table["cost"][table["limit"] <= limit].min() <= cost
    assert set(lines["limit in use"].get_xdata()) == {0.6}
    ((limit, cost),) = lines["selected model"].get_xydata()
    assert (limit, cost) == (0.6, selected.evidence.evaluations["linear"].figure()[0])
    assert ax.get_xlim()[1] > 0.6
