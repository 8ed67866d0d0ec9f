from __future__ import annotations

import gzip
import re
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moselect.datasets import fingerprint, load_table, read_table
from moselect.datasets.files import read_table_file

TABLE = pd.DataFrame({"height": [1.5, -0.1, 1e-300], "grade": [3, 1, 2]})


def test_csv_round_trip(tmp_path):
    TABLE.to_csv(tmp_path / "t.csv", index=False)
    pd.testing.assert_frame_equal(read_table(tmp_path / "t.csv"), TABLE)


def test_compressed_csv_and_a_name_given_as_text(tmp_path):
    TABLE.to_csv(tmp_path / "T.CSV.GZ", index=False, compression="gzip")
    pd.testing.assert_frame_equal(read_table(str(tmp_path / "T.CSV.GZ")), TABLE)


def test_parquet_round_trip(tmp_path):
    grade = pd.Categorical(["b", "a", "b"], categories=["b", "a"], ordered=True)
    table = TABLE.assign(grade=grade)
    table.to_parquet(tmp_path / "t.parquet", index=False)
    pd.testing.assert_frame_equal(read_table(tmp_path / "t.parquet"), table)


def test_parquet_column_names_become_text(tmp_path):
    pd.DataFrame({0: [1.0], 1: [2.0]}).to_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet").columns.tolist() == ["0", "1"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50))
def test_csv_floats_come_back_to_the_last_bit(tmp_path, values):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "".join(f"{value!r},0\n" for value in values))
    assert read_table(path)["x"].tolist() == values


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n", encoding="utf-8-sig")
    assert read_table(tmp_path / "t.csv").columns.tolist() == ["a", "b"]


def test_a_column_called_na_has_a_name(write):
    assert read_table(write("NA,b\n1,2\n")).columns.tolist() == ["NA", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("a,b\n1,2\n3,4,5\n", "line 3 has 3 fields, but the header names 2: correct it"),
        ("a,b\n0,2,3\n1,5,6\n", "the first row has 3 fields, but the header names 2"),
        ("a,b,a\n1,2,3\n", "two columns are called 'a': rename or drop one"),
        (",a,b\n0,1,2\n0,3,4\n", "column 1 has no name: name it, or leave it out"),
        ('a,b\n1,"2\n3,4\n', "a quotation mark is opened and never closed"),
        ("a,  ,b\n0,1,2\n", "column 2 has no name"),
    ],
)
def test_broken_csv(write, text, message):
    path = write(text)
    with pytest.raises(ValueError, match=re.escape(f"cannot read '{path}': ")) as caught:
        read_table(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("index", [[0, 1, 2], ["x", "y", "z"]])
def test_a_saved_row_index_does_not_become_a_feature(tmp_path, index):
    TABLE.set_index(pd.Index(index)).to_csv(tmp_path / "t.csv")
    found = read_table_file(tmp_path / "t.csv")
    pd.testing.assert_frame_equal(found.table, TABLE)
    assert found.notes == (
        "the first column has no name and a value of its own in each row: left out",
    )


def test_empty_columns_of_a_spreadsheet_are_left_out(write):
    assert read_table(write("a,b,,\n1,2,,\n3,4,,\n")).to_dict("list") == {"a": [1, 3], "b": [2, 4]}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", b"a,b\n\x81\xfe,1\n"),
        ("t.csv.gz", b"not compressed"),
        ("t.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 9, mtime=0)[:-12]),
        ("t.csv.gz", gzip.compress(b"a,b\n", mtime=0)[:10] + b"\xff" * 30),
        ("t.parquet", b""),
        ("t.parquet", b"not Parquet at all"),
    ],
)
def test_broken_bytes(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"cannot read '{path}': ")) as caught:
        read_table(path)
    assert "\n" not in str(caught.value)


def test_parquet_with_a_repeated_name(tmp_path):
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"cannot read .*t\.parquet': .*a"):
        read_table(tmp_path / "t.parquet")


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=re.escape("pip install 'moselect[parquet]'")):
        read_table(tmp_path / "t.parquet")


def test_what_is_no_table(tmp_path, write):
    with pytest.raises(ValueError, match=r"there is no file '.*absent\.csv'"):
        read_table(tmp_path / "absent.csv")
    with pytest.raises(ValueError, match="is a folder: give a file in it"):
        read_table(tmp_path)
    with pytest.raises(ValueError, match=r"table\.xlsx': it is no workbook file, though its name"):
        read_table(write("a,b\n1,2\n", "table.xlsx"))
    with pytest.raises(ValueError, match=r"table\.doc': its name must end in \.csv, \.tsv"):
        read_table(write("a,b\n1,2\n", "table.doc"))
    with pytest.raises(ValueError, match=r"table\.csv\.gz': it is not compressed, though"):
        read_table(write("a,b\n1,2\n", "table.csv.gz"))
    with pytest.raises(TypeError):
        read_table(np.arange(3))


@pytest.mark.parametrize("named", [["b"], ["a", "b"]])
def test_a_named_index_in_parquet_is_read_as_columns(tmp_path, named):
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0], "grade": [1, 2]})
    table.set_index(named).to_parquet(tmp_path / "t.parquet")
    found = read_table(tmp_path / "t.parquet")
    pd.testing.assert_frame_equal(found[table.columns.tolist()], table)


def test_lists_in_a_column_are_no_matter_until_it_is_used(tmp_path):
    table = pd.DataFrame(
        {"a": [1.0, 2.0, 3.0, 4.0], "l": [[1], [2], [1], [2]], "grade": [1, 2] * 2}
    )
    table.to_parquet(tmp_path / "t.parquet")
    data = load_table(tmp_path / "t.parquet")
    other = data.X.assign(l=[[1], [2], [1], [3]])
    assert fingerprint(other, data.y) != data.fingerprint
