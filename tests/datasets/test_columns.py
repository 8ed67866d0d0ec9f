from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from moselect.datasets import load_dataset, load_table, numeric_features
from moselect.datasets.columns import features_of


class TestTarget:
    @pytest.mark.parametrize("name", ["response", "Target", "LABEL", "class", "y", "Y"])
    def test_is_the_one_column_with_a_usual_name(self, write, name):
        dataset = load_dataset(write(f"{name},a,b\n1,5,6\n2,7,8\n"))
        assert dataset.target == dataset.y.name == name
        assert dataset.X.columns.tolist() == ["a", "b"]

    @pytest.mark.parametrize("header", ["a,b,grade", "class,y,grade"])
    def test_is_the_last_column_if_none_or_two_have(self, write, header):
        assert load_dataset(write(f"{header}\n1,5,6\n2,7,8\n")).target == "grade"

    def test_can_be_named(self, write):
        dataset = load_dataset(write("y,a,b\n1,5,6\n2,7,8\n"), target="a")
        assert dataset.labels == (5, 7)
        assert dataset.X.columns.tolist() == ["y", "b"]

    @pytest.mark.parametrize("target", [" t", "t", "t  "])
    def test_is_found_with_and_without_blanks_around_it(self, write, target):
        path = write(" t,a,b\n1,5,6\n2,7,8\n")
        for load in (load_dataset, load_table):  # what search loads, and what compare loads
            data = load(path, target=target)
            assert data.target == "t"
            assert data.X.columns.tolist() == ["a", "b"]

    def test_unknown_suggests_and_lists(self, write):
        path = write("grade,a,b\n1,5,6\n2,7,8\n")
        message = "no column 'grades'; did you mean 'grade'? (columns: grade, a, b)"
        with pytest.raises(ValueError, match=re.escape(message)):
            load_dataset(path, target="grades")
        with pytest.raises(ValueError, match=re.escape("no column 'zzz' (columns: grade, a, b)")):
            load_dataset(path, target="zzz")

    def test_unknown_lists_twenty_columns_at_most(self, write):
        names = ",".join(f"V{i}" for i in range(30))
        numbers = ",".join("1" * 30)
        with pytest.raises(ValueError, match=r"V18, V19 and 10 more\)$"):
            load_dataset(write(f"{names}\n{numbers}\n"), target="zzz")

    def test_must_be_a_name(self, write):
        with pytest.raises(TypeError, match="target must be the name of a column, not 0"):
            load_dataset(write("a,b\n1,2\n"), target=0)

    def test_missing_values_are_counted(self, write):
        path = write("x,size\n1,small\n2,None\n3,\n")
        with pytest.raises(ValueError, match=r"'size' is missing or infinite in 2 of 3 rows.*None"):
            load_dataset(path, order=["small"])

    def test_infinite_values_are_counted(self, write):
        with pytest.raises(ValueError, match="'size' is missing or infinite in 1 of 2 rows"):
            load_dataset(write("x,size\n1,inf\n2,3.5\n"), bins=2)


class TestFeatures:
    def test_become_floats(self, write):
        dataset = load_dataset(write("flag,count,grade\nTrue,3,1\nFalse,4,2\n"))
        assert dataset.X.to_dict("list") == {"flag": [1.0, 0.0], "count": [3.0, 4.0]}
        assert set(dataset.X.dtypes) == {np.dtype("float64")}

    def test_that_are_not_all_numbers_stay_as_they_are(self, write):
        path = write("sex,x,town,grade\nf,1,a,1\nm,2,b,2\n")
        X = load_table(path).X
        assert X.to_dict("list") == {"sex": ["f", "m"], "x": [1, 2], "town": ["a", "b"]}

    def test_of_text_are_refused_by_name_where_numbers_are_needed(self):
        X = pd.DataFrame({"sex": pd.Categorical(["f", "m"]), "x": [1, 2], "town": ["a", "b"]})
        with pytest.raises(ValueError, match="columns are not: sex, town; have them prepared"):
            numeric_features(X)

    def test_missing_and_infinite_values_are_counted_by_column(self, write):
        X = load_table(write("a,b,c,grade\n,1,inf,1\n,2,3,2\n5,6,7,3\n")).X
        message = "infinite values: 'a' (2 of 3 rows), 'c' (1 of 3 rows); have them prepared, fill"
        with pytest.raises(ValueError, match=re.escape(message)):
            numeric_features(X)

    def test_missing_values_of_nullable_columns_are_found(self):
        X = pd.DataFrame({"n": pd.array([1, None], "Int64"), "b": pd.array([None, True])})
        with pytest.raises(ValueError, match=re.escape("'n' (1 of 2 rows), 'b' (1 of 2 rows)")):
            numeric_features(X)

    def test_there_must_be_one(self, write):
        message = "no features: 'grade' is the only column (another separator of fields, --read"
        with pytest.raises(ValueError, match=re.escape(message)):
            load_dataset(write("grade\n1\n3\n"))


def test_booleans_stay_booleans():
    """Another table may have a word among them, and exports are told that words are to be read."""
    table = pd.DataFrame({"a": [True, False], "b": [1, 2], "grade": [1, 2]})
    assert features_of(table, "grade").dtypes.astype(str).to_dict() == {"a": "bool", "b": "int64"}
    assert set(features_of(table[["b", "grade"]], "grade").dtypes.astype(str)) == {"float64"}
