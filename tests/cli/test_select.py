from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch, expected_cost
from moselect.datasets import load_dataset
from moselect.storage import read_model

QUICK = ("--iterations", 3, "--particles", 40)


@pytest.fixture
def run(inside, tmp_path, table):
    """Give a table with text classes and the run folder of a search on it."""
    table = table.assign(grade=table["grade"].map({1: "low", 2: "mid", 3: "high"}))
    table.to_csv(tmp_path / "t.csv", index=False)
    done = inside("search", "t.csv", "--order", "low,mid,high", "--seed", 3, "--out", "run", *QUICK)
    assert done.returncode == 0, done.stderr
    return tmp_path / "run"


def test_from_costs_to_predictions(moselect, tmp_path, table, run):
    done = moselect("select", "run", "--class-costs", "1,1,5", "-o", "m.json")
    assert done.returncode == 0, done.stderr
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    model = read_model(tmp_path / "m.json")
    about = json.loads((tmp_path / "m.json").read_text())["about"]
    assert about["cost_matrix"] == [[0, 1, 2], [1, 0, 1], [10, 5, 0]]

    # the same by hand, from the library
    data = load_dataset(tmp_path / "t.csv", order=["low", "mid", "high"])
    search = ParetoSearch(n_iterations=3, n_particles=40, random_state=3, labels=data.labels)
    report = search.fit(data.X, data.y).select([1, 1, 5]).evidence
    assert model.coef_.tolist() == search.select([1, 1, 5]).coef_.tolist()
    costs = report.costs["cross-validated"]
    for rule in ("selected", "cheapest member", "proportional odds", "trivial"):
        shown = re.search(rf"^{rule} +\S+ +(\S+) +(\S+) to (\S+)$", done.stdout, re.MULTILINE)
        cost, low, high = map(float, shown.groups())
        assert cost == pytest.approx(costs[rule], rel=1e-3)
        assert low < cost < high
    truth = pd.Categorical(data.y, categories=["low", "mid", "high"], ordered=True)
    predicted = report.predicted["selected"]
    assert about["expected_cost"] == pytest.approx(
        expected_cost(truth, predicted, about["cost_matrix"])
    )
    for label, row in pd.crosstab(np.asarray(truth), np.asarray(predicted)).iterrows():
        shown = re.search(rf"^{label} +(\d+) +(\d+) +(\d+)$", done.stdout, re.MULTILINE)
        by_name = dict(zip(("low", "mid", "high"), map(int, shown.groups()), strict=True))
        assert {k: v for k, v in by_name.items() if v} == {k: v for k, v in row.items() if v}
    low, high = model.thresholds_
    assert f"low: up to {low:.6g}" in done.stdout
    assert f"mid: above {low:.6g}, up to {high:.6g}" in done.stdout

    assert moselect("predict", "m.json", "t.csv", "-o", "p.csv").returncode == 0
    found = pd.read_csv(tmp_path / "p.csv")["class"]
    assert found.tolist() == model.predict(data.X).tolist()


def test_a_matrix_from_a_file_and_priors(inside, tmp_path, run):
    (tmp_path / "c.csv").write_text("0,1,2\n1,0,1\n10,5,0\n")
    by_file = inside("select", "run", "--cost-matrix", "c.csv", "-o", "a.json")
    by_costs = inside("select", "run", "--class-costs", "1,1,5", "-o", "b.json")
    assert by_file.stdout.replace("a.json", "b.json") == by_costs.stdout
    rare = inside(
        "select", "run", "--class-costs", "1,1,5", "--priors", "0.98,0.01,0.01", "-o", "c.json"
    )
    assert rare.returncode == 0, rare.stderr
    thresholds = [read_model(tmp_path / f"{name}.json").thresholds_ for name in "bc"]
    assert (thresholds[1] >= thresholds[0]).all()  # the lowest class is all but certain


def test_where_no_model_can_be_written_is_told_first(inside, tmp_path, run):
    costs = ("--class-costs", "1,1,5")
    nowhere = inside("select", "run", *costs, "-o", "folder/m.json")
    assert nowhere.returncode == 2
    assert "there is no folder 'folder' to write 'm.json' to" in nowhere.stderr
    taken = inside("select", "run", *costs, "-o", "run")
    assert taken.returncode == 2
    assert "'run' is a folder: name a file" in taken.stderr
    assert len(taken.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "either --class-costs .* or --cost-matrix FILE"),
        (
            ("--class-costs", "1,1"),
            "--class-costs has 2 numbers, but there are 3 classes: low, mid, high",
        ),
        (("--class-costs", "1,x,1"), "--class-costs 1,x,1: give numbers"),
        (("--class-costs", "1,-1,1"), "negative|0 upwards"),
        (("--class-costs", "1,nan,1"), "finite"),
        (("--class-costs", "0,0,0"), "zero|0"),
        (("--class-costs", "1,1,1", "--priors", "0.5,0.1,0.1"), "priors"),
        (("--class-costs", "1,1,1", "--priors", "0.5,0.5"), "--priors has 2 numbers"),
        (("--cost-matrix", "none.csv"), "cannot read the costs 'none.csv'"),
        (("--cost-matrix", "t.csv"), "'t.csv' is no cost matrix"),
        (("--cost-matrix", "two.csv"), "it has 2 rows of 2 numbers, but there are 3 classes"),
        (("--cost-matrix", "c.csv", "--class-costs", "1,1,1"), "either --class-costs"),
    ],
)
def test_bad_costs_are_told_in_one_line(inside, tmp_path, run, arguments, message):
    (tmp_path / "two.csv").write_text("0,1\n1,0\n")
    (tmp_path / "c.csv").write_text("0,1,2\n1,0,1\n10,5,0\n")
    done = inside("select", "run", *arguments, "-o", "m.json")
    assert done.returncode == 2
    assert re.search(message, done.stderr.splitlines()[-1]), done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "m.json").exists()


def test_an_unknown_loss(inside, run):
    done = inside("select", "run", "--class-costs", "1,1,1", "--loss", "cubic")
    assert done.returncode == 2
    assert "cubic" in done.stderr


def test_a_transposed_matrix_is_warned_of(moselect, tmp_path, run):
    (tmp_path / "c.csv").write_text("5,1,2\n1,0,1\n2,1,0\n")
    done = moselect("select", "run", "--cost-matrix", "c.csv")
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stderr.split())
    assert "being right about class low costs more than predicting a neighbouring class" in told


def test_data_that_changed_or_moved(inside, tmp_path, table, run):
    (tmp_path / "t.csv").rename(tmp_path / "moved.csv")
    gone = inside("select", "run", "--class-costs", "1,1,1")
    assert gone.returncode == 2
    assert "'t.csv'" in gone.stderr
    assert "if the data have moved, say where: --data" in gone.stderr
    assert inside("select", "run", "--class-costs", "1,1,1", "--data", "moved.csv").returncode == 0
    table.assign(grade="low").to_csv(tmp_path / "moved.csv", index=False)
    (tmp_path / "moved.csv").write_text(
        (tmp_path / "moved.csv").read_text().replace("low", "high", 20).replace("low", "mid", 20)
    )
    changed = inside("select", "run", "--class-costs", "1,1,1", "--data", "moved.csv", "--force")
    assert changed.returncode == 2
    assert "has changed" in changed.stderr
