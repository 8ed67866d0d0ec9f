"""Files as they are: every way to write a table gives that table, and says how it was read."""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from moselect.datasets import find_source, load_dataset, load_table, read_table
from moselect.datasets.files import read_table_file

TABLE = pd.DataFrame(
    {"größe": [1.5, -20.25, 1000.0], "Art": ["süß", "x, y; z", "a"], "n": [1, 2, 3]}
)
TEXTS = st.text(st.characters(codec="cp1252", exclude_categories=["C"], exclude_characters='"'))
WORDS = TEXTS.map(str.strip).filter(lambda word: word and not word.startswith("#"))
NUMBER = re.compile(r"[+-]?[\d.,]+([eE][+-]?\d+)?")


def as_text(table, separator=",", decimal="."):
    return table.to_csv(index=False, sep=separator, decimal=decimal, quoting=2 - (separator != "|"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize(
    ("separator", "decimal"), [(",", "."), (";", ","), (";", "."), ("\t", ",")]
)
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt", ".csv.gz", ""])
def test_any_encoding_separator_and_suffix(tmp_path, encoding, separator, decimal, suffix):
    path = tmp_path / f"table{suffix}"
    content = as_text(TABLE, separator, decimal).encode(encoding)
    path.write_bytes(gzip.compress(content) if suffix.endswith(".gz") else content)
    found = read_table_file(path)
    pd.testing.assert_frame_equal(found.table, TABLE)
    note = "".join(found.notes)
    assert ("semicolons" in note, "tabs" in note) == (separator == ";", separator == "\t")
    assert ("decimal comma" in note) == (decimal == ",")
    assert ("encoding" in note) == (encoding != "utf-8")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    rows=st.lists(
        st.tuples(st.floats(-1e6, 1e6).map(lambda x: x + 0.5), WORDS, st.integers(-99, 99)),
        min_size=2,
        max_size=8,
    ),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    style=st.sampled_from([(",", "."), (";", ","), (";", "."), ("\t", "."), ("\t", ",")]),
    n_comments=st.integers(0, 3),
)
@example(rows=[(1.234, "1,5", 1), (2.5, "a", 2)], encoding="utf-8", style=(",", "."), n_comments=0)
@example(rows=[(1.5, "1.5", 1), (2.5, "a", 2)], encoding="utf-8", style=(";", ","), n_comments=0)
def test_generated_tables_come_back(tmp_path, rows, encoding, style, n_comments):
    # A column of 1.5 beside one of 1,5 may mean either.
    assume(2 * sum(NUMBER.fullmatch(word) is not None for _, word, _ in rows) <= len(rows))
    table = pd.DataFrame(rows, columns=["x", "word", "n"])
    separator, decimal = style
    text = "# a comment\n" * n_comments + table.to_csv(
        index=False, sep=separator, decimal=decimal, quoting=1
    )
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))
    found = read_table_file(path)
    pd.testing.assert_frame_equal(
        found.table[["x", "n"]], table[["x", "n"]], check_exact=True, check_dtype=False
    )
    assert found.read_words("word").fillna("").str.strip().tolist() == table["word"].tolist()
    assert (n_comments > 0) == any("begin" in note for note in found.notes)


def test_numbers_in_groups(write):
    german = read_table(write("x;y\n1.234,5;1.2.2024\n2,5;3.4.2024\n-7;4.5.2024\n"))
    assert german["x"].tolist() == [1234.5, 2.5, -7]
    assert german["y"].tolist() == ["1.2.2024", "3.4.2024", "4.5.2024"]
    english = read_table(write('x,y\n"1,234",1\n"2,500,000.5",2\n'))
    assert english["x"].tolist() == [1234, 2500000.5]


def test_what_begins_with_zero_is_no_group(write):
    assert read_table(write('x,y\n"0,100",1\n"0,101",2\n'))["x"].tolist() == [0.1, 0.101]


def test_points_that_may_group_thousands_are_remarked_on(write):
    doubtful = read_table_file(write("x;y\n336;1\n49.149;2\n"))
    assert doubtful.table["x"].tolist() == [336.0, 49.149]
    assert (
        "49.149 has a decimal point (if it groups thousands: --read decimal=,)" in doubtful.notes[0]
    )
    for text in ("x;y\n336;1\n49.14;2\n", "x;y\n336;1,5\n49.149;2\n", "x,y\n336,1\n49.149,2\n"):
        assert not any("thousands" in note for note in read_table_file(write(text)).notes)
    assert read_table(write("x;y\n336;1\n49.149;2\n"), decimal=",")["x"].tolist() == [336, 49149]


def test_a_decimal_comma_far_down(write):
    rows = [f"{i};{i};word" for i in range(1_200)]
    found = read_table(write("\n".join(["x;y;z", *rows, "1,5;;2,5", ""])))
    assert found["x"].tolist() == [*range(1_200), 1.5]
    assert found["y"].isna().sum() == 1
    assert found["z"].iloc[-1] == "2,5"
    pointed = read_table(write("\n".join(["x;y;z", "0.5;0.5;0.5", *rows, "1,5;;2,5", ""])))
    assert pointed["x"].iloc[-1] == "1,5"  # with both marks it is text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_file_that_is_cut_off(write, end):
    whole = end.join(["a,b,c", "1,2,3", "4,5,6"])
    assert len(read_table(write(whole))) == 2
    with pytest.raises(ValueError, match="cut off: its last row has 2 of 3 fields"):
        read_table(write(whole[:-2]))
    assert read_table(write(f"{whole[:-2]}{end}"))["c"].isna().sum() == 1  # it may be written so


def test_a_header_may_be_a_comment(write):
    assert read_table(write("# made today\n#id\tx\n7\t0.5\n")).to_dict("list") == {
        "id": [7],
        "x": [0.5],
    }


def test_a_missing_header_is_remarked_on(write):
    (note,) = read_table_file(write("5.1,3.5,setosa\n4.9,3.0,setosa\n")).notes
    assert note == "numbers in the first line taken for names of columns"
    assert not read_table_file(write("2023,2024\n1,2\n")).notes


def test_excel_may_declare_the_separator(write):
    assert read_table(write("sep=;\nx;y\n1,5;2\n")).to_dict("list") == {"x": [1.5], "y": [2]}


def test_blanks_behind_separators(write):
    assert read_table(write('a, b\n1, "x, y"\n')).to_dict("list") == {"a": [1], "b": ["x, y"]}


def test_what_is_recognised_can_be_overruled(write):
    path = write("a;b,c\n1;2,3\n1;2,3\n")
    assert read_table(path, separator=",").columns.tolist() == ["a;b", "c"]
    assert read_table(path, separator=";", decimal=".").iloc[0].tolist() == [1, "2,3"]
    assert read_table(path, separator=";").iloc[0].tolist() == [1, 2.3]
    path.write_bytes("a,b\nж,1\n".encode("koi8-r"))
    assert read_table(path, encoding="koi8-r")["a"].tolist() == ["ж"]


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        ({"separator": ";;"}, "the separator must be one character"),
        ({"decimal": "-"}, "the decimal mark must be"),
        ({"separator": ",", "decimal": ","}, "cannot be the separator and the decimal mark"),
        ({"encoding": "utf-99"}, "there is no encoding 'utf-99'"),
        ({"encoding": "ascii"}, "its characters are not ascii"),
        ({"sheet": "first"}, "sheet is for workbooks only"),
    ],
)
def test_what_cannot_be_overruled(write, reading, message):
    with pytest.raises(ValueError, match=message):
        read_table(write("ä,b\n1,2\n"), **reading)


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
class TestWorkbooks:
    def write(self, path, sheets):
        with pd.ExcelWriter(path) as workbook:
            for name, table in sheets.items():
                table.to_excel(workbook, sheet_name=name, index=False)

    def test_types_come_back(self, tmp_path, suffix):
        table = TABLE.assign(
            day=pd.to_datetime(["2024-01-31", None, "2024-02-29"]),
            gap=[1.0, np.nan, 2.5],
            flag=[True, False, True],
        )
        self.write(tmp_path / f"t.{suffix}", {"one": table})
        found = read_table_file(tmp_path / f"t.{suffix}")
        pd.testing.assert_frame_equal(found.table, table, check_dtype=False)
        kinds = [kind.kind for kind in found.table.dtypes]
        assert kinds == [kind.kind for kind in table.dtypes]
        assert found.notes == ()

    def test_sheets(self, tmp_path, suffix):
        path = tmp_path / f"t.{suffix}"
        self.write(path, {"one": TABLE, "two": TABLE.head(1)})
        assert read_table_file(path).notes == ("sheet 'one', the first of 2",)
        assert len(read_table(path, sheet="two")) == 1
        with pytest.raises(ValueError, match="no sheet 'three': its sheets are one, two"):
            read_table(path, sheet="three")

    def test_without_the_package(self, tmp_path, suffix, monkeypatch):
        path = tmp_path / f"t.{suffix}"
        self.write(path, {"one": TABLE})
        monkeypatch.setitem(sys.modules, "python_calamine", None)
        with pytest.raises(ValueError, match=r"pip install 'moselect\[excel\]'"):
            read_table(path)


def test_feather(tmp_path):
    TABLE.to_feather(tmp_path / "t.feather")
    pd.testing.assert_frame_equal(read_table(tmp_path / "t.feather"), TABLE)


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
def test_standard_input_of_any_kind(monkeypatch, kind):
    buffer = io.BytesIO()
    if kind == "csv":
        buffer.write(as_text(TABLE, ";", ",").encode("cp1252"))
    elif kind == "parquet":
        TABLE.to_parquet(buffer)
    else:
        TABLE.to_excel(buffer, index=False)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(buffer.getvalue())))
    source = find_source("-")
    pd.testing.assert_frame_equal(source.table, TABLE)
    assert source.name == "standard-input"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(as_text(TABLE).encode()))
    writer.start()
    pd.testing.assert_frame_equal(read_table(path), TABLE)
    writer.join()


class TestMissingWordsAsLabels:
    TEXT = "x,severity\n1,None\n2,NA\n,mild\n4,None\n"

    def test_are_labels_if_the_order_names_them(self, write):
        data = load_table(write(self.TEXT), order=["NA", "None", "mild"])
        assert data.y.tolist() == ["None", "NA", "mild", "None"]
        assert data.labels == ("NA", "None", "mild")
        assert data.X["x"].isna().tolist() == [False, False, True, False]

    def test_in_a_workbook(self, tmp_path):
        table = pd.DataFrame({"x": [1, 2, 3], "severity": ["None", "mild", "None"]})
        table.to_excel(tmp_path / "t.xlsx", index=False)
        data = load_dataset(tmp_path / "t.xlsx", order=["None", "mild"])
        assert data.y.tolist() == ["None", "mild", "None"]

    def test_are_missing_otherwise(self, write):
        with pytest.raises(ValueError, match=r"missing or infinite in 1 of 4 rows.*--order"):
            load_dataset(write(self.TEXT), order=["None", "mild"])
        with pytest.raises(ValueError, match="missing or infinite in 3 of 4 rows"):
            load_dataset(write(self.TEXT))


def test_notes_of_a_data_set(write):
    data = load_dataset(write("x;risk\n1,5;low \n2,5;high\n3,5;low\n", "claims.csv"))
    assert data.notes == (
        "claims: fields separated by semicolons, decimal comma",
        "blanks around labels of 'risk' left out: 'low '",
        "labels of 'risk' in the order of a well-known scale, lowest first: low, high",
    )
    assert load_dataset(write("x,grade\n1,1\n2,2\n")).notes == ()


def test_the_fingerprint_is_computed_once(write, monkeypatch):
    data = load_table(write("x,grade\na,1\nb,2\n"))
    first = data.fingerprint
    monkeypatch.setattr(pd.util, "hash_pandas_object", None)
    assert data.fingerprint == first
