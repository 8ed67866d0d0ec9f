from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect.samples.features import feature_matrix


@pytest.fixture
def frame():
    return pd.DataFrame({"a": [1.0, 2.0], "b": [3, 4], "c": [True, False]})


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("wrap", [np.asarray, pd.DataFrame])
def test_floats_are_not_copied(order, wrap):
    X = np.asarray(np.random.default_rng(0).normal(size=(50, 3)), order=order)
    given = wrap(X)
    values = feature_matrix(given)
    assert np.shares_memory(values, given if wrap is np.asarray else given.to_numpy())
    np.testing.assert_array_equal(values, X)


def test_what_a_mask_hides_is_not_taken():
    values = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 0], [0, 1]])
    with pytest.raises(
        ValueError, match=r"X\[1, 1\] is masked: drop that row or fill it"
    ):
        feature_matrix(values)
    assert feature_matrix(np.ma.array(values.data)).tolist() == values.data.tolist()


def test_names_choose_and_order_columns(frame):
    values = feature_matrix(frame)
    assert values.dtype == np.float64
    assert values.tolist() == [[1.0, 3.0, 1.0], [2.0, 4.0, 0.0]]
    noted = frame.assign(note=["x", "y"])
    assert feature_matrix(noted, ["c", "a"]).tolist() == [[1.0, 1.0], [0.0, 2.0]]


def test_a_missing_column_is_named(frame):
    with pytest.raises(ValueError, match="column 'd' is missing: the model needs a, d"):
        feature_matrix(frame, ["a", "d"])
    prices = frame.rename(columns={"c": "price"})
    with pytest.raises(ValueError, match="'prise' is missing; did you mean 'price'"):
        feature_matrix(prices, ["a", "prise"])


@pytest.mark.parametrize("dtype", ["Int64", "Float32", "boolean"])
def test_nullable_numbers(dtype):
    frame = pd.DataFrame({"a": pd.array([1, 0, 1], dtype=dtype)})
    assert feature_matrix(frame).tolist() == [[1.0], [0.0], [1.0]]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, pd.NA, 3], "Int64"),
        ([1.5, np.nan, 3], "float64"),
        ([1.5, -np.inf, 3], "float32"),
    ],
)
def test_missing_and_infinite_values_are_refused(values, dtype):
    frame = pd.DataFrame({"fine": [1, 2, 3], "bad": pd.array(values, dtype=dtype)})
    with pytest.raises(ValueError, match="column 'bad' has 1 missing or infinite values"):
        feature_matrix(frame)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["1", "2"]),
        pd.Series([1, 2], dtype=object),
        pd.Series([1, 2], dtype="category"),
        pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02"])),
    ],
    ids=["text", "numbers as objects", "category", "date"],
)
def test_columns_that_are_not_numeric_are_refused(column):
    with pytest.raises(
        ValueError, match="column 'bad' is not numeric: encode or drop it"
    ):
        feature_matrix(pd.DataFrame({"fine": [1, 2], "bad": column}))


@pytest.mark.parametrize(
    "X", [[1.0, 2.0], 3.0, np.zeros((2, 2, 2)), pd.Series([1.0, 2.0])]
)
def test_anything_but_two_dimensions_is_refused(X):
    with pytest.raises(ValueError, match=r"X has shape .*: give one row a sample"):
        feature_matrix(X)


def test_an_array_must_have_a_column_for_each_name():
    assert feature_matrix([[1.0, 2.0]], ["a", "b"]).tolist() == [[1.0, 2.0]]
    with pytest.raises(ValueError, match="X has 2 features, but the model needs 3"):
        feature_matrix([[1.0, 2.0]], ["a", "b", "c"])


def test_text_in_an_array_is_refused():
    with pytest.raises(ValueError, match="not numbers: encode text"):
        feature_matrix([["a", "b"]])


@pytest.mark.parametrize("wrap", [np.asarray, pd.DataFrame])
def test_no_rows_are_a_matrix_too(wrap):
    assert feature_matrix(wrap(np.empty((0, 3)))).shape == (0, 3)


def test_columns_of_polars_are_matched_by_name(boston):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    X, _ = boston
    turned = polars.from_pandas(X[X.columns[::-1]]).lazy()
    found = feature_matrix(turned, names=list(X.columns))
    np.testing.assert_array_equal(found, X.to_numpy(dtype=np.float64))
