"""From any table to a model that works anywhere, through the real command."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.cli.conftest import ends

pytestmark = pytest.mark.slow
SEARCH = "--target grade --order low,mid,high --evaluations 120 --particles 40 --seed 3"
LINEAR = "select run --class-costs 1,1,5 --model linear --force --export"


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """Return a table with categories and gaps, and a folder with its file and a search on it."""
    folder = tmp_path_factory.mktemp("searched")
    rng = np.random.default_rng(5)
    n = 120
    score = rng.normal(size=n)
    age = np.round(50.0 + 10.0 * score, 1)
    age[rng.random(n) < 0.1] = np.nan
    grade = np.digitize(score + rng.normal(scale=0.5, size=n), [-0.6, 0.6])
    table = pd.DataFrame(
        {
            "age": age,
            "dose": np.round(rng.gamma(2.0, 2.0, n), 2),
            "colour": rng.choice(["red", "blue", "green"], n),
            "grade": np.array(["low", "mid", "high"])[grade],
        }
    )
    table.to_csv(folder / "t.csv", index=False)
    ends(folder, f"search t.csv --out run {SEARCH}")
    return table, folder


@pytest.fixture
def raw(searched):
    return searched[0]


@pytest.fixture
def run(tmp_path, searched):
    """Copy the table and the run folder, to be used and changed."""
    shutil.copytree(searched[1], tmp_path, dirs_exist_ok=True)


def new_rows(raw):
    """Return rows with a level not seen in training and missing values."""
    rows = raw.astype(object)
    rows.loc[0, "colour"] = "violet"
    rows.loc[1, "colour"] = None
    rows.loc[2, "age"] = None
    rows.loc[3, "dose"] = None
    return rows.where(rows.notna(), None)


def predicted(inside, rows, options=""):
    rows.to_csv("new.csv", index=False)
    done = inside(f"predict model.json new.csv -o p.csv {options}")
    return pd.read_csv("p.csv"), " ".join(done.stderr.split())


def without_gaps(column):
    return column.astype(object).where(column.notna(), None).tolist()


def test_every_export_gives_raw_rows_the_class_of_predict(inside, told, raw, run):
    assert "Export: m.sql" in inside(f"{LINEAR} m.sql").stdout
    rows = new_rows(raw)
    table, notes = predicted(inside, rows)
    expected = without_gaps(table["class"])
    estimated = ["estimated without 'colour'", "estimated without 'dose'"]
    assert table["reason"][[1, 3]].tolist() == estimated  # which had no gaps in training
    assert None not in expected
    assert "3 of 120 rows have values that training did not have" in notes

    with sqlite3.connect(":memory:") as connection:
        rows.to_sql("data", connection, index=False)
        found = connection.execute(Path("m.sql").read_text()).fetchall()
        assert [row[-1] for row in found] == expected
    assert told(f"{LINEAR} spoken.sql --dialect snowflake")["export"] == "spoken.sql"
    assert "Written for snowflake by sqlglot" in Path("spoken.sql").read_text()
