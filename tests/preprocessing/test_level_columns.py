"""Categories with an order, and levels in several spellings."""

import numpy as np
import pandas as pd
import pytest

from moselect.preprocessing import Preparation
from tests.preprocessing.test_preparation import written_and_read

AGREEMENT = ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"]


def prepared(cells, **options):
    """Prepare a column of 60 cells; return the restored preparation and its values."""
    column = np.resize(np.array(cells, dtype=object), 60)
    X = pd.DataFrame({"a": column, "x": np.arange(60) / 7})
    y = np.arange(60) % 3
    preparation = Preparation(**options).fit(X, y)
    preparation = written_and_read(preparation)
    return preparation, preparation.transform(X).drop(columns="x")


@pytest.mark.parametrize(
    ("cells", "ranks"),
    [
        ([*AGREEMENT[::2], *AGREEMENT[1::2]], [0, 2, 4, 1, 3]),
        (["18-34", "65+", "0-17", "35-49"], [1, 3, 0, 2]),
        # None is a level of some scales.
        (["none", "mild", "moderate", "severe"], [0, 1, 2, 3]),
    ],
)
def test_levels_of_a_scale_become_ranks(cells, ranks):
    _, values = prepared(cells)
    assert values["a"].tolist()[: len(cells)] == ranks
    _, as_names = prepared(cells, categorical=["a"])
    assert as_names.shape[1] == len(cells) - 1


def test_spellings_of_a_level_share_its_rank():
    cells = ["Low", "mid", "HIGH", "lOW", "very  low", "Very low", "Mid", "-"]
    preparation, values = prepared(cells)
    assert values["a"].tolist()[:8] == [1, 2, 3, 1, 0, 0, 2, 1]
    assert "ordered: very  low, Low, mid, HIGH;" in preparation.readings["read as"][0]


def test_none_is_missing_from_a_scale_that_lacks_it():
    _, values = prepared(["none", "18-34", "35-64", "65+"], keep=["a"])
    assert values.shape[1] == 1


def test_categories_that_differ_in_case_keep_their_order():
    dtype = pd.CategoricalDtype(["a", "A", "b", "B"], ordered=True)
    X = pd.DataFrame({"a": pd.Series(["B", "A", "b", "a"] * 4, dtype=dtype), "x": 1.5})
    assert Preparation().fit_transform(X)["a"].tolist() == [3, 1, 2, 0] * 4


def test_missing_and_new_levels_of_a_scale_are_imputed_by_the_median():
    preparation, values = prepared([*AGREEMENT, "?", None])
    assert values["a"].tolist()[:7] == [0, 1, 2, 3, 4, 2, 2]
    assert values["a missing"].tolist()[:7] == [0, 0, 0, 0, 0, 1, 1]
    new = pd.DataFrame({"a": ["AGREE", " agree", "no idea"], "x": 0.5})
    found = preparation.transform(new)
    assert found["a"].tolist() == [3, 3, 2]
    assert found["a missing"].tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("levels", "non_answer"),
    [
        (AGREEMENT, "Don't know"),
        (["1 - low", "2 - medium", "3 - high"], "9 - refused"),
    ],
)
def test_non_answers_in_a_scale_are_missing_values(levels, non_answer):
    _, values = prepared([*levels, non_answer])
    without, _ = prepared([*levels, None])
    assert list(values) == ["a", "a missing"]
    ranks = np.unique(values["a"][values["a missing"] == 0.0])
    assert np.diff(ranks).tolist() == [1.0] * (len(levels) - 1)
    X = pd.DataFrame({"a": [*levels, None], "x": 0.5})
    assert values["a"].tolist()[: len(X)] == without.transform(X)["a"].tolist()


def test_spellings_of_a_level_are_merged():
    cells = ["yes", "Yes", "y", "Y", "no", "No", "N", "n", "yes", "no"]
    preparation, values = prepared(cells)
    assert list(values) == ["a=no"]
    assert values["a=no"].tolist()[:10] == [cell[0] in "nN" for cell in cells]
    assert "'Yes' as 'yes'" in preparation.readings["read as"][0]
    assert preparation.readings["setting"][0] == "categorical=a"
    assert prepared(cells, categorical=["a"])[1].shape[1] == len(set(cells)) - 1


def test_encoded_levels_in_other_spellings_have_one_mean(rng):
    names = [f"town {chr(97 + k)}" for k in range(20)]
    cells = np.array(names)[rng.integers(0, 20, 2_000)]
    y = np.array([names.index(cell) for cell in cells]) // 7
    written = [c if rng.random() < 0.5 else c.upper() for c in cells]
    X = pd.DataFrame({"a": cells, "x": rng.random(2_000)})
    one = Preparation().fit_transform(X, y)
    several = Preparation().fit_transform(X.assign(a=written), y)
    pd.testing.assert_frame_equal(one, several)


def test_every_column_is_listed_with_an_option():
    X = pd.DataFrame({f"c{k}": np.arange(40) % (k + 2) for k in range(20)})
    X["key"] = [f"k{i}" for i in range(40)]
    X["day"] = pd.date_range("2024-01-01", periods=40).strftime("%d.%m.%Y")
    readings = Preparation(drop=["c3"]).fit(X).readings
    assert readings["column"].tolist() == list(X)
    assert (readings["setting"] != "").all()
    assert readings["read as"].iloc[3] == "excluded: dropped"
