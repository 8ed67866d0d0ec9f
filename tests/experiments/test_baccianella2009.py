"""Trivial classifiers under micro- and macro-averaging."""

import numpy as np
import pytest

from experiments.baccianella2009.imbalance import DATA

pytestmark = pytest.mark.slow


def test_closed_forms_and_coincidence_hold(quick):
    judged, _ = quick("baccianella2009")
    printed = judged[judged["paper"] != ""]
    assert printed.index[printed["verdict"] == "differs"].tolist() == [
        "TripAdvisor: trivial micro MAE"
    ]
    assert (printed.index.str.startswith("macro MAE, ")).sum() == 8


@pytest.mark.parametrize("name", ["Boston by RAD", "reviews"])
def test_the_majority_class_beats_a_real_model_by_micro_error_only(quick, name):
    judged, _ = quick("baccianella2009")
    here = judged.loc[judged.index.str.startswith(f"{name}: "), "here"].rename(
        lambda key: key.removeprefix(f"{name}: ")
    )
    _, y = DATA[name]()
    majority = np.bincount(y).argmax()
    distances = np.abs(y - majority)
    assert float(here["micro MAE of the majority class"]) == pytest.approx(
        distances.mean()
    )
    assert float(here["micro MAE of balanced logistic"]) > distances.mean()
    by_class = np.mean([abs(k - majority) for k in np.unique(y)])
    assert float(here["macro MAE of the majority class"]) == pytest.approx(by_class)
    assert float(here["macro MAE of balanced logistic"]) < by_class
