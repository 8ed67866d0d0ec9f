import io
from pathlib import Path

import numpy as np
import onnxruntime
import openpyxl
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from moselect.budgets import MEMORY
from moselect.export import inputs_of, onnx_of
from moselect.io import read_model, write_model
from moselect.predictor import OrdinalLinearClassifier, predict_table
from moselect.tables import read_table
from tests.cli.conftest import QUICK, draw, run_in, search_and_select

LABELS = ["low", "mid", "high"]


def write(*made_of):
    """Write a linear model of coef, thresholds, classes, names and columns to model.json."""
    model = OrdinalLinearClassifier(*made_of)
    write_model(Path("model.json"), model)
    return model


@pytest.fixture
def model():
    return write([0.25, -0.5], [1.0, 7.0], LABELS, ["height", "weight"])


@pytest.fixture
def predict(run_command):
    """Predict rows with model.json; return the written table and the messages."""

    def predicted(rows, options=""):
        rows.to_csv("t.csv", index=False)
        done = run_command(f"predict model.json t.csv -o p.csv --force {options}")
        return read_table("p.csv"), done.stderr

    return predicted


def test_scores_and_classes_of_a_table(run_command, predict, table, model):
    found, _ = predict(table[["weight", "grade", "height"]].assign(note="some text"))
    assert list(found) == ["score", "class"]
    assert_array_equal(found["score"], model.decision_function(table))
    assert_array_equal(found["class"], model.predict(table))
    shown = run_command("predict model.json t.csv").stdout
    printed, written = map(pd.read_csv, (io.StringIO(shown), Path("p.csv")))
    pd.testing.assert_frame_equal(printed, written, rtol=1e-5)
    assert max(map(len, shown.replace(",", "\n").split())) <= 8  # six digits


def test_files_are_written_in_the_form_of_the_input(run_command, table, model):
    table.to_csv("t.csv", index=False, sep=";", decimal=",")
    run_command("predict model.json t.csv -o out.csv")
    assert Path("out.csv").read_text().startswith("score;class\n")
    found = read_table("out.csv", separator=";", decimal=",")
    assert_array_equal(found["score"], model.decision_function(table))


def test_rows_that_cannot_be_scored_have_a_reason(run_command, predict, table):
    model = write([0.25, -0.5], [1.0, 7.0], [1, 2, 3], ["height", "weight"])
    spoilt = table.astype(object)
    spoilt.loc[0, "height"] = None
    spoilt.loc[2, "weight"] = "heavy"
    spoilt.loc[3, "weight"] = "inf"
    _, messages = predict(spoilt)
    assert "3 of 60 rows have no class" in messages
    assert "as in row 3: 'weight' is 'heavy', not a finite number" in messages
    expected = predict_table(model, spoilt)
    printed = run_command("predict model.json t.csv").stdout
    for written in (printed, Path("p.csv").read_text()):
        found = pd.read_csv(io.StringIO(written), dtype=str).fillna("")
        assert found["reason"].tolist() == expected.reasons.tolist()
        assert found["class"].tolist() == [str(x or "") for x in expected.classes]


def test_kept_columns(predict, table, model):
    known = table.assign(key=range(60), **{"class": "unknown"})
    found, _ = predict(known, "--keep key,grade")
    assert list(found) == ["key", "grade", "score", "class"]
    assert found["key"].tolist() == list(range(60))
    found, _ = predict(known, "--keep all")
    assert list(found) == [*known, "score", "predicted_class"]
    assert found["predicted_class"].tolist() == model.predict(table).tolist()


def test_large_tables_are_predicted_in_blocks(run_command, table, model, set_budget):
    table = table.astype({"weight": object})
    table.loc[[3, 58], "weight"] = "heavy"
    table.to_csv("t.csv", index=False)
    table.astype({"weight": str}).to_parquet("t.parquet")
    command = "--keep all --explain --reasons --force"
    in_memory = run_command(f"predict model.json t.csv -o p.csv {command}")
    set_budget(MEMORY, file_bytes=0, block_bytes=200, block_cells=30)
    for name in ("t.csv", "t.parquet"):
        done = run_command(f"predict model.json {name} -o blocks.csv {command}")
        assert Path("blocks.csv").read_bytes() == Path("p.csv").read_bytes()
        assert done.stderr.splitlines()[-1] == in_memory.stderr.splitlines()[-1]


HOSTILE = ["=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "-5", "+7", "plain", '="a"', ""]


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_no_cell_is_a_formula(run_command, table, suffix):
    write([0.25, -0.5], [1.0, 7.0], ["=low", "-mid", "+1"], ["=height", "weight"])
    rows = table.iloc[:10].rename(columns={"height": "=height"}).assign(note=HOSTILE)
    rows["=height"] *= np.linspace(-1.0, 1.0, 10)
    rows.to_csv("t.csv", index=False)
    run_command(f"predict model.json t.csv -o o.{suffix} --keep all --explain")
    if suffix == "xlsx":
        cells = [cell for row in openpyxl.load_workbook("o.xlsx").active for cell in row]
        assert not [cell for cell in cells if cell.data_type == "f"]
        texts = {cell.value for cell in cells}
        assert {"=height", "=1+1", "=low"} <= texts
        return
    found = pd.read_csv("o.csv", dtype=str, keep_default_na=False)
    assert next(iter(found)) == "'=height"
    assert found["note"].tolist() == [
        "'=1+1", "'+cmd", "'-x", "'@SUM(A1)", "'\tx", "-5", "+7", "plain", "'=\"a\"", ""
    ]  # fmt: skip
    assert set(found["class"]) <= {"'=low", "'-mid", "+1"}
    assert pd.to_numeric(found["score"]).lt(0).any()  # negative numbers stay numbers


@pytest.mark.parametrize("by", [None, "class"])
def test_optional_columns_match_the_model(selected, by):
    new = draw(60, 5)
    new.loc[0, "a"] = np.inf
    new.loc[1, "b"] = np.nan
    new.to_csv(selected / "new.csv", index=False)
    options = "--proba --coverage 0.9 --explain --reasons --force"
    options += f" --coverage-by {by}" if by else ""
    run_in(selected, f"predict model.json new.csv {options} -o p.csv")
    found = pd.read_csv(selected / "p.csv")
    assert found["reason"][1] == "'b' is missing"
    assert found.loc[:1, ["class", "lowest", "P(low)", "because"]].isna().all(axis=None)
    model = read_model(selected / "model.json")
    rows = new.loc[2:, ["a", "b"]]
    found = found[2:]
    assert found["class"].tolist() == model.predict(rows).tolist()
    assert_allclose(found.filter(like="P("), model.predict_proba(rows))
    sets = model.predict_set(rows, 0.9, by)
    assert (found[["lowest", "highest"]] == sets).all(axis=None)
    parts = found.filter(like="part of ")
    assert_allclose(parts.sum(axis=1), found["score"])
    added = found["part of a"][2]
    verb = "raises" if added > 0.0 else "lowers"
    words = f"a {rows['a'][2]:.6g} {verb} the score by {abs(added):.3g}"
    assert words in found["because"][2]


def test_columns_may_have_names_of_ours(run_command, tmp_path):
    names = {"a": "self", "b": "baseline", "c": "score"}
    rows = draw(200, 3).assign(c=np.arange(200) % 7).rename(columns=names)
    rows["input_0"] = np.where(rows["self"] > 0, "red", "blue")
    search_and_select(tmp_path, rows, QUICK, "--class-costs 1,1,3 --model linear")
    run_command("predict model.json t.csv --explain --reasons -o p.csv")
    found = pd.read_csv("p.csv")
    parts = found.filter(like="part of ")
    assert {f"part of {name}" for name in names.values()} < {*parts}
    assert_allclose(parts.sum(axis=1), found["score"])
    assert found["because"].str.contains("baseline ").any()
    model = read_model("model.json")
    session = onnxruntime.InferenceSession(onnx_of(model))
    (scores,) = session.run(["predicted_score"], inputs_of(model, rows))
    assert_allclose(scores[:, 0], found["score"])


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


def test_columns_are_kept_as_they_are_written(run_command, model):
    ODD.to_csv("t.csv", index=False)
    for suffix in ("csv", "parquet", "xlsx"):
        run_command(f"predict model.json t.csv -o p.{suffix} --keep all")
    text = {"dtype": str, "keep_default_na": False}
    for table in (
        pd.read_csv("p.csv", **text),
        pd.read_excel("p.xlsx", engine="calamine", **text),
        pd.read_parquet("p.parquet").astype(str),
    ):
        for name in ("key", "answer", "nothing", "digits"):
            assert table[name].tolist() == ODD[name].tolist()
    for suffix, rtol in (("parquet", 0.0), ("xlsx", 1e-15)):  # openpyxl writes 16 digits
        scores = read_table(f"p.{suffix}")["score"]
        assert_allclose(scores, model.decision_function(ODD), rtol, 0.0)


@pytest.mark.parametrize("labels", [["-", "+", "++"], ["None", "NA", "bad"]])
def test_labels_that_others_take_for_formulas_or_gaps(run_json, predict, labels):
    write([1.0], [1.5, 2.5], labels, ["x"])
    table = pd.DataFrame({"x": [1, 2, 3, 3], "grade": [*labels, labels[0]]})
    predict(table, "--keep all")
    order = ",".join(labels)
    found = run_json(f"evaluate p.csv --true grade --pred class --order={order}")
    assert found["measures"]["accuracy"]["estimate"] == 0.75


@pytest.mark.slow
def test_a_scorecard_explains_a_row_by_its_points_and_keeps_the_key(tmp_path):
    rows = draw(120, 3).assign(case=[f"K{7 * i}" for i in range(120)])
    search_and_select(tmp_path, rows, QUICK, "--class-costs 1,2,4 --model scorecard")
    run_in(tmp_path, "predict model.json t.csv --explain --reasons -o p.csv")
    found = pd.read_csv("p.csv")
    assert list(found)[:3] == ["case", "score", "class"]
    assert (found.filter(like="part of ").sum(axis=1) == found["score"]).all()
    words = found["because"].str.extract(r"\ba (\S+): (\d+) points?.*; total (-?\d+)$")
    known = words.dropna().astype(float)
    assert len(known) > 20
    assert known[1].tolist() == found["part of a"][known.index].tolist()
    assert known[2].tolist() == found["score"][known.index].tolist()
    assert known[0].tolist() == rows["a"][known.index].tolist()
