import re

import numpy as np
import pandas as pd
import pytest

from moselect.tables.features import as_pandas, check_directions, feature_matrix, signs_of


def test_a_missing_column_is_no_other_that_is_needed():
    frame = pd.DataFrame({"CRIM": [1.0], "RMM": [2.0]})
    needs = "column 'RM' is missing; did you mean 'RMM'?: the model needs CRIM, RM"
    with pytest.raises(ValueError, match=re.escape(needs)):
        feature_matrix(frame, ["CRIM", "RM"])
    with pytest.raises(ValueError, match="column 'RM' is missing: the model needs"):
        feature_matrix(frame[["CRIM"]], ["CRIM", "RM"])


def test_names_choose_and_order_columns():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3, 4], "c": [True, False]})
    values = feature_matrix(frame)
    assert values.dtype == np.float64
    assert values.tolist() == [[1.0, 3.0, 1.0], [2.0, 4.0, 0.0]]
    noted = frame.assign(note=["x", "y"])
    assert feature_matrix(noted, ["c", "a"]).tolist() == [[1.0, 1.0], [0.0, 2.0]]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pd.array([1, pd.NA], "Int64"), "has 1 missing or infinite values"),
        (pd.array([1.5, -np.inf], "float32"), "has 1 missing or infinite values"),
        (["1", "2"], "is not numeric: encode or"),
        (pd.to_datetime(["2020-01-01", "2020-01-02"]), "is not numeric: encode or"),
    ],
)
def test_columns_without_finite_numbers_are_refused(column, message):
    with pytest.raises(ValueError, match=f"column 'bad' {message}"):
        feature_matrix(pd.DataFrame({"fine": [1, 2], "bad": column}))


def test_columns_of_polars_are_matched_by_name(boston):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    X, _ = boston
    reversed_columns = polars.from_pandas(X[X.columns[::-1]])
    found = feature_matrix(reversed_columns, names=list(X.columns))
    np.testing.assert_array_equal(found, X.to_numpy(dtype=np.float64))


def test_columns_of_pyarrow_become_those_of_pandas():
    table = pd.DataFrame({"bp": ["120/80", "130/85"], "n": [1, None]}, index=["r", "s"])
    found = as_pandas(table.convert_dtypes(dtype_backend="pyarrow"))
    pd.testing.assert_frame_equal(found, table)


@pytest.mark.parametrize(
    ("monotone", "error", "message"),
    [
        ({"age": 2}, ValueError, "monotone of 'age' is 2: give 1"),
        (["age"], TypeError, "such as {'age': 1}"),
    ],
)
def test_wrong_directions_are_named(monotone, error, message):
    with pytest.raises(error, match=message):
        check_directions(monotone, ["age", "income"])


@pytest.mark.parametrize("monotone", [[1], [1, 2], [[1, 0]]])
def test_signs_fit_the_features(monotone):
    with pytest.raises(ValueError, match="give 1, -1 or 0 for each of 2 features"):
        signs_of(monotone, None, 2)


def test_features_without_names_are_numbered():
    assert signs_of({"x1": 1}, None, 2).tolist() == [0, 1]
