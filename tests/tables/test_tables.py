"""Table files of every format: read as they were written, or refused in one line."""

import bz2
import gzip
import io
import lzma
import re
import sys
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from pandas.testing import assert_frame_equal

from moselect.datasets import load_dataset
from moselect.datasets.source_tables import find_source
from moselect.tables import read_table
from moselect.tables.tables import read_source

TABLE = pd.DataFrame(
    {"height": [1.5, -0.1, 1e-300], "Größe": ["süß", "x, y; z", "a"], "grade": [3, 1, 2]}
)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("T.CSV", lambda path: TABLE.to_csv(path, index=False)),
        ("t.parquet", lambda path: TABLE.to_parquet(path, index=False)),
        ("t.feather", lambda path: TABLE.to_feather(path)),
        ("saved_index.csv", lambda path: TABLE.to_csv(path)),
        (
            "saved_names.csv",
            lambda path: TABLE.set_index(pd.Index(list("xyz"))).to_csv(path),
        ),
    ],
)
def test_every_file_format(tmp_path, name, write):
    write(tmp_path / name)
    found = read_source(str(tmp_path / name))
    assert_frame_equal(found.table, TABLE)
    assert found.name == name.split(".")[0]
    excluded = "the first column has no name and unique values: excluded as a row index"
    assert found.notes == ((f"{found.name}: {excluded}",) if "saved" in name else ())


def test_standard_input(monkeypatch):
    content = TABLE.to_csv(index=False, sep=";", decimal=",").encode("cp1252")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    source = find_source("-")
    assert_frame_equal(source.table, TABLE)
    assert source.name == "standard-input"


workbooks = pytest.mark.parametrize("suffix", ["xlsx", "ods"])


@workbooks
def test_types_of_workbooks_come_back(tmp_path, suffix):
    table = TABLE.assign(
        day=pd.to_datetime(["2024-01-31", None, "2024-02-29"]),
        gap=[1.0, np.nan, 2.5],
        flag=[True, False, True],
    )
    table.to_excel(tmp_path / f"t.{suffix}", index=False)
    found = read_table(tmp_path / f"t.{suffix}")
    assert_frame_equal(found, table, check_dtype=False)
    types, expected = ([dtype.kind for dtype in t.dtypes] for t in (found, table))
    assert types == expected


@workbooks
def test_sheets(tmp_path, suffix):
    path = tmp_path / f"t.{suffix}"
    with pd.ExcelWriter(path) as workbook:
        if suffix == "xlsx":  # a hidden sheet is read if it is named
            TABLE.head(1).to_excel(workbook, sheet_name="two", index=False)
            workbook.sheets["two"].sheet_state = "hidden"
        TABLE.to_excel(workbook, sheet_name="one", index=False)
        if suffix == "ods":
            TABLE.head(1).to_excel(workbook, sheet_name="two", index=False)
    (note,) = read_source(path).notes
    assert note == "t: sheet 'one' (others, by sheet=...: two)"
    assert len(read_table(path, sheet="two")) == 1
    with pytest.raises(ValueError, match="no sheet 'three': its sheets are"):
        read_table(path, sheet="three")
    with pytest.raises(ValueError, match=r"no column 'z' .*others, by sheet=...: two"):
        load_dataset(path, target="z")


@pytest.mark.parametrize("suffix", ["gz", "zip", "xz", "bz2"])
def test_compressed_files(tmp_path, suffix):
    content = TABLE.to_csv(index=False).encode()
    path = tmp_path / f"t.csv.{suffix}"
    if suffix == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("folder/t.csv", content)
            archive.writestr("__MACOSX/._t", b"")
    else:
        compress = {"gz": gzip, "xz": lzma, "bz2": bz2}[suffix].compress
        path.write_bytes(compress(content))
    found = read_source(path)
    assert_frame_equal(found.table, TABLE)
    assert found.name == "t"


def test_categories_of_parquet_keep_their_order(tmp_path):
    grade = pd.Categorical(["b", "a", "b"], categories=["b", "a"], ordered=True)
    table = TABLE.assign(grade=grade)
    table.to_parquet(tmp_path / "t.parquet", index=False)
    assert_frame_equal(read_table(tmp_path / "t.parquet"), table)


@pytest.mark.parametrize("named", [["b"], ["a", "b"]])
def test_a_named_index_of_parquet_is_read_as_columns(tmp_path, named):
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0], "grade": [1, 2]})
    table.set_index(named).to_parquet(tmp_path / "t.parquet")
    found = read_table(tmp_path / "t.parquet")
    assert_frame_equal(found[table.columns.tolist()], table)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"a,b\n\x81\xfe,1\n", "its characters are not UTF-8 or Windows-1252"),
        ("t.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 9, mtime=0)[:-12], ""),
        ("t.parquet", b"PAR1 and no more", ""),
        ("t.xlsx", b"PK\x03\x04 nothing", "it is not a workbook, or damaged"),
    ],
)
def test_damaged_files_and_wrong_formats_are_refused(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(
        ValueError, match=re.escape(f"cannot read '{path}': {message}")
    ) as caught:
        read_table(path)
    assert "\n" not in str(caught.value)


def test_paths_without_a_table_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "absent.csv"):
        with pytest.raises(ValueError, match=re.escape(f"cannot read '{path}'")):
            read_table(path)
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"cannot read .*t\.parquet': .*a"):
        read_table(tmp_path / "t.parquet")


@pytest.mark.parametrize("first", ["NA,unknown,low", "1.5e-300,7E+16,mid", "1e5,,mid"])
def test_a_row_of_exponents_or_words_for_gaps_is_data(write, first):
    path = write(f"dose,weight,grade\n{first}\n2,70,high\n1,61,low\n")
    assert len(read_table(path)) == 3


def test_the_first_table_of_an_export_is_read_without_its_questions(tmp_path):
    table = pd.DataFrame({"asked": [3.5, 2.0, 4.0], "grade": ["low", "high", "NA"]})
    questions = pd.DataFrame({"asked": ["How often?"], "grade": ["How good?"]})
    with pd.ExcelWriter(tmp_path / "t.xlsx") as workbook:
        for name, sheet in {
            "a": pd.DataFrame({"About": ["made in May"]}),
            "b": pd.concat([questions, table]),
            "c": pd.concat([table.tail(1), table]),
        }.items():
            sheet.to_excel(workbook, sheet_name=name, index=False)
    found = read_source(tmp_path / "t.xlsx")
    assert found.table["asked"].tolist() == [3.5, 2.0, 4.0]
    assert found.read_words("grade").tolist() == ["low", "high", "NA"]
    assert found.notes[0].startswith("t: sheet 'b' (others, by sheet=...: a, c)")
    assert len(read_table(tmp_path / "t.xlsx", sheet="c")) == 4


def test_a_cell_merged_over_rows_counts_in_each_of_them(tmp_path):
    table = TABLE.assign(plant=["A", "A", "B"], no=[1, 2, 1])
    # merges the two cells of A
    table.set_index(["plant", "no"]).to_excel(tmp_path / "t.xlsx")
    found = read_source(tmp_path / "t.xlsx")
    assert found.table["plant"].tolist() == ["A", "A", "B"]
    assert "cells merged over rows count in each of them" in found.notes[0]


def test_totals_at_the_end_of_a_sheet_are_excluded_with_the_notes_below(tmp_path):
    path = tmp_path / "t.xlsx"
    table = pd.DataFrame({"part": ["a", "b"], "count": [1, 5], "size": [2.0, 1.0]})
    notes = pd.DataFrame({"part": [None, "Source: B"]})
    for word, below in (("Total", []), ("Summe", [notes])):
        totals = pd.DataFrame({"part": [word], "count": [6], "size": [3.0]})
        pd.concat([table, totals, *below]).to_excel(path, index=False)
        found = read_source(path)
        assert found.table["count"].tolist() == [1, 5]
        assert found.notes[-1].endswith(f"the last row, '{word}', excluded as totals")
    # Without totals, rows of one cell are rows of the table.
    pd.concat([table, notes]).to_excel(path, index=False)
    assert read_source(path).table["part"].tolist()[-1] == "Source: B"


def test_two_lines_of_names_in_a_sheet_are_read_by_the_option_that_the_error_names(
    tmp_path,
):
    rows = [
        ["", "person", "person"],
        ["grade", "age", "size"],
        [1, 30, 2.5],
        [2, 40, 1.5],
    ]
    pd.DataFrame(rows).to_excel(tmp_path / "t.xlsx", index=False, header=False)
    with pytest.raises(ValueError, match="header=LINE"):
        read_table(tmp_path / "t.xlsx")
    assert [*read_table(tmp_path / "t.xlsx", header="2")] == ["grade", "age", "size"]
