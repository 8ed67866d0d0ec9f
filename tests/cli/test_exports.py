"""From any table to a model that works anywhere, through the real command."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.io import read_model
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
    assert "Exported to: m.sql" in inside(f"{LINEAR} m.sql").stdout
    rows = new_rows(raw)
    table, notes = predicted(inside, rows)
    expected = without_gaps(table["class"])
    estimated = ["estimated without 'colour'", "estimated without 'dose'"]
    assert table["reason"][[1, 3]].tolist() == estimated  # which had no gaps in training
    assert None not in expected
    assert (
        "'colour': 1 of 120 rows have a level that was not in training (violet)" in notes
    )

    with sqlite3.connect(":memory:") as connection:
        rows.to_sql("data", connection, index=False)
        found = connection.execute(Path("m.sql").read_text()).fetchall()
        assert [row[-1] for row in found] == expected
    assert told(f"{LINEAR} spoken.sql --dialect snowflake")["export"] == "spoken.sql"
    assert "Written for snowflake by sqlglot" in Path("spoken.sql").read_text()


def test_the_card_and_its_probabilities(inside, raw, run):
    inside(f"{LINEAR} card.txt")
    card = read_model(Path("model.json")).card
    assert (card.predicts, card.data, card.seed, card.n_rows) == ("grade", "t", 3, 120)
    assert card.cost_matrix == [[0, 1, 2], [1, 0, 1], [10, 5, 0]]
    names = [feature.name for feature in card.features]
    common = raw["colour"].mode()[0]  # has no column
    levels = [f"colour={level}" for level in sorted({*raw["colour"]} - {common})]
    assert names == ["age", "age missing", "dose", *levels]
    dose = card.features[2]
    assert (dose.minimum, dose.maximum) == (raw["dose"].min(), raw["dose"].max())
    confusion = np.array(card.confusion)
    assert confusion.sum(axis=1).tolist() == card.class_counts
    figures = {
        figure.name.split(",")[0]: figure for figure in card.figures if figure.interval
    }
    n_right = np.trace(confusion)
    assert figures["accuracy"].value == pytest.approx(n_right / 120)
    costs = (confusion * card.cost_matrix).sum() / 120
    # Expected on new data: the choice among kinds and the class shares of few rows count too.
    low, high = figures["mean cost per row"].interval
    assert low < costs < high
    assert (low + high) / 2 == pytest.approx(figures["mean cost per row"].value)
    assert {figure.rows for figure in figures.values()} == {"cv"}
    low, high = figures["accuracy"].interval
    share = n_right / 120
    error = np.hypot(np.sqrt(share * (1 - share) / 120), 1 / 120)  # a mistake more
    assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.02)
    text = Path("card.txt").read_text()
    assert "MODEL CARD: grade" in text
    assert levels[0] in text

    table, _ = predicted(inside, raw, "--proba")
    probabilities = table[["P(low)", "P(mid)", "P(high)"]].to_numpy()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    # The slope is that of scores of rows that were not fitted, and means are those of the classes.
    shares = np.array(card.class_counts) / 120
    np.testing.assert_allclose(probabilities.mean(axis=0), shares, atol=0.05)
    truth = raw["grade"].map({"low": 0, "mid": 1, "high": 2}).to_numpy()
    in_training = -np.log(probabilities[range(120), truth]).mean()
    assert in_training < -(shares * np.log(shares)).sum()


def test_a_scorecard_of_hostile_names_steers_no_terminal(inside):
    x = np.random.default_rng(0).normal(size=60)
    table = {"\x1b[31mrisk": x, "grade\x1b[1m": np.digitize(x, [-0.5, 0.5])}
    pd.DataFrame(table).to_csv("t.csv", index=False)
    inside("search t.csv --evaluations 60 --out run")
    done = inside("select run --class-costs 1,1,5 --model scorecard --export card.txt")
    card = Path("card.txt").read_text()
    assert "[31mrisk" in done.stdout
    assert "[31mrisk" in card
    assert "\x1b" not in done.stdout + card
