from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect.datasets import load_boston
from moselect.datasets.boston import read_boston

# Waegeman et al. (2008) for the first two, Sommer (2015) for the third.
CLASS_SIZES = {
    "normalised": [217, 144, 73, 36, 36],
    "printed": [152, 101, 51, 25, 25],
    "uniform": [77, 239, 123, 36, 31],
}


@pytest.mark.parametrize("binning", CLASS_SIZES)
def test_class_sizes_are_the_published_ones(binning):
    X, y = load_boston(binning=binning)
    assert y.value_counts().sort_index().tolist() == CLASS_SIZES[binning]
    assert X.shape == (sum(CLASS_SIZES[binning]), 13)


@pytest.mark.parametrize("binning", CLASS_SIZES)
def test_rows_keep_their_place_and_types(binning):
    table = read_boston()
    X, y = load_boston(binning)
    assert X.index.equals(y.index)
    assert X.index.is_monotonic_increasing
    pd.testing.assert_frame_equal(X, table.loc[X.index].drop(columns="MEDV").astype(float))
    assert set(X.dtypes) == {np.dtype("float64")}
    assert y.dtype == np.int64
    assert y.name == "MEDV"


def test_the_table_is_the_uncorrected_statlib_one():
    table = read_boston()
    assert table.shape == (506, 14)
    assert " ".join(table.columns) == (
        "CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT MEDV"
    )
    assert table["MEDV"].mean() == pytest.approx(22.532806324110677, rel=1e-14)
    assert table["CRIM"].mean() == pytest.approx(3.613523557312254, rel=1e-14)
    assert table["CHAS"].sum() == 35
    assert (table["MEDV"] == 50).sum() == 16  # cut off there
    assert table["MEDV"].min() == 5
    assert table["B"].max() == 396.9
    # Gilley and Pace (1996) correct these two to 22.1 and 19.0.
    assert table["MEDV"].iloc[[7, 505]].tolist() == [27.1, 11.9]
    assert table.iloc[0].tolist() == [
        *(0.00632, 18, 2.31, 0, 0.538, 6.575, 65.2, 4.09, 1, 296, 15.3, 396.9, 4.98),
        24,
    ]


def test_unknown_binning():
    with pytest.raises(ValueError, match=r"'even' of boston: .* normalised, printed, uniform"):
        load_boston("even")
