import re

import pandas as pd
import pytest

from moselect.datasets import load_dataset
from moselect.datasets.target_and_features import features_of


@pytest.mark.parametrize(
    ("header", "named", "target"),
    [
        *(
            (f"{name},a,b", None, name)
            for name in ("response", "Target", "LABEL", "class", "Y")
        ),
        ("a,b,grade", None, "grade"),  # the last one if none has a usual name
        ("a,grade,Freq", None, "grade"),  # counts of a contingency table are no target
        ("class,y,grade", None, "grade"),  # or if two have one
        ("y,a,b", "a", "a"),
        (" t,a,b", "t  ", "t"),
    ],
)
def test_target(write, header, named, target):
    data = load_dataset(write(f"{header}\n1,5,6\n2,7,8\n"), target=named)
    assert data.target == data.y.name == target
    columns = [name.strip() for name in header.split(",")]
    assert data.X.columns.tolist() == [name for name in columns if name != target]


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (
            "grade,a\n1,5\n",
            {"target": "grades"},
            "'grades'; did you mean 'grade'? (columns: grade, a)",
        ),
        (
            "x,size\n1,small\n2,None\n3,\n",
            {"order": ["large"]},
            "order must name each of the 1 labels of target 'size' once",
        ),
        (
            "grade\n1\n3\n",
            {},
            "no features: 'grade' is the only column (another separator of fields, separator=",
        ),
    ],
)
def test_tables_that_cannot_be_used(write, text, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        load_dataset(write(text), **arguments)


def test_features_are_floats_if_all_are_numbers_and_stay_as_they_are_otherwise(write):
    """A later table may have a word in a column that was boolean."""
    table = pd.DataFrame({"a": [True, False], "b": [1, 2], "grade": [1, 2]})
    assert features_of(table, "grade").dtypes.tolist() == ["bool", "int64"]
    assert features_of(table[["b", "grade"]], "grade").dtypes.tolist() == ["float64"]
    X = load_dataset(write("sex,x,town,grade\nf,1,a,1\nm,2,b,2\n")).X
    assert X.to_dict("list") == {"sex": ["f", "m"], "x": [1, 2], "town": ["a", "b"]}


@pytest.mark.parametrize(
    ("header", "groups", "features"),
    [("a,b,y", [0, 1, 2], ["a", "b"]), ("a,none,y", [5, 5, 6], ["a"])],
)
def test_each_row_is_a_group_of_its_own_unless_a_column_has_that_name(
    write, header, groups, features
):
    data = load_dataset(write(f"{header}\n1,5,1\n1,5,1\n1,6,2\n"), group="none")
    assert data.roles["groups"].tolist() == groups
    assert data.X.columns.tolist() == features
