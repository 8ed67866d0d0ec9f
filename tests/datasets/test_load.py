import numpy as np
import pandas as pd
import pytest

from moselect.datasets import load_dataset


@pytest.mark.parametrize("rows", ["0,low\n1,high\n", "0,True\n1,False\n"])
def test_bins_are_for_numbers(write, rows):
    path = write(f"x,size\n{rows}")
    with pytest.raises(ValueError, match=r"'size' is not numeric .*bins: .*order="):
        load_dataset(path, bins=2)


def test_repeated_row_labels_do_not_repeat_rows(tmp_path):
    table = pd.DataFrame(
        {"x": [1, 2, 3, 4], "y": [0.5, 9.5, 1.5, 2.5]}, index=[7, 7, 7, 8]
    )
    table.to_parquet(tmp_path / "t.parquet")
    dataset = load_dataset(tmp_path / "t.parquet", binning=[0.25, 0.5])
    assert dataset.X["x"].tolist() == [1, 3, 4]
    assert dataset.y.tolist() == [1, 2, 2]
    assert dataset.X.index.tolist() == dataset.y.index.tolist() == [7, 7, 8]


def test_missing_words_are_labels_if_the_order_names_them(write):
    path = write("x,severity\n1,None\n2,NA\n,mild\n4,None\n")
    data = load_dataset(path, order=["NA", "None", "mild"])
    assert data.y.tolist() == ["None", "NA", "mild", "None"]
    assert data.labels == ("NA", "None", "mild")
    assert data.X["x"].isna().tolist() == [False, False, True, False]
    # else their rows are excluded and counted
    data = load_dataset(path, order=["None", "mild"])
    assert data.y.tolist() == ["None", "mild", "None"]
    assert data.X["x"].tolist()[::2] == [1, 4]
    assert data.notes == ("1 of 4 rows have no label and are excluded",)


def test_none_is_one_unless_an_order_lacks_it(write):
    path = write("x,grade\n1,None\n2,low\n3,high\n4,\n")
    assert load_dataset(path).labels == ("None", "low", "high")
    assert len(load_dataset(path, order=["low", "high"]).y) == 2


def test_none_is_a_level_when_another_spelling_occurs(write):
    X = load_dataset(write("a,b,grade\nNone,None,1\nnone,low,2\nNA,high,2\n")).X
    assert X.isna().to_numpy().tolist() == [[False, True], [False] * 2, [True, False]]
    assert X["a"].tolist()[:2] == ["None", "none"]


def test_numbers_with_gaps_stay_numbers(write):
    path = write("id,x,grade\n01,1,1\n02,2,\n03,3,2\n04,4,9\n")
    data = load_dataset(path, categorical=["id"])
    assert data.y.tolist() == [1, 2, 9]
    assert data.X["id"].tolist() == ["01", "03", "04"]
    assert load_dataset(path, bins=2).y.tolist() == [1, 1, 2]


def test_excluded_labels_are_counted(write):
    rows = "".join(f"{k},{k % 3 + 1}\n" for k in range(30))
    path = write(f"x,answer\n{rows}1,9\n2,9\n3,\n")
    data = load_dataset(path, leave_out=["9"])
    assert (len(data.X), data.labels) == (30, (1, 2, 3))
    assert "excluded rows of 'answer': '9' (2)" in data.notes
    assert "1 of 33 rows have no label and are excluded" in data.notes
    with pytest.raises(ValueError, match="no row has the label '7' to be excluded"):
        load_dataset(path, leave_out=["7"])


def test_bin_edges_are_reported_and_kept(write):
    path = write("x,price\n1,0.5\n1,1.0\n1,2.0\n1,2.5\n1,9.0\n1,10.5\n")
    data = load_dataset(path, bins=2)
    assert data.y.attrs["bin_edges"] == [5.5]
    assert "'price' is binned at 5.5 (edges belong to the lower class)" in data.notes
    assert load_dataset(path, binning=[0.5, 0.5]).y.attrs["bin_edges"] == [2.0]


@pytest.mark.parametrize(("price", "gap"), [("{} €", "-"), ("${}", "n/a"), ("{},0", "?")])
def test_numbers_written_as_text_are_cut_into_classes(write, price, gap):
    rows = [f"{i};{price.format(i)}" for i in range(1, 11)]
    path = write("\n".join(["x;price", *rows, f"11;{gap}"]) + "\n")
    dataset = load_dataset(path, bins=2)
    assert dataset.y.tolist() == [1] * 5 + [2] * 5
    assert dataset.y.attrs["bin_edges"] == [5.5]
    assert "1 of 11 rows have no label and are excluded" in dataset.notes


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


def test_features_are_floats_if_all_are_numbers_and_stay_as_they_are_otherwise(write):
    numbers = load_dataset(write("a,b,grade\n3,1,1\n4,2,2\n")).X
    assert set(numbers.dtypes) == {np.dtype(float)}
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


def test_rows_of_weight_0_are_counted_as_excluded(write):
    path = write("x,w,grade\n1,1.5,1\n2,0,2\n3,2,1\n4,0.5,2\n")
    data = load_dataset(path, weight="w")
    assert data.notes == ("1 of 4 rows have weight 0 and are excluded",)
