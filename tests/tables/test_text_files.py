"""Text files: every way to write a table gives that table, with notes on the format."""

import re

import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from moselect.tables import read_table
from moselect.tables.tables import read_source

TEXTS = st.text(
    st.characters(codec="cp1252", exclude_categories=["C"], exclude_characters='"')
)
WORDS = TEXTS.map(str.strip).filter(lambda word: word and not word.startswith("#"))
NUMBER = re.compile(r"[+-]?[\d.,]+([eE][+-]?\d+)?")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize(
    ("separator", "decimal"),
    [(",", "."), (";", ","), (";", "."), ("\t", ",")],
)
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.tuples(
            st.floats(-1e6, 1e6).map(lambda x: x + 0.5), WORDS, st.integers(-99, 99)
        ),
        min_size=2,
        max_size=8,
    ),
    n_comments=st.integers(0, 3),
)
@example(rows=[(1.234, "1,5", 1), (2.5, "a", 2)], n_comments=0)
@example(rows=[(1.5, "1.5", 1), (2.5, "a", 2)], n_comments=0)
def test_any_encoding_and_separator(
    tmp_path, encoding, separator, decimal, rows, n_comments
):
    # A column of 1.5 beside one of 1,5 may mean either.
    assume(2 * sum(bool(NUMBER.fullmatch(word)) for _, word, _ in rows) <= len(rows))
    table = pd.DataFrame(rows, columns=["größe", "word", "n"])
    text = "# a comment\n" * n_comments + table.to_csv(
        index=False, sep=separator, decimal=decimal, quoting=1
    )
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))
    found = read_source(path)
    numbers = ["größe", "n"]
    assert_frame_equal(
        found.table[numbers], table[numbers], check_exact=True, check_dtype=False
    )
    words = found.read_words("word").fillna("").str.strip()
    assert words.tolist() == table["word"].tolist()
    note = "".join(found.notes)
    assert ("semicolons" in note, "tabs" in note) == (separator == ";", separator == "\t")
    assert ("decimal comma" in note) == (decimal == ",")
    assert ("encoding" in note) == (not encoding.startswith("utf-8"))
    assert ("begin" in note) == (n_comments > 0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50)
)
def test_floats_come_back_to_the_last_bit(tmp_path, values):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "".join(f"{value!r},0\n" for value in values))
    assert read_table(path)["x"].tolist() == values


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (  # thousands in German, where dates are none
            "x;y\n1.234,5;1.2.2024\n2,5;3.4.2024\n-7;4.5.2024\n",
            {"x": [1234.5, 2.5, -7], "y": ["1.2.2024", "3.4.2024", "4.5.2024"]},
        ),
        ('x,y\n"1,234",1\n"2,500,000.5",2\n', {"x": [1234, 2500000.5], "y": [1, 2]}),
        ("sep=;\nx;y\n1,5;2\n", {"x": [1.5], "y": [2]}),  # as Excel declares it
        ("NA,b\n1,2\n", {"NA": [1], "b": [2]}),
        ('x,y\n1,a\n2,"b\rc"\n', {"x": [1, 2], "y": ["a", "b\rc"]}),
        (f"id,b\n{10**24},2\n", {"id": [10**24], "b": [2]}),
        ("a  b\n 1 x\n10   'y\n", {"a": [1, 10], "b": ["x", "'y"]}),
        (
            '"a" "b"\n"1" 1 "x y"\n"2" 2 z\n',
            {"rownames": [1, 2], "a": [1, 2], "b": ["x y", "z"]},
        ),
        ("a\nr1\t1\nr2\t3\n", {"rownames": ["r1", "r2"], "a": [1, 3]}),
        ("a b\n1,5 2\n1,7 3\n", {"a": [1.5, 1.7], "b": [2, 3]}),
        ("a,b c\n1,2 3\n4,5 6\n", {"a": [1, 4], "b c": ["2 3", "5 6"]}),
    ],
)
def test_ways_to_write(write, text, columns):
    assert read_table(write(text)).to_dict("list") == columns


def test_ambiguous_decimal_points_give_a_note(write):
    text = "x;y\n336;1\n49.149;2\n"
    doubtful = read_source(write(text))
    assert doubtful.table["x"].tolist() == [336.0, 49.149]
    note = "49.149 has a decimal point (if it groups thousands: decimal=,)"
    assert note in doubtful.notes[0]
    assert read_table(write(text), decimal=",")["x"].tolist() == [336, 49149]
    for clear in (
        text.replace("149", "14"),
        text.replace("336;1", "336;1,5"),
        text.replace(";", ","),
    ):
        assert not any("thousands" in note for note in read_source(write(clear)).notes)


def test_a_decimal_comma_far_down(write):
    rows = "".join(f"{i};{i};word\n" for i in range(1_200)) + "1,5;;2,5\n"
    found = read_table(write(f"x;y;z\n{rows}"))
    assert found["x"].tolist() == [*range(1_200), 1.5]
    assert found["y"].isna().sum() == 1
    assert found["z"].iloc[-1] == "2,5"
    pointed = read_table(write(f"x;y;z\n0.5;0.5;0.5\n{rows}"))
    assert pointed["x"].iloc[-1] == "1,5"  # with both marks it is text


@pytest.mark.parametrize("size", [3, 60])
def test_numbers_with_units_groups_and_words(write, size):
    """Short columns are read as numbers like long ones, once their type is known."""
    values = [1234.5 + 10 * i for i in range(size)]
    written = [f"{value:,.2f}".translate(str.maketrans(",.", ".,")) for value in values]
    table = pd.DataFrame(
        {
            "cost": [f"{text} €" for text in written],
            "count": [f"{i} 345" for i in range(1, size + 1)],
            "size": [*(f"{i},9" for i in range(size - 1)), "n.b."],
            "mixed units": [f"{i} {'mg' if i % 2 else 'g'}" for i in range(size)],
        }
    )
    found = read_source(write(table.to_csv(index=False, sep=";")))
    if size > 15:
        assert set(found.table[["cost", "count"]].dtypes.astype(str)) == {"float64"}
        assert found.table["size"].tolist() == found.as_numbers("size").tolist()
    for name, numbers in {
        "cost": values,
        "count": [i * 1000 + 345 for i in range(1, size + 1)],
        "size": [*(i + 0.9 for i in range(size - 1)), "n.b."],
    }.items():
        assert found.as_numbers(name).tolist() == numbers
    assert found.as_written("size").tolist() == table["size"].tolist()
    assert found.table["mixed units"].tolist() == table["mixed units"].tolist()


def test_detected_settings_can_be_overridden(write):
    path = write("a;b,c\n1;2,3\n1;2,3\n")
    assert read_table(path, separator=",").columns.tolist() == ["a;b", "c"]
    assert read_table(path, separator=";", decimal=".").iloc[0].tolist() == [1, "2,3"]
    path.write_bytes("a,b\nж,1\n".encode("koi8-r"))
    assert read_table(path, encoding="koi8-r")["a"].tolist() == ["ж"]


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        ({"separator": ";;"}, "the separator must be one character"),
        ({"separator": ",", "decimal": ","}, "the decimal mark must be . or , and not"),
        ({"encoding": "utf-99"}, "unknown encoding: utf-99"),
        ({"encoding": "ascii"}, "its characters are not ascii"),
        ({"sheet": "first"}, "sheet is for workbooks only"),
    ],
)
def test_invalid_reading_options_are_refused(write, reading, message):
    with pytest.raises(ValueError, match=message):
        read_table(write("ä,b\n1,2\n"), **reading)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("a,b\n1,2\n3,4,5\n", "line 3 has 3 fields, but the header names 2: correct it"),
        ("a,b\n0,2,3\n1,5,6\n", "the first row has 3 fields, but the header names 2"),
        ("a,b,a\n1,2,3\n", "two columns have the name 'a': rename or drop one"),
        (",a,b\n0,1,2\n0,3,4\n", "column 1 has no name: name or exclude it"),
        ('a,b\n1,"2\n3,4\n', "a quotation mark is opened and never closed"),
    ],
)
def test_malformed_text_files_are_refused(write, text, message):
    path = write(text)
    with pytest.raises(ValueError, match=re.escape(f"cannot read '{path}': ")) as caught:
        read_table(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


NAMES = "dose;weight;grade\n"
ROWS = "1,5;70;low\n2,25;n.b.;high\n0,5;61;low\n"


@pytest.mark.parametrize(
    ("above", "units", "note"),
    [
        ("Report;;\n", "", "1 line above"),
        ("Report\nAs of: 31.12.2024;;\n", "", "2 lines above"),
        ("# made in May\nTitle: A\n", "", "1 line above"),
        ("# made in May\n", "mg/l;kg;\n\n", "further rows of names skipped: 1"),
        ("", NAMES, "further rows of names skipped: 1"),
        ("", "10^3/µl;;\n", "further rows of names skipped: 1"),
    ],
)
def test_titles_above_and_units_below_the_names_are_skipped(write, above, units, note):
    plain = read_table(write(NAMES + ROWS, "plain.csv"))
    path = write(above + NAMES + units + ROWS)
    found = read_source(path)
    assert_frame_equal(found.table, plain)
    assert note in found.notes[0]
    assert found.read_words("dose").tolist() == ["1,5", "2,25", "0,5"]
    if not units:
        line = 1 + above.count("\n")
        assert_frame_equal(read_table(path, header=str(line)), plain)


def test_headers_of_several_lines(write):
    """Survey exports have names, questions and identifiers."""
    names = "Q1,Q2,Q3\nHow old?,How tall?,How good?\nQID1,QID2,QID3\n"
    found = read_source(write(f"{names}30,1.8,2\n20,1.7,1\n"))
    assert found.table.to_dict("list") == {"Q1": [30, 20], "Q2": [1.8, 1.7], "Q3": [2, 1]}
    assert "further rows of names skipped: 2" in found.notes[0]
    grouped = "Person,,Blood,\nage,sex,hb,grade\n30,m,12.5,2\n20,f,13.5,1\n"
    assert read_table(write(grouped)).columns.tolist() == ["age", "sex", "hb", "grade"]


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("above", ["", "# cars\n"])
def test_files_without_names(write, bom, above):
    path = write(f"{bom}{above}vhigh,vhigh,2,unacc\nlow,med,4,good\n")
    with pytest.raises(ValueError, match=r"is this no header \(header=none\)\?"):
        read_table(path)
    table = read_table(path, header="none")
    assert table.columns.tolist() == ["x1", "x2", "x3", "x4"]
    assert table["x1"].tolist() == ["vhigh", "low"]
    (note,) = read_source(write("5,3,1\n4,3,2\n")).notes
    assert "(no header? header=none)" in note


def test_the_proposed_header_line_is_accepted(write):
    path = write("Report; by A\nRegion;2019;2020;2021\nA;1;2;3\nB;3;4;5\n")
    with pytest.raises(ValueError, match=r"header=(\d+)") as caught:
        read_table(path)
    line = re.search(r"header=(\d+)", str(caught.value))[1]
    assert read_table(path, header=line)["Region"].tolist() == ["A", "B"]
    with pytest.raises(ValueError, match="line 7 is none of names"):
        read_table(path, header="7")
    with pytest.raises(ValueError, match="number of a line or none, not 'x'"):
        read_table(path, header="x")


@pytest.mark.parametrize(
    "sums", ["Sum;131;", "Gesamt:;;", ";Total;", "Total;1;\nMean;2;"]
)
def test_totals_at_the_end_are_excluded(write, sums):
    plain = read_table(write(NAMES + ROWS, "plain.csv"))
    found = read_source(write(f"{NAMES}{ROWS}{sums}\n\n"))
    assert_frame_equal(found.table, plain)
    assert "excluded as totals" in found.notes[-1]


def test_a_category_that_is_called_total_is_no_sum(write):
    assert len(read_table(write("part,x\ntotal,1\nhead,2\ntotal,3\n"))) == 3


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_named(tmp_path, encoding):
    path = tmp_path / "t.csv"
    path.write_bytes("größe;x\n1;2\n".encode(encoding))
    with pytest.raises(ValueError, match="name the encoding"):
        read_table(path)
    assert read_table(path, encoding=encoding)["größe"].tolist() == [1]
