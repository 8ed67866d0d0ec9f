"""Results for scripts: standard output is one JSON document, whatever is said besides."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from moselect.datasets import load_boston
from moselect.metrics import vus_score
from moselect.storage import read_model, read_run

QUICK = ("--iterations", 3, "--particles", 40, "--objectives", "accuracy,vus")


def parse(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def run(inside, tmp_path):
    done = inside("search", "boston", "--seed", 3, "--out", "run", "--quiet", *QUICK)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "Run folder: run" in done.stdout
    return read_run(tmp_path / "run")


def test_search(inside, tmp_path):
    done = inside("search", "boston", "--seed", 3, "--out", "run", "--json", *QUICK)
    found = parse(done.stdout)
    assert "boston: 506 objects" in done.stderr
    run = read_run(tmp_path / "run")
    assert found["run"] == "run"
    assert {name: found[name] for name in run.record} == run.record
    objectives = run.front.objectives
    for model in found["models"]:
        row = objectives.iloc[model["model"]]
        assert {name: model[name] for name in objectives} == row.to_dict()
        if model["what"] == "best VUS":
            assert model["vus"] == objectives["vus"].max()
    again = inside("search", "--resume", "run", "--json")
    assert parse(again.stdout) == found
    assert "has ended" in again.stderr


def test_select(inside, tmp_path, run):
    done = inside("select", "run", "--class-costs", "1,1,1,5,5", "--json")
    found = parse(done.stdout)
    model = read_model(tmp_path / found["model"])
    assert found["classes"] == model.classes_.tolist()
    assert found["thresholds"] == model.thresholds_.tolist()
    assert found["cost_matrix"][3] == [15, 10, 5, 0, 5]
    confusion = np.array(found["confusion"])
    _, y = load_boston()
    assert confusion.sum(axis=1).tolist() == y.value_counts().sort_index().tolist()
    expected = (confusion * found["cost_matrix"]).sum() / len(y)
    assert found["costs"]["selected"]["cross-validated"] == pytest.approx(expected, rel=1e-12)


def test_what_is_not_known_is_null(inside, tmp_path):
    """With two objects in a class no fold can be searched without them."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=30), "y": [1] * 14 + [2] * 14 + [3] * 2})
    table.to_csv(tmp_path / "t.csv", index=False)
    inside("search", "t.csv", "--seed", 1, "--out", "run", "-q", *QUICK)
    found = parse(inside("select", "run", "--class-costs", "1,1,1", "--json").stdout)
    assert found["costs"]["cheapest member"]["cross-validated"] is None
    assert found["costs"]["trivial"]["cross-validated"] > 0


def test_predict(inside, tmp_path, run):
    inside("select", "run", "--class-costs", "1,1,1,5,5")
    X, _ = load_boston()
    model = read_model(tmp_path / "model.json")
    found = parse(inside("predict", "model.json", "boston", "--json").stdout)
    assert found["n_objects"] == len(X)
    assert [row["class"] for row in found["predictions"]] == model.predict(X).tolist()
    scores = [row["score"] for row in found["predictions"]]
    assert scores == model.decision_function(X).tolist()
    written = inside("predict", "model.json", "boston", "-o", "p.csv", "--json")
    assert parse(written.stdout) == {
        "model": "model.json",
        "n_objects": 506,
        "n_unscored": 0,
        "file": "p.csv",
    }
    assert pd.read_csv(tmp_path / "p.csv")["class"].tolist() == model.predict(X).tolist()


def test_evaluate(inside, tmp_path):
    rng = np.random.default_rng(1)
    y = np.repeat([1, 2, 3], 20)
    score = y + rng.normal(size=60)
    pd.DataFrame({"y": y, "s": score}).to_csv(tmp_path / "p.csv", index=False)
    done = inside("evaluate", "p.csv", "--true", "y", "--score", "s", "--json")
    found = parse(done.stdout)
    assert done.stderr == ""
    assert found["n_objects"] == 60
    assert found["classes"] == [{"class": k, "objects": 20} for k in (1, 2, 3)]
    vus = found["measures"]["vus"]
    assert math.isclose(vus["estimate"], vus_score(y, score), rel_tol=1e-12)
    assert vus["lower"] < vus["estimate"] < vus["upper"]


def test_plot(inside, tmp_path, run):
    found = parse(inside("plot", "run", "--json").stdout)
    for picture in found["pictures"]:
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    assert found["pictures"]


def test_report(inside, tmp_path, run):
    found = parse(inside("report", "run", "--json").stdout)
    assert (tmp_path / found["page"]).read_text(encoding="utf-8").startswith("<!doctype html>")


def test_datasets(inside):
    found = parse(inside("datasets", "--json").stdout)
    sizes = {"rows": 506, "features": 13, "classes": 5}
    (boston,) = found["datasets"]
    assert {name: boston[name] for name in sizes} == sizes
    assert "openml:ID" in found["forms"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "nothing"),
        ("search", "boston", "--runs", "x"),
        ("select", "nowhere", "--class-costs", "1,1"),
        ("predict", "no.json", "boston"),
        ("evaluate", "no.csv", "--true", "y", "--score", "s"),
        ("plot", "nowhere"),
        ("report", "nowhere"),
        ("compare", "nothing"),
    ],
)
def test_errors_are_told_as_ever(inside, arguments):
    done = inside(*arguments, "--json", "--quiet")
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("moselect: error: ")
