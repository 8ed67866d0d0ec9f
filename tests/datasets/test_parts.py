"""A file read in parts is the file read as a whole."""

from __future__ import annotations

import gzip
from functools import partial

import numpy as np
import pandas as pd
import pytest

from moselect.datasets.files.parts import read_in_parts

COLUMNS = {
    "int": list(range(23)),
    "float": [i / 7 for i in range(23)],
    "int, then float": [*range(20), 0.5, 1.5, 2.5],
    "float, then int": [0.5, 1.5, 2.5, *range(20)],
    "int, then missing": [*range(22), None],
    "missing, then int": [None] * 11 + list(range(12)),
    "numbers, then text": [*range(22), "many"],
    "text, then numbers": ["many", *range(22)],
    "missing, then text": [None] * 22 + ["few"],
    "text": [f"word {i}" for i in range(23)],
    "text over two lines": [f"one\n{i}" for i in range(23)],
    "bool": [i % 2 == 0 for i in range(23)],
    "bool, then text": [True] * 22 + ["perhaps"],
    "int too long for 64 bits": [*range(22), 2**70],
    "int beyond the precision of floats": [2**53 + 1] * 22 + [0.5],
}


def write(path, columns, **options):
    pd.DataFrame(
        {name: pd.Series(column, dtype=object) for name, column in columns.items()}
    ).to_csv(path, index=False, **options)
    return path


@pytest.mark.parametrize("rows", [1, 4, 22, 23, 24, 1000])
@pytest.mark.parametrize("name", COLUMNS)
def test_every_kind_of_column(tmp_path, name, rows):
    path = write(tmp_path / "t.csv", {"first": range(23), name: COLUMNS[name], "last": range(23)})
    pd.testing.assert_frame_equal(
        read_in_parts(partial(path.open, "rb"), rows, low_memory=False),
        pd.read_csv(path, low_memory=False),
        check_exact=True,
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("zipped", [False, True])
def test_all_columns_together_in_other_files(tmp_path, end, zipped):
    path = write(tmp_path / "t.csv", COLUMNS, lineterminator=end)
    open_file = partial(path.open, "rb")
    if zipped:
        path = tmp_path / "t.csv.gz"
        path.write_bytes(gzip.compress((tmp_path / "t.csv").read_bytes()))
        open_file = partial(gzip.open, path)
    pd.testing.assert_frame_equal(
        read_in_parts(open_file, 5, low_memory=False), pd.read_csv(path, low_memory=False)
    )


def test_columns_without_rows(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n")
    table = read_in_parts(partial(path.open, "rb"))
    assert list(table) == ["a", "b"]
    assert len(table) == 0


def test_columns_can_be_changed_without_changing_others(tmp_path):
    path = write(tmp_path / "t.csv", {"a": range(9), "b": range(9)})
    table = read_in_parts(partial(path.open, "rb"), 2)
    table.loc[0, "a"] = 100
    np.testing.assert_array_equal(table["b"], np.arange(9))
