from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest

from moselect.datasets import read_table
from moselect.models import OrdinalLinearClassifier, model_card
from moselect.storage import write_model

SCRIPT = Path(sys.executable).with_name("moselect")


@pytest.fixture
def model(tmp_path):
    model = OrdinalLinearClassifier(
        [0.25, -0.5], [1.0, 7.0], ["low", "mid", "high"], ["height", "weight"]
    )
    write_model(tmp_path / "model.json", model)
    return model


def test_scores_and_classes_of_a_table(inside, tmp_path, table, model):
    shuffled = table[["weight", "grade", "height"]].assign(note="some text")
    shuffled.to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "model.json", "t.csv", "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    found = read_table(tmp_path / "out.csv")
    score = 0.25 * table["height"] - 0.5 * table["weight"]
    assert list(found.columns) == ["score", "class"]
    assert found["score"].to_numpy() == pytest.approx(score.to_numpy())
    expected = np.array(["low", "mid", "high"])[np.digitize(score, [1.0, 7.0], right=True)]
    assert found["class"].tolist() == expected.tolist()
    np.testing.assert_array_equal(found["score"], model.decision_function(table))
    shown = inside("predict", "model.json", "t.csv")
    assert shown.stdout == (tmp_path / "out.csv").read_text()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(columns="weight"), "column 'weight' is missing"),
        (
            lambda t: t.assign(height="tall"),
            "no row of 't.csv' can be scored: in the first one 'height' is 'tall', not a number",
        ),
        (lambda t: t.assign(weight=None), "in the first one 'weight' is missing"),
    ],
)
def test_tables_that_do_not_fit(inside, tmp_path, table, model, change, message):
    change(table).to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "model.json", "t.csv", "-o", "out.csv")
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert not (tmp_path / "out.csv").exists()


def test_a_file_that_is_no_model(inside, tmp_path, table):
    table.to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "t.csv", "t.csv")
    assert done.returncode == 2
    assert "'t.csv' is not a model" in done.stderr


@pytest.mark.parametrize("label", ["mi\rd", "mi\nd", "mi\r\nd", 'm,"id'])
def test_every_class_has_one_row_whatever_is_in_its_name(inside, tmp_path, table, label):
    model = OrdinalLinearClassifier([0.25], [40.0, 43.0], ["low", label, "high"], ["height"])
    write_model(tmp_path / "model.json", model)
    table.to_csv(tmp_path / "t.csv", index=False)
    inside("predict", "model.json", "t.csv", "-o", "out.csv")
    found = read_table(tmp_path / "out.csv")
    assert found["class"].tolist() == model.predict(table).tolist()
    assert label in found["class"].tolist()
    shown = inside("predict", "model.json", "t.csv").stdout
    assert shown.encode() == (tmp_path / "out.csv").read_bytes()


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "tsv", "parquet", "xlsx"])
def test_the_suffix_says_the_format(inside, tmp_path, table, model, suffix):
    table.to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "model.json", "t.csv", "-o", f"out.{suffix}")
    assert done.returncode == 0, done.stderr
    read = {
        "tsv": lambda path: pd.read_csv(path, sep="\t"),
        "xlsx": lambda path: pd.read_excel(path, engine="openpyxl"),
    }
    found = read.get(suffix, read_table)(tmp_path / f"out.{suffix}")
    tolerance = 1e-15 if suffix in ("tsv", "xlsx") else 0.0  # openpyxl writes 16 digits
    expected = model.decision_function(table)
    np.testing.assert_allclose(found["score"], expected, rtol=tolerance, atol=0.0)
    assert found["class"].tolist() == model.predict(table).tolist()


@pytest.mark.parametrize("name", ["out.txt", "out.json", "out", "out.xls"])
def test_other_suffixes_are_refused(inside, tmp_path, table, model, name):
    table.to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "model.json", "t.csv", "-o", name)
    assert done.returncode == 2
    assert f"cannot write '{name}': its name must end in .csv, " in done.stderr
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["t.csv", "other.csv", "link.csv"])
def test_no_file_is_overwritten_unless_forced(inside, tmp_path, table, model, name):
    table.to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "other.csv").write_text("mine")
    (tmp_path / "link.csv").symlink_to("nowhere.csv")
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.exists()}
    done = inside("predict", "model.json", "t.csv", "-o", name)
    assert done.returncode == 2
    assert f"'{name}' exists already" in done.stderr
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.exists()} == before
    assert inside("predict", "model.json", "t.csv", "-o", name, "--force").returncode == 0
    assert list(read_table(tmp_path / name)) == ["score", "class"]


def test_rows_that_cannot_be_scored_have_a_reason(inside, tmp_path, table, model):
    spoilt = table.astype(object)
    spoilt.loc[0, "height"] = None
    spoilt.loc[2, "weight"] = "heavy"
    spoilt.loc[3, "weight"] = "inf"
    spoilt.loc[4, "height"] = 1e308
    spoilt.to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "model.json", "t.csv", "-o", "out.csv")
    assert done.returncode == 0
    assert "3 of 60 rows have no class" in done.stderr
    found = read_table(tmp_path / "out.csv")
    blank = found["class"].isna()
    assert blank[blank].index.tolist() == [0, 2, 3]
    assert found.loc[blank, "reason"].tolist() == [
        "'height' is missing",
        "'weight' is 'heavy', not a number",
        "'weight' is infinite",
    ]
    assert found.loc[~blank, "reason"].isna().all()
    kept = table.assign(height=table["height"].where(table.index != 4, 1e308))[~blank.to_numpy()]
    assert found.loc[~blank, "class"].tolist() == model.predict(kept).tolist()
    np.testing.assert_array_equal(found.loc[~blank, "score"], model.decision_function(kept))


def test_scores_that_overflow_have_a_reason(inside, tmp_path, table):
    wide = OrdinalLinearClassifier([100.0, 1.0], [0.0], [1, 2], ["height", "weight"])
    write_model(tmp_path / "wide.json", wide)
    table.assign(height=[1e308, *table["height"][1:]]).to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "wide.json", "t.csv", "-o", "out.csv")
    assert done.returncode == 0
    found = read_table(tmp_path / "out.csv")
    assert found["reason"][0] == "the score is too large for a floating-point number"
    assert found["class"].isna().tolist() == [True] + [False] * 59
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[2].split(",")[1] in ("1", "2")  # labels stay integers beside blanks


def test_columns_that_are_kept(inside, tmp_path, table, model):
    known = table.assign(key=range(60), **{"class": "unknown"})
    known.to_csv(tmp_path / "t.csv", index=False)
    inside("predict", "model.json", "t.csv", "-o", "a.csv", "--keep", "key,grade")
    found = read_table(tmp_path / "a.csv")
    assert list(found) == ["key", "grade", "score", "class"]
    assert found["key"].tolist() == list(range(60))
    inside("predict", "model.json", "t.csv", "-o", "b.csv", "--keep", "all")
    found = read_table(tmp_path / "b.csv")
    columns = [*known, "score", "predicted_class"]
    assert list(found) == columns
    assert found["predicted_class"].tolist() == model.predict(table).tolist()
    done = inside("predict", "model.json", "t.csv", "--keep", "nothing")
    assert done.returncode == 2
    assert "--keep nothing: there is no such column" in done.stderr


HOSTILE = ["=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "-5", "+7", "plain", '="a"', ""]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "xlsx"])
def test_no_cell_is_a_formula(inside, tmp_path, table, suffix):
    names = ["=height", "weight"]
    model = OrdinalLinearClassifier([0.25, -0.5], [1.0, 7.0], ["=low", "-mid", "+1"], names)
    write_model(tmp_path / "m.json", model)
    rows = table.iloc[:10].rename(columns={"height": "=height"}).assign(note=HOSTILE)
    rows["=height"] *= np.linspace(-1.0, 1.0, 10)
    rows.to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "m.json", "t.csv", "-o", f"o.{suffix}", "--keep", "all", "--explain")
    assert done.returncode == 0, done.stderr
    if suffix == "xlsx":
        cells = [cell for row in openpyxl.load_workbook(tmp_path / "o.xlsx").active for cell in row]
        assert not [cell for cell in cells if cell.data_type == "f"]
        texts = {cell.value for cell in cells}
        assert {"=height", "=1+1", "=low"} <= texts
        return
    separator = "," if suffix == "csv" else "\t"
    found = pd.read_csv(tmp_path / f"o.{suffix}", sep=separator, dtype=str, keep_default_na=False)
    assert next(iter(found)) == "'=height"
    assert found["note"].tolist() == [
        "'=1+1", "'+cmd", "'-x", "'@SUM(A1)", "'\tx", "-5", "+7", "plain", "'=\"a\"", ""
    ]  # fmt: skip
    assert set(found["class"]) <= {"'=low", "'-mid", "+1"}
    assert pd.to_numeric(found["score"]).lt(0).any()  # negative numbers stay numbers


def test_no_text_of_predictions_steers_a_terminal(inside, tmp_path, table):
    names = ["\x1b[2Jheight", "weight"]
    labels = ["low\x9b31m", "mid\x7f", "high\x1b]0;title\x07"]
    write_model(
        tmp_path / "m.json", OrdinalLinearClassifier([0.25, -0.5], [1.0, 7.0], labels, names)
    )
    rows = table.rename(columns={"height": names[0]}).assign(note="über\x1b[31mred\ttab")
    rows.to_parquet(tmp_path / "t.parquet")
    done = inside("predict", "m.json", "t.parquet", "-o", "o.csv", "--keep", "all")
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "o.csv").read_bytes()
    assert inside("predict", "m.json", "t.parquet", "--keep", "all").stdout.encode() == written
    text = written.decode()
    assert not [letter for letter in text if not letter.isprintable() and letter not in "\t\n"]
    found = pd.read_csv(tmp_path / "o.csv")
    assert found.columns[0] == r"\x1b[2Jheight"
    assert set(found["note"]) == {"über\\x1b[31mred\ttab"}
    assert set(found["class"]) <= {r"low\x9b31m", r"mid\x7f", r"high\x1b]0;title\x07"}


@pytest.fixture
def carded(tmp_path, table, model):
    calibration = {"slope": 0.8, "cuts": [1.0, 6.0]}
    labels = np.array(["low", "mid", "high"])[table["grade"] - 1]
    card = model_card(model, table, labels, predicts="grade", calibration=calibration)
    write_model(tmp_path / "carded.json", model, card=card)
    return model


def test_other_values_than_in_training_are_remarked_on(inside, tmp_path, table, carded):
    table.to_csv(tmp_path / "t.csv", index=False)
    assert inside("predict", "carded.json", "t.csv", "-o", "a.csv").stderr == "Predictions: a.csv\n"
    table.assign(height=table["height"] * 1000).to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "carded.json", "t.csv", "-o", "b.csv")
    assert done.returncode == 0
    (warning,) = [line for line in done.stderr.splitlines() if "height" in line]
    assert "60 of 60 rows lie outside the training range" in warning
    assert "other units" in warning
    assert "weight" not in done.stderr


def test_class_probabilities(inside, tmp_path, table, carded, model):
    spoilt = table.assign(height=table["height"].where(table.index > 0))
    spoilt.to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "carded.json", "t.csv", "-o", "out.csv", "--proba", "--explain")
    assert done.returncode == 0, done.stderr
    found = read_table(tmp_path / "out.csv")
    shares = found[["P(low)", "P(mid)", "P(high)"]].to_numpy()
    assert np.isnan(shares[0]).all()
    score = carded.decision_function(table)[1:]
    up_to = [1.0 / (1.0 + np.exp(0.8 * score - cut)) for cut in (1.0, 6.0)]
    expected = np.column_stack([up_to[0], up_to[1] - up_to[0], 1.0 - up_to[1]])
    np.testing.assert_allclose(shares[1:], expected, atol=1e-12)
    parts = found[["part of height", "part of weight"]].sum(axis=1)[1:]
    np.testing.assert_allclose(parts, found["score"][1:], rtol=1e-12)
    done = inside("predict", "model.json", "t.csv", "--proba")
    assert done.returncode == 2
    assert "no calibration of its score" in done.stderr


ODD = pd.DataFrame(
    {
        "height": [1.0, 2.0, 3.0],
        "weight": [4.0, 5.0, 6.0],
        "key": ["007", "010", "1"],
        "answer": ["None", "NA", "some"],
        "nothing": ["None", "NA", "nan"],
        "digits": ["18446744073709551616", "36893488147419103232", "3"],
    }
)


@pytest.mark.parametrize("keep", [("--keep", "all"), ("--keep", "key,answer,nothing,digits")])
def test_columns_are_kept_as_they_are_written(inside, tmp_path, model, keep):
    ODD.to_csv(tmp_path / "t.csv", index=False)
    for suffix in ("csv", "parquet", "xlsx"):
        done = inside("predict", "model.json", "t.csv", "-o", f"p.{suffix}", *keep)
        assert done.returncode == 0, done.stderr
    found = pd.read_csv(tmp_path / "p.csv", dtype=str, keep_default_na=False)
    sheet = pd.read_excel(tmp_path / "p.xlsx", engine="calamine", dtype=str, keep_default_na=False)
    for table in (found, sheet, pd.read_parquet(tmp_path / "p.parquet").astype(str)):
        for name in ("key", "answer", "nothing", "digits"):
            assert table[name].tolist() == ODD[name].tolist()
    plain = pd.read_parquet(tmp_path / "p.parquet")
    assert plain["score"].tolist() == model.decision_function(ODD).tolist()


def test_levels_that_were_not_in_training_are_remarked_on(inside, tmp_path, table):
    kinds = np.array(["car", "van", "bus"])[np.arange(len(table)) % 3]
    table.assign(kind=kinds).to_csv(tmp_path / "t.csv", index=False)
    fast = ("--particles", 8, "--evaluations", 16, "--folds", 0, "--seed", 1, "--quiet")
    assert inside("search", "t.csv", "--target", "grade", *fast, "--out", "r").returncode == 0
    assert inside("select", "r", "--model", 0, "-o", "m.json", "-q").returncode == 0
    done = inside("predict", "m.json", "t.csv", "-o", "p.csv")
    assert "not in training" not in done.stderr
    table.assign(kind=np.where(table.index < 7, "tram", kinds)).to_csv(tmp_path / "new.csv")
    done = inside("predict", "m.json", "new.csv", "-o", "q.csv")
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stderr.split())
    assert "'kind': 7 of 60 rows have a level that was not in training (tram)" in told


def test_labels_that_spreadsheets_take_for_formulas(inside, tmp_path):
    model = OrdinalLinearClassifier([1.0], [1.5, 2.5], ["-", "+", "++"], ["x"])
    write_model(tmp_path / "model.json", model)
    table = pd.DataFrame({"x": [1, 2, 3, 3], "grade": ["-", "+", "++", "-"]})
    table.to_csv(tmp_path / "t.csv", index=False)
    assert inside("predict", "model.json", "t.csv", "-o", "p.csv", "--keep", "all").returncode == 0
    assert "'++" in (tmp_path / "p.csv").read_text()
    done = inside(
        "evaluate", "p.csv", "--true", "grade", "--pred", "class", "--json", "--order=-,+,++"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["measures"]["accuracy"]["estimate"] == 0.75


def test_how_a_file_is_read_can_be_said(inside, tmp_path, table, model):
    text = table.to_csv(index=False, sep="#", decimal=",").replace("height", "größe")
    (tmp_path / "t.txt").write_bytes(text.encode("cp1252"))
    reading = ("--read", "separator=# decimal=, encoding=cp1252")
    other = OrdinalLinearClassifier(
        model.coef_, model.thresholds_, ["low", "mid", "high"], ["größe", "weight"]
    )
    write_model(tmp_path / "other.json", other)
    done = inside("predict", "other.json", "t.txt", "-o", "p.csv", *reading)
    assert done.returncode == 0, done.stderr
    expected = model.decision_function(table[["height", "weight"]])
    assert read_table(tmp_path / "p.csv")["score"].tolist() == expected.tolist()
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        table[:5].to_excel(book, sheet_name="first", index=False)
        table.to_excel(book, sheet_name="the second", index=False)
    done = inside("predict", "model.json", "t.xlsx", "-o", "q.csv", "--read", "sheet='the second'")
    assert done.returncode == 0, done.stderr
    assert read_table(tmp_path / "q.csv")["score"].tolist() == pytest.approx(expected.tolist())
    done = inside(
        "evaluate", "t.xlsx", "--true", "grade", "--score", "height", "--read", "sheet=third"
    )
    assert done.returncode == 2
    assert "there is no sheet 'third': its sheets are first, the second" in done.stderr


def test_predictions_with_labels_that_look_missing(inside, tmp_path):
    model = OrdinalLinearClassifier([1.0], [1.5, 2.5], ["None", "NA", "bad"], ["x"])
    write_model(tmp_path / "model.json", model)
    table = pd.DataFrame({"x": [1, 2, 3, 3], "grade": ["None", "NA", "bad", "None"]})
    table.to_csv(tmp_path / "t.csv", index=False)
    assert inside("predict", "model.json", "t.csv", "-o", "p.csv", "--keep", "all").returncode == 0
    line = ("evaluate", "p.csv", "--true", "grade", "--pred", "class", "--json")
    done = inside(*line, "--order", "None,NA,bad")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["measures"]["accuracy"]["estimate"] == 0.75
    done = inside(*line)
    assert done.returncode == 2
    assert "unless --order names them as labels" in done.stderr


def test_any_cells_can_be_kept_in_a_workbook(inside, tmp_path, model):
    table = ODD[["height", "weight"]].assign(
        moment=pd.date_range("2024-01-01", periods=3, tz="Asia/Tokyo"),
        day=pd.to_datetime(["2024-01-01", None, "2024-01-03"]),
        lists=[[1, 2], [], None],
        huge=np.array([2**63 + 1] * 3, dtype=np.uint64),
        infinite=[np.inf, -np.inf, np.nan],
        taken=pd.to_timedelta([1, 2, None], unit="h"),
        raw=[b"\x01", b"x", None],
    )
    table.to_parquet(tmp_path / "t.parquet")
    done = inside("predict", "model.json", "t.parquet", "-o", "p.xlsx", "--keep", "all")
    assert done.returncode == 0, done.stderr
    found = pd.read_excel(tmp_path / "p.xlsx", engine="calamine")
    assert found["huge"].astype(str).tolist() == [str(2**63 + 1)] * 3
    assert found["moment"].tolist() == table["moment"].astype(str).tolist()
    assert found["day"].isna().tolist() == [False, True, False]
    assert found["lists"].tolist()[:2] == ["[1 2]", "[]"]
    assert found["infinite"].tolist()[:2] == [np.inf, -np.inf]


@pytest.mark.parametrize("lowest", [2**63 + 1, 2**63 - 1])
def test_labels_beyond_signed_numbers(inside, tmp_path, lowest):
    labels = [lowest, 2**63 + 2, 2**64 - 1]
    model = OrdinalLinearClassifier([1.0], [1.5, 2.5], labels, ["x"])
    write_model(tmp_path / "model.json", model)
    pd.DataFrame({"x": [1, 2, 3], "grade": labels}).to_csv(tmp_path / "t.csv", index=False)
    done = inside("predict", "model.json", "t.csv", "-o", "p.csv", "--keep", "all")
    assert done.returncode == 0, done.stderr
    assert read_table(tmp_path / "p.csv")["class"].tolist() == labels
    done = inside("evaluate", "p.csv", "--true", "grade", "--pred", "class", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["measures"]["accuracy"]["estimate"] == 1.0


def test_a_workbook_that_cannot_be_written_leaves_no_traceback(tmp_path, model):
    table = ODD[["height", "weight"]].assign(note=["x", "y" * 40_000, "z"])
    table.to_csv(tmp_path / "t.csv", index=False)
    line = ("predict", "model.json", "t.csv", "-o", "p.xlsx", "--keep", "all")
    done = subprocess.run([SCRIPT, *line], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert not (tmp_path / "p.xlsx").exists()
