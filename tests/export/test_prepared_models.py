"""Models that prepare their columns give raw rows the same class in every form."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from moselect.columns import ModelColumns, Preparation, predict_table
from moselect.export import formula_of, python_of, sql_of
from moselect.models import OrdinalLinearClassifier, SplineColumns
from tests.export.conftest import run_module
from tests.export.databases import run_duckdb
from tests.export.test_workbook import filled, office, results

N = 300
CITIES = [f"city {k}" for k in range(20)]  # so many that they are encoded
KINDS = {"colour": "TEXT", "city": "TEXT", "smoker": "TEXT"}


def make_rows(rng, n=N):
    age = np.round(rng.normal(50.0, 12.0, n), 1)
    dose = np.round(rng.gamma(2.0, 2.0, n), 2)
    age[rng.random(n) < 0.1] = np.nan
    colour = rng.choice(["red", "Red", "it's", '"blue"', "a*"], n).astype(object)
    colour[rng.random(n) < 0.1] = None
    city = rng.choice(CITIES, n).astype(object)
    smoker = rng.choice(["true", "false"], n).astype(object)
    smoker[rng.random(n) < 0.1] = None
    zone = rng.integers(1, 5, n).astype(np.float64)  # whole numbers as categories
    return pd.DataFrame(
        {"age": age, "dose": dose, "colour": colour, "city": city, "smoker": smoker, "zone": zone}
    )


def make_model(kind):
    """Return a model with thresholds at the scores of rows, and rows unlike those in training."""
    rng = np.random.default_rng(7)
    table = make_rows(rng)
    y = np.digitize(np.nan_to_num(table["age"], nan=50.0) + table["dose"], [45.0, 58.0, 66.0])
    steps = []
    if kind != "splines":
        steps.append(Preparation(categorical=["zone"]))
    else:
        table = table[["dose", "zone"]].assign(age=table["age"].fillna(40.0))
    if kind != "prepared":
        steps.append(SplineColumns(n_products=3))
    columns = make_pipeline(*steps).fit(table, y)
    X = np.asarray(columns.transform(table))
    coef = rng.normal(size=X.shape[1]) / X.std(axis=0).clip(1e-3)
    draft = OrdinalLinearClassifier(coef, [0.0] * 3, range(4), None, columns)
    scores = np.sort(draft.decision_function(table)[20:])  # the rows before change below
    names = list(map(str, columns.get_feature_names_out()))
    thresholds = scores[[50, 140, 230]]  # at rows
    model = OrdinalLinearClassifier(coef, thresholds, ["a", "b", "c", "d"], names, columns)
    rows = pd.concat([table, make_rows(rng, 60)[list(table)]], ignore_index=True)
    if kind != "splines":
        rows.loc[3, "colour"] = "unseen"
        rows.loc[4, "colour"] = " red "
        rows.loc[5, "city"] = "elsewhere"
        rows.loc[6, "city"] = None
        rows.loc[7, "dose"] = np.nan
        rows.loc[8, "smoker"] = "True"
        rows.loc[9, "smoker"] = "perhaps"  # has no class
        rows.loc[10, "smoker"] = "NA"
        rows.loc[11, "zone"] = 9.0
        rows.loc[12, "zone"] = np.nan
    else:
        rows["age"] = rows["age"].fillna(41.3)
    rows.loc[13, "dose"] = 1e3  # beyond the knots
    rows.loc[14, "dose"] = -5.0
    return model, rows


@pytest.fixture(params=["prepared", "splines", "both"])
def case(request):
    return make_model(request.param)


def classes(model, rows):
    return predict_table(model, rows).classes.tolist()


def test_the_cases_are_what_they_should_be():
    model, rows = make_model("both")
    found = predict_table(model, rows)
    assert np.flatnonzero(~found.scored).tolist() == [6, 7, 9, 12]
    assert np.isin(found.scores, model.thresholds_).sum() >= 3
    assert set(found.classes.tolist()) == {"a", "b", "c", "d", None}
    kinds = [type(column).__name__ for column in model.columns[0].columns_]
    assert kinds == [
        "NumberColumn", "NumberColumn", "LevelColumns", "EncodedColumn", "NumberColumn",
        "LevelColumns",
    ]  # fmt: skip
    assert model.columns[0].columns_[4].written == "boolean"


def test_sql(run, case):
    model, rows = case
    numbered = rows.assign(id=range(len(rows)))
    _, found = run(sql_of(formula_of(model)), numbered, {**KINDS, "id": "INTEGER"})
    found = sorted(found, key=lambda row: int(row[-3]))
    assert [row[-1] for row in found] == classes(model, rows)


def test_whole_numbers_and_booleans_as_a_database_has_them():
    model, rows = make_model("prepared")
    rows = rows.drop(index=[8, 9, 10])
    truth = rows["smoker"].map({"true": True, "false": False}, na_action="ignore")
    rows = rows.assign(smoker=truth, id=range(len(rows)))
    kinds = {**KINDS, "smoker": "BOOLEAN", "zone": "INTEGER", "id": "INTEGER"}
    _, found = run_duckdb(sql_of(formula_of(model)), rows, kinds)
    found = sorted(found, key=lambda row: row[-3])
    assert [row[-1] for row in found] == classes(model, rows)


def test_python(tmp_path, case):
    model, rows = case
    path = tmp_path / "m.py"
    path.write_text(python_of(formula_of(model)), encoding="utf-8")
    found = predict_table(model, rows)
    records = rows[found.scored].astype(object)
    records = records.where(records.notna(), None).to_dict("records")
    expected = zip(found.scores[found.scored], found.classes[found.scored], strict=True)
    assert run_module(path, records) == [[score, label] for score, label in expected]
    names = {}
    exec(path.read_text(encoding="utf-8"), names)
    for record in rows[~found.scored].to_dict("records"):
        with pytest.raises(ValueError, match=r"'smoker' is 'perhaps'|is missing|is nan"):
            names["predict"](record)


@pytest.mark.slow
def test_workbook(tmp_path, case):
    model, rows = case
    filled(formula_of(model), rows[list(formula_of(model).columns)], tmp_path / "model.xlsx")
    found = results(office(tmp_path / "model.xlsx", tmp_path), len(rows), rows.shape[1])
    assert [label for _, label in found] == classes(model, rows)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (make_pipeline(ModelColumns()), "columns of ModelColumns have no formula, so"),
        (
            make_pipeline(Preparation()).fit(
                pd.DataFrame({"x": pd.date_range("2024-01-01", periods=8, freq="31h")})
            ),
            "column 'x' holds dates, so",
        ),
        (
            make_pipeline(Preparation()).fit(
                pd.DataFrame({"x": pd.to_timedelta(np.arange(8) ** 2, unit="s")})
            ),
            "column 'x' holds durations, so",
        ),
    ],
)
def test_what_cannot_be_written_down(columns, message):
    model = OrdinalLinearClassifier([1.0], [0.0], [0, 1], None, columns)
    with pytest.raises(ValueError, match=message):
        formula_of(model)
