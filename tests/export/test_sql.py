import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from moselect.costs.decisions import Referral
from moselect.export import sql_of
from moselect.predictor import OrdinalLinearClassifier, predict_table
from moselect.predictor.predictions import read_rows
from moselect.preprocessing import Preparation
from moselect.tables.amounts import read_all_amounts
from moselect.tables.tables import from_frame
from tests.export.cases import COLUMN_TYPES, Case, model_of, prepared_model
from tests.export.databases import check_case, predictions_of, run_duckdb, run_sqlite


@pytest.mark.checks("Files, exports and pages", "predict, in databases")
def test_every_row_has_the_class_of_predict(run, case):
    check_case(run, case)


def classes_by(run, model, table, column_types):
    return [label for _, label in predictions_of(run, sql_of(model), table, column_types)]


def test_integers_and_booleans_of_a_database():
    model, rows = prepared_model("prepared")
    rows = rows.drop(index=[8, 9, 10])
    rows["smoker"] = rows["smoker"].map({"true": True, "false": False})
    column_types = {**COLUMN_TYPES, "smoker": "BOOLEAN", "zone": "INTEGER"}
    expected = predict_table(model, rows).classes.tolist()
    assert classes_by(run_duckdb, model, rows, column_types) == expected


def test_other_tables_and_missing_values(run):
    model = OrdinalLinearClassifier([1.0, 2.0], [0.0], [10, 20], ["a", "b"])
    table = pd.DataFrame(
        {"b": [1.0, None, -3.0], "note": ["x", "y", "z"], "a": [0.5, 1.0, 1e9]}
    )
    sql = sql_of(model, table='my "table"')
    names, found = run(sql, table, {"note": "TEXT"}, 'my "table"')
    assert names == ["b", "note", "a", "score", "class"]
    kept = pd.DataFrame(found).set_index(1)[[3, 4]].astype(float)
    assert kept.loc[["x", "z"]].to_numpy().tolist() == [[2.5, 20.0], [1e9 - 6.0, 20.0]]
    assert kept.loc["y"].isna().all()


def test_integers_are_not_divided_or_summed_as_decimals(run):
    model = OrdinalLinearClassifier([0.1, 0.7], [0.8], ["low", "high"], ["a", "b"])
    table = pd.DataFrame({"a": [1, 2, 3], "b": [1, 1, 5]})
    column_types = {"a": "INTEGER", "b": "NUMERIC(10,2)"}
    assert classes_by(run, model, table, column_types) == model.predict(table).tolist()


def test_amounts_are_read_as_predict_reads_them():
    amounts = ["$24,075", "$950", "1234.5", "$1,234,567.25", "$1,5", "$0", None, "n/a"]
    shares = ["64.6%", "7%", " 12 % ", "8", "64,6%", "100%", "0%", "5%"]
    table = pd.DataFrame({"amount": amounts, "share": shares})
    trained = pd.DataFrame(
        {
            "amount": [f"${37 * k:,}" for k in range(1, 61)],
            "share": [f"{k + 0.5}%" for k in range(60)],
        }
    )
    read_all_amounts(trained, few=True)
    model = model_of(Preparation().fit(trained, np.arange(60) % 2), threshold=50.0)
    clean = from_frame("t", table.drop(index=4))
    expected = predict_table(model, read_rows(model, clean))
    for run in (run_sqlite, run_duckdb):
        texts = dict.fromkeys(table, "TEXT")
        found = predictions_of(run, sql_of(model), table, texts)
        assert found.pop(4) == (None, None)  # 1,5 and 64,6 may be decimals
        scores, classes = zip(*found, strict=True)
        assert_allclose(scores, expected.scores, rtol=1e-14)
        assert list(classes) == expected.classes.tolist()


def test_text_as_in_the_heading_has_a_class(run):
    days = pd.Series(pd.date_range("2021-01-30", periods=60))
    trained = pd.DataFrame(
        {
            "amount": [f"${37 * k:,}" for k in range(1, 61)],
            "number": np.arange(60) / 7,
            "clock": [f"{k // 6}:{k % 6}0" for k in range(60)],
            "day": days.dt.strftime("%d %b %Y %H:%M"),
            "iso": days.dt.strftime("%Y-%m-%d"),
        }
    )
    read_all_amounts(trained)
    columns = Preparation(keep=[*trained]).fit(trained, np.arange(60) % 2)
    query = sql_of(model_of(columns))
    (heading,) = (line for line in query.splitlines() if "otherwise than" in line)
    forms = dict(
        part.removesuffix(")").split(" (")[::-1]
        for part in heading.split("otherwise than ")[1].removesuffix(".").split(", ")
    )
    assert {*forms} == {*trained}
    rows = pd.DataFrame([forms, {**forms, "amount": "1.234,50 $"}])
    found = predictions_of(run, query, rows, dict.fromkeys(rows, "TEXT"))
    assert [label is None for _, label in found] == [False, True]


def test_months_are_their_first_days(run):
    months = pd.to_datetime(pd.Series(["2021-08", "2022-12", "2021-01"] * 20))
    days = (months - pd.Timestamp("2021-01-01")).dt.days
    for date_format in ("%Y-%m", "%m/%Y"):
        texts = months.dt.strftime(date_format)
        table = pd.DataFrame({"month": texts, "x": np.arange(60.0)})
        columns = Preparation(keep=["month"]).fit(table, np.arange(60) % 2)
        # days, month, x
        model = model_of(columns, [0.1, 1.0, 0.0], 30.0)
        scores = (0.1 * days + months.dt.month).to_numpy()
        classes = model.predict(table).tolist()
        check_case(run, Case(model, table, scores, classes, {"month": "TEXT"}))


def test_numeric_labels():
    labels = [0.1, 0.3, 2.0]
    model = OrdinalLinearClassifier([1.0], [0.0, 1.0], labels, ["a"])
    table = pd.DataFrame({"a": [-1.0, 0.5, 3.0]})
    ranges = Referral("person", [0.0, 1.0], [0, 2, 1])
    referring = OrdinalLinearClassifier([1.0], [0.7], [1, 2], ["a"], referral=ranges)
    for run in (run_sqlite, run_duckdb):
        assert classes_by(run, model, table, {}) == labels
        assert classes_by(run, referring, table, {}) == ["1", "person", "2"]


@pytest.mark.slow
def test_models_of_the_greatest_width_for_each_database(run):
    p = 200 if run is run_duckdb else 900
    model = OrdinalLinearClassifier(np.full(p, 0.1), [0.0], [1, 2])
    table = pd.DataFrame({f"x{j}": [1.0] for j in range(p)})
    _, found = run(sql_of(model), table, {})
    assert int(found[0][-1]) == 2
