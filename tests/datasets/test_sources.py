"""Data sets by name, and large files in blocks."""

from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from moselect.budgets import MEMORY
from moselect.datasets import load_boston, load_dataset
from moselect.datasets.source_tables import find_blocks, read_boston
from moselect.tables.tables import read_source


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "sets"
    folder.mkdir()
    (folder / "stock_ord.csv").write_text("response,V1\n1,0.5\n2,0.7\n")
    monkeypatch.setenv("MOSELECT_DATA", str(folder))
    return folder


def test_the_data_folder_comes_before_bundled_sets_and_the_working_folder(
    folder, tmp_path, monkeypatch
):
    (folder / "boston.csv").write_text("x,grade\n1,7\n2,8\n")
    (tmp_path / "stock_ord.csv").write_text("x,grade\n1,7\n2,8\n")
    monkeypatch.chdir(tmp_path)
    assert load_dataset("boston").labels == (7, 8)
    for name in ("stock_ord", "stock_ord.csv"):
        assert load_dataset(name).labels == (1, 2)
    assert load_dataset("./stock_ord.csv").labels == (7, 8)


def test_default_target_and_nominal_numbers_of_openml(monkeypatch):
    grade = pd.Categorical(["10", "9", "10"])
    frame = pd.DataFrame({"grade": grade, "x": [1, 2, 3], "y": [0.5, 0.6, 0.7]})

    def fetch_openml(*, data_id, as_frame):
        assert (data_id, as_frame) == (43, True)
        return Bunch(frame=frame, target_names=["grade"])

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch_openml)
    dataset = load_dataset("openml:43")
    assert (dataset.name, dataset.target) == ("openml:43", "grade")
    assert dataset.labels == (9, 10)
    assert dataset.X.columns.tolist() == ["x", "y"]


def test_a_failure_of_openml_is_one_line(monkeypatch):
    def fail(**_):
        raise URLError("no route\nto host")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fail)
    message = "cannot fetch 'openml:43' from OpenML: .*no route to host"
    with pytest.raises(ValueError, match=message):
        load_dataset("openml:43")


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


NUMBERS = np.random.default_rng(0).normal(size=200).round(2)
TABLE = pd.DataFrame(
    {
        "size": NUMBERS,
        "count": np.arange(200),
        "gaps": np.where(NUMBERS > 1.0, None, np.arange(200)),
        "note": ['two\nlines; "quoted"' if x > 0.5 else "Total" for x in NUMBERS],
        "town": ["Köln" if x < -1.5 else "Bonn" for x in NUMBERS],
        "code": [f"{i % 7:03d}" for i in range(200)],
    }
)
TEXT = TABLE.to_csv(index=False)
FORMS = {
    "commas": TEXT.encode(),
    "german": TABLE.to_csv(index=False, sep=";", decimal=",").encode("cp1252"),
    "titles": b"# of May\nList of houses\n\n" + TEXT.encode(),
    "sums": TEXT.encode() + b"Total,19900,,,,\n",
    "wide": TEXT.encode("utf-16"),
}


@pytest.mark.parametrize("form", [*FORMS, "parquet"])
def test_blocks_add_up_to_the_full_table(tmp_path, set_budget, form):
    path = tmp_path / "t.csv"
    if form == "parquet":
        TABLE.astype({"gaps": float}).to_parquet(path)
    else:
        path.write_bytes(FORMS[form])
    source = read_source(path)
    set_budget(MEMORY, file_bytes=0, block_bytes=1000, block_cells=100)
    found = [block.source for block in find_blocks(str(path))]
    assert len(found) > 5 or form == "wide"
    tables = [part.table for part in found]
    pd.testing.assert_frame_equal(pd.concat(tables, ignore_index=True), source.table)
    for name in source.table:
        written = [str(cell) for part in found for cell in part.as_written(name)]
        assert written == [*map(str, source.as_written(name))]
    assert {part.decimal for part in found} == {source.decimal}
