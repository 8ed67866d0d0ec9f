"""Validation of values that belong to the rows of a table."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

import moselect
from moselect import inference, metrics, models, plots
from moselect.models import ProportionalOdds

ROWS = np.arange(60)
# The classes are not the same in another order, and no column is in the order of the rows.
Y = pd.Series(ROWS * 7 % 3)
X = pd.DataFrame({"a": ROWS * 7 % 13 + Y, "b": ROWS * 11 % 17.0})
TURNED = Y[::-1]
MODEL = ProportionalOdds().fit(X, Y).to_predictor()
ODDS = "proportional_odds"
DOORS = {
    "search y": lambda: moselect.ParetoSearch().fit(X, TURNED),
    "search weights": lambda: moselect.ParetoSearch().fit(X, Y, TURNED + 1.0),
    "search groups": lambda: moselect.ParetoSearch().fit(X, Y, groups=TURNED),
    "search times": lambda: moselect.ParetoSearch().fit(X, Y, times=TURNED),
    "compare": lambda: moselect.compare(ODDS, X, Y, groups=TURNED),
    "costs": lambda: models.CostSensitiveOrdinalClassifier().fit(X, Y, TURNED + 1.0),
    "cost groups": lambda: models.CostSensitiveOrdinalClassifier().fit(
        X, Y, groups=TURNED
    ),
    "odds": lambda: ProportionalOdds().fit(X, Y, TURNED + 1.0),
    "card": lambda: models.Scorecard().fit(X, Y, groups=TURNED),
    "tuned thresholds": lambda: models.CostThresholdClassifier(ProportionalOdds()).fit(
        X, Y, groups=TURNED
    ),
    "array": lambda: ProportionalOdds().fit(X.to_numpy(), Y, TURNED + 1.0),
    "thresholds": lambda: moselect.thresholds(TURNED, X["a"], [1, 1, 5]),
    "threshold groups": lambda: moselect.thresholds(Y, X["a"], [1, 1, 5], groups=TURNED),
    "bands": lambda: moselect.bands(TURNED > 0, X["a"]),
    "check": lambda: moselect.check(MODEL, X, TURNED),
    "check weights": lambda: moselect.check(MODEL, X, Y, TURNED + 1.0),
    "accuracy": lambda: metrics.accuracy_score(Y, TURNED),
    "weighted accuracy": lambda: metrics.accuracy_score(Y, Y, sample_weight=TURNED),
    "vus": lambda: metrics.vus_score(Y, X["a"][::-1]),
    "probabilities": lambda: metrics.ranked_probability_error(
        TURNED, pd.DataFrame(MODEL.predict_proba(X))
    ),
    "intervals": lambda: inference.ranking_inference(Y, X["a"], groups=TURNED),
    "picture": lambda: plots.thresholds(MODEL, X, TURNED),
}


@pytest.mark.parametrize("door", DOORS)
def test_values_in_another_order_of_rows_are_refused(door):
    with pytest.raises(ValueError, match=r"in another order: give \w+\.loc\["):
        DOORS[door]()
    pyplot.close("all")


@pytest.mark.parametrize("n_more", [0, 5])
def test_columns_of_groups_in_another_order_of_rows_are_refused(n_more):
    """Also those of a table of which X is a part."""
    y = Y.set_axis(ROWS + n_more)
    search = moselect.ParetoSearch(n_iterations=1, cv=None, random_state=1)
    search.fit(X.set_axis(y.index), y)
    whole = pd.DataFrame({"side": np.where(np.arange(60 + n_more) % 4, "left", "right")})
    by = whole if n_more else whole[::-1]
    with pytest.raises(ValueError, match=r"in another order: give by\.loc\["):
        search.select([1, 1, 5], model="linear", by=by)
    selected = search.select([1, 1, 5], model="linear", by=by.loc[y.index])
    assert selected.evidence.by("side")["rows"].sum() == 60
    with pytest.raises(ValueError, match="in another order"):
        moselect.check(selected, X.set_axis(y.index), y, by=by)


def test_values_with_an_index_of_their_own_belong_to_rows_by_place():
    own = Y.set_axis(ROWS + 100)
    assert metrics.accuracy_score(Y, own) == metrics.accuracy_score(own, Y.to_list()) == 1
    weights = pd.Series(1.0 + ROWS % 2, np.zeros(60, dtype=int))
    one, other = (
        ProportionalOdds().fit(X, y, w).coef_
        for y, w in ((own, weights), (Y, weights.to_numpy()))
    )
    np.testing.assert_array_equal(one, other)
