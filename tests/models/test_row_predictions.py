from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.models import OrdinalLinearClassifier, model_card
from moselect.models.row_predictions import predict_rows, range_remarks

MODEL = OrdinalLinearClassifier([0.3, -0.7], [-1.0, 0.5], ["a", "b", "c"], ["x", "y"])
cells = st.one_of(
    st.floats(-1e6, 1e6),
    st.integers(-100, 100),
    st.sampled_from([None, np.nan, np.inf, "", "tall", "1.5", " 2", pd.NA, pd.NaT, True]),
)


def number(cell):
    try:
        return float(cell)
    except (TypeError, ValueError):
        return np.nan


@given(rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=20))
def test_rows_of_finite_numbers_get_what_predict_gives_and_others_a_reason(rows):
    table = pd.DataFrame({"y": [y for _, y in rows], "note": "n", "x": [x for x, _ in rows]})
    table = table.astype({"x": object, "y": object})
    found = predict_rows(MODEL, table)
    values = np.array([[number(x), number(y)] for x, y in rows])
    good = np.isfinite(values).all(axis=1)
    assert (found.reasons == "").tolist() == good.tolist() == found.scored.tolist()
    assert np.isnan(found.scores[~good]).all()
    assert [label is None for label in found.classes] == (~good).tolist()
    if good.any():
        assert found.scores[good].tolist() == MODEL.decision_function(values[good]).tolist()
        assert found.classes[good].tolist() == MODEL.predict(values[good]).tolist()
    for reason, (x, _) in zip(found.reasons, values, strict=True):
        if reason:
            assert reason.startswith("'y' is" if np.isfinite(x) else "'x' is")


def test_columns_are_found_by_name_or_by_position():
    table = pd.DataFrame({"y": [1.0, 2.0], "x": [3.0, 4.0]})
    expected = MODEL.decision_function(table[["x", "y"]])
    assert predict_rows(MODEL, table).scores.tolist() == expected.tolist()
    nameless = OrdinalLinearClassifier(MODEL.coef, MODEL.thresholds, MODEL.classes)
    assert predict_rows(nameless, table[["x", "y"]]).scores.tolist() == expected.tolist()
    with pytest.raises(ValueError, match="column 'y' is missing"):
        predict_rows(MODEL, table[["x"]])
    with pytest.raises(ValueError, match="two columns are called 'x'"):
        predict_rows(MODEL, pd.concat([table, table[["x"]]], axis=1))
    with pytest.raises(ValueError, match="the table has 1 columns, but the model"):
        predict_rows(nameless, table[["x"]])
    assert len(predict_rows(MODEL, table.iloc[:0]).classes) == 0


def test_remarks_on_ranges_and_means():
    rng = np.random.default_rng(4)
    X = rng.normal([5.0, 100.0], [1.0, 0.0], (200, 2))
    card = model_card(MODEL, X, np.full(200, "a"), predicts="grade")
    assert range_remarks(card, X) == []
    assert range_remarks(card, np.full((3, 2), np.nan)) == []
    high = X[X[:, 0] > 6.0][:20]
    assert range_remarks(card, high) == []  # too few for a mean
    shifted = np.tile(high, (2, 1))
    (remark,) = range_remarks(card, shifted)
    assert "'x': its mean is" in remark
    assert "outside" not in remark
    remarks = range_remarks(card, X * [1.0, 1000.0])
    assert len(remarks) == 1
    assert "'y': 200 of 200 rows lie outside the training range 100 to 100" in remarks[0]


def test_at_most_five_features_are_named():
    names = [f"f{j}" for j in range(8)]
    model = OrdinalLinearClassifier(np.ones(8), [0.0], ["a", "b"], names)
    X = np.random.default_rng(1).normal(size=(50, 8))
    card = model_card(model, X, np.full(50, "a"), predicts="grade")
    remarks = range_remarks(card, X + 1e3)
    assert len(remarks) == 6
    assert "3 more features" in remarks[-1]
