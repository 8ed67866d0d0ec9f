import pandas as pd
import pytest

import moselect
from moselect.plots import cost_sliders


def test_the_shown_evidence_is_for_the_costs_of_the_sliders():
    pytest.importorskip("ipywidgets")
    X, y = moselect.datasets.load_boston()
    labels = ["lowest", "low", "middle", "high", "highest"]
    names = pd.Categorical.from_codes(y - 1, labels, ordered=True)
    models = ["proportional_odds", "always_one_class"]
    evidence = moselect.compare(models, X, names, cv=3, random_state=0)
    *sliders, shown = cost_sliders(evidence).children
    assert [slider.description for slider in sliders] == labels
    assert shown.value == evidence.for_costs()._repr_html_()
    sliders[0].value = 100.0
    for_costs = evidence.for_costs([100.0, 1.0, 1.0, 1.0, 1.0])
    assert shown.value == for_costs._repr_html_() != evidence.for_costs()._repr_html_()
