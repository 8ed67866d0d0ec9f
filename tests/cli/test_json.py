"""Results for scripts: standard output is one JSON document, whatever is said besides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.datasets import load_dataset
from moselect.io import read_model, read_run
from tests.cli.conftest import document

QUICK = "--evaluations 120 --particles 40 --objectives accuracy,vus"
LINEAR = "--class-costs 1,1,5 --model linear"


def test_search(inside):
    done = inside(f"search boston --seed 3 --out run --holdout 0.3 --json {QUICK}")
    found = document(done)
    assert "boston: 506 rows" in done.stderr
    run = read_run(Path("run"))
    assert found["run"] == "run"
    assert {name: found[name] for name in run.record} == run.record
    front = run.front
    i = found["balanced"]
    assert i == front.balanced()
    figures = {
        "chance": front.chance,
        "cross-validated": front.expected.iloc[i],
        "std_error": front.expected_se.iloc[i],
        "holdout": front.holdout.iloc[i],
        "training": front.objectives.iloc[i],
    }
    assert found["figures"] == pd.DataFrame(figures).to_dict("index")
    assert found["warnings"] == []
    again = inside("search --resume run --json")
    assert document(again) == found
    assert "has ended" in again.stderr


def test_select_and_predict(told, run):
    found = told(f"select run {LINEAR}")
    model = read_model(Path(found["file"]))
    assert found["classes"] == model.classes_.tolist()
    assert found["thresholds"] == model.thresholds_.tolist()
    assert found["cost_matrix"] == [[0, 1, 2], [1, 0, 1], [10, 5, 0]]
    confusion = np.array(found["confusion"])
    data = load_dataset("t.csv", order=["low", "mid", "high"])
    counts = data.y.value_counts()
    assert confusion.sum(axis=1).tolist() == [counts[name] for name in found["classes"]]
    expected = (confusion * found["cost_matrix"]).sum() / len(data.y)
    assert found["candidates"]["linear"]["cost"] == pytest.approx(expected, rel=1e-12)

    found = told("predict model.json t.csv")
    assert [row["class"] for row in found["predictions"]] == model.predict(
        data.X
    ).tolist()
    scores = [row["score"] for row in found["predictions"]]
    assert scores == model.decision_function(data.X).tolist()
    totals = {"model": "model.json", "n_rows": 60, "n_unscored": 0}
    assert told("predict model.json t.csv -o p.csv") == {**totals, "file": "p.csv"}


@pytest.mark.slow
def test_what_is_not_known_is_null(told):
    """With equal rows in a class no fold can be searched without them."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=30), "y": [1] * 14 + [2] * 14 + [3] * 2})
    table.loc[28:, "a"] = 3.0
    table.to_csv("t.csv", index=False)
    found = told(f"search t.csv --seed 1 --out run -q {QUICK}")
    for figures in found["figures"].values():
        assert figures.get("cross-validated") is figures.get("std_error") is None
    found = told(f"select run {LINEAR} -q")
    assert found["candidates"]["always one class"]["cost"] > 0
    assert "best member" not in {*found["candidates"], *found["differences"]}
