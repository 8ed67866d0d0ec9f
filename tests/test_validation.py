"""Validation of values that belong to the rows of a table."""

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect import metrics, models, plots
from moselect.models import ProportionalOdds
from moselect.preprocessing import Preparation
from moselect.samples.samples import Samples

ROWS = np.arange(60)
# The classes are not the same in another order, and no column is in the order of the rows.
Y = pd.Series(ROWS * 7 % 3)
X = pd.DataFrame({"a": ROWS * 7 % 13 + Y, "b": ROWS * 11 % 17.0})
TURNED = Y[::-1]
MODEL = ProportionalOdds().fit(X, Y).to_predictor()
ODDS = "proportional_odds"
DOORS = {
    "search y": lambda: moselect.ParetoSearch().fit(X, TURNED),
    "samples": lambda: Samples.from_table(X, TURNED),
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
    "picture": lambda: plots.thresholds(MODEL, X, TURNED),
}


@pytest.mark.parametrize("door", DOORS)
def test_values_in_another_order_of_rows_are_refused(door):
    with pytest.raises(
        ValueError, match=r"in another order: give \w+\.loc\[.*\.to_numpy"
    ):
        DOORS[door]()


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
    with pytest.raises(ValueError, match="no rows to check"):
        moselect.check(selected, X[:0], y[:0])


def test_values_with_an_index_of_their_own_belong_to_rows_by_place():
    own = Y.set_axis(ROWS + 100)
    # Measures take all values by place, as those of scikit-learn.
    assert metrics.accuracy_score(Y, TURNED) == np.mean(Y.to_numpy() == TURNED.to_numpy())
    weights = pd.Series(1.0 + ROWS % 2, np.zeros(60, dtype=int))
    one, other = (
        ProportionalOdds().fit(X, y, w).coef_
        for y, w in ((own, weights), (Y, weights.to_numpy()))
    )
    np.testing.assert_array_equal(one, other)


def search_for(**settings):
    return moselect.ParetoSearch(n_iterations=1, random_state=1, **settings).fit(X, Y)


def compared(**settings):
    return moselect.compare(ODDS, X, Y, **settings)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: search_for(objectives={"vus", "accuracy"}),
            TypeError,
            "objectives is {",
        ),
        (lambda: search_for(objectives=None), TypeError, "objectives is None"),
        (
            lambda: search_for(prepare="no"),
            TypeError,
            "prepare is 'no': give True, False",
        ),
        (
            lambda: search_for(labels=["0", "1", "2"]),
            ValueError,
            "class, but of another type",
        ),
        (lambda: compared(prepare=Preparation), TypeError, "prepare is <class"),
        (lambda: compared(random_state=-1), ValueError, "random_state is -1"),
        (
            lambda: moselect.tune(ODDS, X, Y, 1, random_state="a"),
            ValueError,
            "state is a",
        ),
        (
            lambda: moselect.thresholds(Y, X["a"], [1, 1, 5], limits=["2<1"]),
            TypeError,
            r"limits is \['2<1'\]: give shares",
        ),
        (
            lambda: ProportionalOdds().fit(X.set_axis(["a", "a"], axis=1), Y),
            ValueError,
            "two columns have the name 'a'",
        ),
        (
            lambda: models.CostSensitiveOrdinalClassifier().fit(X, Y, Y != 1),
            ValueError,
            "class 1 has no sample of positive weight",
        ),
        (lambda: MODEL.predict(X.to_numpy() * np.nan), ValueError, "column 'x0' has 60"),
    ],
)
def test_arguments_of_another_kind_are_named(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_durations_are_numbers():
    hours = X.assign(a=pd.to_timedelta(X["a"], "h"))
    weights = 1.0 + ROWS % 2
    search = moselect.ParetoSearch(n_iterations=1, cv=None, random_state=1)
    found, expected = (
        search.fit(table, Y, weights, weight_type="sampling").front_.objectives
        for table in (hours, X)
    )
    pd.testing.assert_frame_equal(found, expected, rtol=1e-9)
