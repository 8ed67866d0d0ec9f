import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.predictor import OrdinalLinearClassifier, predict_table
from moselect.preprocessing import Preparation

MODEL = OrdinalLinearClassifier([0.3, -0.7], [-1.0, 0.5], ["a", "b", "c"], ["x", "y"])
CELLS = st.one_of(
    st.floats(-1e6, 1e6),
    st.integers(-100, 100),
    st.sampled_from([None, np.nan, np.inf, "", "tall", "1.5", " 2", pd.NA, pd.NaT]),
)


def number(cell):
    try:
        return float(cell)
    except (TypeError, ValueError):
        return np.nan


@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=20))
def test_rows_with_finite_numbers_are_predicted_and_others_get_a_reason(rows):
    table = pd.DataFrame(rows, columns=["x", "y"], dtype=object).assign(note="n")
    table = table[["y", "note", "x"]]
    found = predict_table(MODEL, table)
    values = np.array([[number(x), number(y)] for x, y in rows])
    is_finite = np.isfinite(values).all(axis=1)
    assert (found.reasons == "").tolist() == is_finite.tolist() == found.scored.tolist()
    assert np.isnan(found.scores[~is_finite]).all()
    assert [label is None for label in found.classes] == (~is_finite).tolist()
    if is_finite.any():
        scores = MODEL.decision_function(values[is_finite])
        np.testing.assert_array_equal(found.scores[is_finite], scores)
        assert (
            found.classes[is_finite].tolist() == MODEL.predict(values[is_finite]).tolist()
        )
    for reason, (x, _) in zip(found.reasons, values, strict=True):
        if reason:
            assert reason.startswith("'y' is" if np.isfinite(x) else "'x' is")


TABLE = pd.DataFrame(
    {
        "age": np.arange(40.0),
        "dose": [1.0, 2.0, 3.0, None] * 10,
        "kind": ["car", "van"] * 20,
        "place": [f"p{i % 20}" for i in range(40)],
        "day": pd.date_range("2024-01-01", periods=40, freq="31h").astype(str),
        "colour": ["red", None, "blue", "red"] * 10,
    }
)


@pytest.fixture(scope="module")
def model():
    """Return a linear model of the table with coefficients of 1."""
    preparation = Preparation().fit(TABLE, np.arange(40) % 2)
    names = preparation.get_feature_names_out().tolist()
    return OrdinalLinearClassifier(np.ones(len(names)), [0.0], [0, 1], names, preparation)


def predicted(model, new):
    """Predict rows, and only those that lack no value."""
    return [predict_table(model, new, strict=strict) for strict in (False, True)]


@pytest.mark.parametrize("name", list(TABLE))
def test_values_never_missing_in_training_are_imputed_and_marked(model, name):
    new = TABLE.head(6).astype(object)
    new.loc[:3, name] = None
    expected = TABLE[name].isna().any()
    found, strict = predicted(model, new)
    reason = "" if expected else f"estimated without '{name}'"
    assert found.reasons.tolist() == strict.reasons.tolist() == [reason] * 4 + [""] * 2
    assert found.scores.tolist() == model.decision_function(new).tolist()
    assert found.classes.tolist() == model.predict(new).tolist()
    assert strict.scored.tolist() == [expected] * 4 + [True] * 2


def test_new_levels_are_marked(model):
    new = TABLE.head(4).astype(object)
    new["kind"] = ["car", "BUS", " Van ", None]
    new.loc[1, "colour"] = "pink"
    new["place"] = "a new one each time, as of people"
    found, strict = predicted(model, new)
    reason_of_both = "'kind' is 'BUS', a new level; 'colour' is 'pink', a new level"
    assert found.reasons.tolist() == ["", reason_of_both, "", "estimated without 'kind'"]
    assert strict.reasons.tolist() == found.reasons.tolist()
    assert strict.scored.tolist() == [True, True, True, False]
