"""Results for scripts: standard output is one JSON document, whatever is said besides."""

from __future__ import annotations

import json
import math
import shutil

import numpy as np
import pandas as pd
import pytest

from moselect.datasets import load_boston
from moselect.metrics import vus_score
from moselect.storage import read_model, read_run

QUICK = ("--evaluations", 120, "--particles", 40, "--objectives", "accuracy,vus")


def parse(text):
    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture(scope="module")
def searched(tmp_path_factory, run_in):
    """Return a folder with the run folder of a search."""
    folder = tmp_path_factory.mktemp("searched")
    search = ("search", "boston", "--seed", 3, "--out", "run", "--quiet")
    done = run_in(folder, *search, *QUICK)
    assert done.stderr == ""
    assert "Run folder: run" in done.stdout
    return folder


@pytest.fixture
def run(tmp_path, searched):
    shutil.copytree(searched, tmp_path, dirs_exist_ok=True)
    return read_run(tmp_path / "run")


def test_search(inside, tmp_path):
    done = inside("search", "boston", "--seed", 3, "--out", "run", "--json", *QUICK)
    found = parse(done.stdout)
    assert "boston: 506 rows" in done.stderr
    run = read_run(tmp_path / "run")
    assert found["run"] == "run"
    assert {name: found[name] for name in run.record} == run.record
    objectives = run.front.objectives
    front = run.front
    for model in found["models"]:
        i = model["model"]
        assert model["training"] == objectives.iloc[i].to_dict()
        assert model["expected"] == front.expected.iloc[i].to_dict()
        assert model["expected_se"] == front.expected_se.iloc[i].to_dict()
        assert model["holdout"] is None
        if "best VUS" in model["best"]:
            assert model["expected"]["vus"] == front.expected["vus"].max()
    assert found["models"][0]["model"] == front.balanced()
    assert found["warnings"] == []
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
    assert found["rules"]["selected"]["cross-validated"] == pytest.approx(expected, rel=1e-12)


def test_select_by_preference(inside, tmp_path, run):
    found = parse(inside("select", "run", "--prefer", "vus=3,accuracy=1", "--json").stdout)
    assert found["preferences"] == {"accuracy": 0.25, "vus": 0.75}
    assert found["cost_matrix"] is None
    assert found["compared_by"] == "utility"
    selected = found["rules"]["selected"]["cross-validated"]
    for rival, difference in found["differences"].items():
        gain = selected - found["rules"][rival]["cross-validated"]
        assert difference["estimate"] == pytest.approx(gain)
        assert difference["low"] < gain < difference["high"]
    assert len(found["verdicts"]) == 3
    assert 0.0 <= found["front_share"] <= 1.0
    assert set(found["objectives"]["cross-validated"]) == {"accuracy", "vus"}


def test_held_out_figures(inside, tmp_path):
    search = ("search", "boston", "--seed", 3, "--out", "run", "--holdout", 0.3)
    found = parse(inside(*search, "--json", *QUICK).stdout)
    front = read_run(tmp_path / "run").front
    for model in found["models"]:
        assert model["holdout"] == front.holdout.iloc[model["model"]].to_dict()
    best = parse(inside("select", "run", "--best", "vus", "--json").stdout)
    assert best["holdout"] == front.holdout.iloc[best["member"]].to_dict()


def test_what_is_not_known_is_null(inside, tmp_path):
    """With equal rows in a class no fold can be searched without them."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=30), "y": [1] * 14 + [2] * 14 + [3] * 2})
    table.loc[28:, "a"] = 3.0
    table.to_csv(tmp_path / "t.csv", index=False)
    inside("search", "t.csv", "--seed", 1, "--out", "run", "-q", *QUICK)
    found = parse(inside("select", "run", "--class-costs", "1,1,1", "--json", "-q").stdout)
    assert found["rules"]["best member"]["cross-validated"] is None
    assert found["rules"]["always one class"]["cross-validated"] > 0
    assert "best member" not in found["differences"]


def test_predict(inside, tmp_path, run):
    inside("select", "run", "--class-costs", "1,1,1,5,5")
    X, _ = load_boston()
    model = read_model(tmp_path / "model.json")
    found = parse(inside("predict", "model.json", "boston", "--json").stdout)
    assert found["n_rows"] == len(X)
    assert [row["class"] for row in found["predictions"]] == model.predict(X).tolist()
    scores = [row["score"] for row in found["predictions"]]
    assert scores == model.decision_function(X).tolist()
    written = inside("predict", "model.json", "boston", "-o", "p.csv", "--json")
    assert parse(written.stdout) == {
        "model": "model.json",
        "n_rows": 506,
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
    assert found["n_rows"] == 60
    assert found["classes"] == [{"class": k, "rows": 20} for k in (1, 2, 3)]
    vus = found["measures"]["vus"]
    assert math.isclose(vus["estimate"], vus_score(y, score), rel_tol=1e-12)
    assert vus["lower"] < vus["estimate"] < vus["upper"]


def test_plot(inside, tmp_path, run):
    found = parse(inside("plot", "run", "--json").stdout)
    for picture in found["pictures"]:
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    assert found["pictures"]


@pytest.mark.slow
def test_report(inside, tmp_path, run):
    found = parse(inside("report", "run", "--json").stdout)
    assert (tmp_path / found["page"]).read_text(encoding="utf-8").startswith("<!doctype html>")


def test_datasets(inside):
    found = parse(inside("datasets", "--json").stdout)
    sizes = {"rows": 506, "features": 13, "classes": 5}
    (boston,) = found["datasets"]
    assert {name: boston[name] for name in sizes} == sizes
    assert "openml:ID" in found["forms"]
