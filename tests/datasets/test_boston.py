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


def test_the_table_is_the_uncorrected_statlib_one():
    table = read_boston()
    assert table.shape == (506, 14)
    assert " ".join(table.columns) == (
        "CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT MEDV"
    )
    assert table["MEDV"].mean() == pytest.approx(22.532806324110677, rel=1e-14)
    assert table["CRIM"].mean() == pytest.approx(3.613523557312254, rel=1e-14)
    # Gilley and Pace (1996) correct these two to 22.1 and 19.0.
    assert table["MEDV"].iloc[[7, 505]].tolist() == [27.1, 11.9]
