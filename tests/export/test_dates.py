"""Dates in every export that takes rows, against the preparation itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect.columns import Preparation
from moselect.export import python_of, sql_of
from moselect.graph.formula import Formula
from tests.export.databases import read_back, run_duckdb, run_sqlite

RUNS = [
    (run_sqlite, None),
    (run_duckdb, None),
    (run_sqlite, "sqlite"),
    *((run_duckdb, dialect) for dialect in ("duckdb", "bigquery", "snowflake")),
]

DAYS = pd.Series(pd.date_range("1999-12-30 05:30:10", periods=300, freq="9333h")[::-1])


OTHERS = [
    pytest.param(date, marks=pytest.mark.slow) for date in ("%d.%m.%Y %H:%M", "%m/%d/%Y")
]


@pytest.mark.parametrize("written", ["%Y-%m-%d %H:%M:%S", *OTHERS])
def test_parts_are_those_of_the_preparation(written):
    X = pd.DataFrame({"when": DAYS.dt.strftime(written), "x": 0.5 + np.arange(300)})
    X.loc[[3, 8, 9, 20, 31], "when"] = [None, "?", "", None, None]
    preparation = Preparation(keep=["when"], drop=["x"]).fit(X)
    prepared = preparation.transform(X).to_numpy()
    rows = X[["when"]].assign(
        when=X["when"].astype(object).where(X["when"].notna(), None)
    )
    for j, term in enumerate(preparation.terms()):
        by_module, by_queries = scores_of(
            Formula((term,), (1.0,), (3.5,), ("low", "high")), rows
        )
        assert by_module == pytest.approx(prepared[:, j].tolist(), rel=1e-14)
        for found in by_queries:
            assert found == prepared[:, j].tolist()


def scores_of(formula, rows):
    """Return what the module and each query say of dates."""
    module, found = {}, []
    exec(python_of(formula), module)
    for run, dialect in RUNS:
        query = read_back(sql_of(formula, dialect=dialect), dialect)
        found.append([row[-2] for row in run(query, rows, {"when": "TEXT"})[1]])
    return [module["score"](row) for row in rows.to_dict("records")], found


def test_times_with_a_zone():
    utc = ["2024-02-29T23:30:00Z", "2024-12-31T01:00Z", "2023-03-01 00:00:00"]
    others = ["2024-02-29T23:30:00-05:00", "2024-12-31T01:00+02"]
    X = pd.DataFrame({"when": [*utc, *others]})
    preparation = Preparation(keep=["when"]).fit(X)
    formula = Formula(preparation.terms(), (1.0,) * 4, (3.5,), ("low", "high"))
    scores = preparation.transform(X).sum(axis=1).tolist()
    by_module, by_queries = scores_of(formula, X)
    assert by_module == pytest.approx(scores)
    for found in by_queries:  # none rather than a wrong one
        assert found == [*(pytest.approx(score) for score in scores[:3]), None, None]
