"""Odd cells in databases: the same score as `predict`, or none."""

import functools

import numpy as np
import pandas as pd
import pytest

from moselect.export import sql_of
from moselect.predictor import predict_table
from moselect.predictor.predictions import read_rows
from moselect.preprocessing import Preparation
from moselect.tables.tables import read_source
from tests.export.cases import model_of
from tests.export.databases import predictions_of
from tests.export.odd_cells import CELLS, COLUMNS, N


@functools.cache
def model_of_column(name):
    table = pd.DataFrame({"x": np.arange(N) / 7, name: COLUMNS[name]})
    columns = Preparation(keep=[name]).fit(table, np.arange(N) % 2)
    return model_of(columns, threshold=20.0)


def rows_of(name):
    """Return rows that have ordinary cells, and odd ones."""
    usual = pd.Series(COLUMNS[name]).dropna().astype(str)
    cells = list(dict.fromkeys([*usual, *CELLS[name]]))
    return pd.DataFrame({"x": 1.0, name: cells}), usual.nunique()


@pytest.mark.slow
@pytest.mark.parametrize("name", COLUMNS)
def test_databases(run, name, tmp_path):
    """Scores of databases match predictions of the table and of the same table in a file."""
    rows, n_usual = rows_of(name)
    model = model_of_column(name)
    found = predictions_of(run, sql_of(model), rows, {name: "TEXT"})
    scores = np.array([score for score, _ in found], dtype=float)  # NaN: no score
    rows.to_csv(tmp_path / "rows.csv", index=False)
    read = read_rows(model, read_source(tmp_path / "rows.csv"))
    for table in (rows, read):
        expected = predict_table(model, table).scores
        differs = ~np.isnan(scores) & ~np.isclose(scores, expected, 1e-12, 1e-12)
        assert rows[name][differs].tolist() == []
    assert not np.isnan(scores[:n_usual]).any()
