"""Terms that are more than a number: fills, levels, missing values, curves and products."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect.export import python_of, sql_of
from moselect.export.formula import Formula
from moselect.models.terms import Curve, Level, Missing, Number, Product
from tests.export.conftest import run_module
from tests.export.reference import class_of, score_of
from tests.export.test_workbook import filled, office, results

LEVELS = ["red", "RED", "a*", "it's", '"=1"', "none"]


@pytest.fixture
def formula():
    rng = np.random.default_rng(8)
    breaks = (-0.5, 0.25, 1.0)
    curve = Curve(
        Number("x", fill=0.1),
        breaks,
        (0.0, -0.5, 0.25, 1.0),
        tuple(tuple(piece) for piece in rng.normal(size=(4, 4)).tolist()),
    )
    line = Curve(Number("y"), (0.3,), (0.0, 0.3), ((0.5, 0.1), (-0.2, 0.25)))
    terms = (
        Number("y"),
        Number("x", fill=0.3),
        Missing("x"),
        Level("c", {"red": 1.0, "a*": 0.25, "it's": -0.7, '"=1"': 2.0}, 0.1, -0.3),
        Missing("c"),
        curve,
        line,
        Product(Number("y"), Level("c", {"RED": 1.0})),
        Product(curve, Number("y")),
    )
    return Formula(terms, tuple(rng.normal(size=len(terms)).tolist()), (-0.5, 0.4), ("a", "b", "c"))


@pytest.fixture
def table():
    rng = np.random.default_rng(9)
    n = 600
    x, y = (np.round(rng.normal(size=n), 2) for _ in range(2))
    x[rng.random(n) < 0.2] = np.nan
    x[:3] = [-0.5, 0.25, 1.0]  # at the breaks
    y[rng.random(n) < 0.05] = np.nan
    c = rng.choice(LEVELS, n).astype(object)
    c[rng.random(n) < 0.2] = None
    return pd.DataFrame({"y": y, "x": x, "c": c})


def records(table):
    return [
        {name: None if value != value else value for name, value in row.items()}
        for row in table.to_dict("records")
    ]


def test_sql(run, formula, table):
    assert formula.columns == ("y", "x", "c")
    numbered = table.assign(id=range(len(table)))
    _, found = run(sql_of(formula), numbered, {"c": "TEXT", "id": "INTEGER"})
    found = sorted(found, key=lambda row: int(row[3]))
    rows = records(table)
    assert [row[-1] for row in found] == [class_of(formula, row) for row in rows]
    scores = [score_of(formula, row) for row in rows]
    for row, score in zip(found, scores, strict=True):
        assert row[-2] == (None if score is None else pytest.approx(score, rel=1e-13, abs=1e-13))


def test_python(tmp_path, formula, table):
    path = tmp_path / "m.py"
    path.write_text(python_of(formula), encoding="utf-8")
    rows = [row for row in records(table) if row["y"] is not None]
    expected = [[score_of(formula, row), class_of(formula, row)] for row in rows]
    assert run_module(path, rows) == expected


@pytest.mark.slow
def test_workbook(tmp_path, formula, table):
    filled(formula, table, tmp_path / "model.xlsx")
    found = results(office(tmp_path / "model.xlsx", tmp_path), len(table), 3)
    assert [label for _, label in found] == [class_of(formula, row) for row in records(table)]
