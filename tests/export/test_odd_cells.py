"""Odd cells in databases: the same score as `predict`, or none."""

import functools

import numpy as np
import pandas as pd
import pytest

from moselect.export import sql_of
from moselect.predictor import OrdinalLinearClassifier, predict_table
from moselect.predictor.predictions import read_rows
from moselect.preprocessing import Preparation
from moselect.tables.tables import read_source
from tests.export.odd_cells import CELLS, COLUMNS


@functools.cache
def model_of(name):
    """Return a model of a column, whose values it adds up with different weights."""
    table = pd.DataFrame({"x": np.arange(len(COLUMNS[name])) / 7, name: COLUMNS[name]})
    classes = np.arange(len(table)) % 2
    preparation = Preparation(keep=[name])
    names = preparation.fit(table, classes).get_feature_names_out().tolist()
    weights = 0.7 ** np.arange(len(names))
    return OrdinalLinearClassifier(weights, [20.0], ["low", "high"], names, preparation)


def rows_of(name):
    """Return rows that have ordinary cells, and odd ones."""
    usual = pd.Series(COLUMNS[name]).dropna().astype(str)
    cells = list(dict.fromkeys([*usual, *CELLS[name]]))
    return pd.DataFrame({"x": 1.0, name: cells}), usual.nunique()


def differing(cells, scores, expected):
    """Return the cells with another score than expected; none is no score."""
    return [
        (cell, score, there)
        for cell, score, there in zip(cells, scores, expected.tolist(), strict=True)
        if score is not None and score != pytest.approx(there, rel=1e-12)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", COLUMNS)
def test_databases(run, name, tmp_path):
    """Scores of databases match predictions of the table and of the same table in a file."""
    rows, n_usual = rows_of(name)
    model = model_of(name)
    numbered = rows.assign(id=range(len(rows)))
    query = sql_of(model)
    _, found = run(query, numbered, {name: "TEXT", "id": "INTEGER"})
    found = sorted(found, key=lambda row: int(row[-3]))
    scores = [row[-2] for row in found]
    rows.to_csv(tmp_path / "rows.csv", index=False)
    read = read_rows(model, read_source(tmp_path / "rows.csv"))
    for table in (rows, read):
        assert differing(rows[name], scores, predict_table(model, table).scores) == []
    assert None not in scores[:n_usual]
