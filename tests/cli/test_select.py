from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch, compare, expected_cost
from moselect.datasets import load_dataset
from moselect.storage import read_model, read_run

QUICK = ("--evaluations", 120, "--particles", 40)


@pytest.fixture(scope="module")
def searched(tmp_path_factory, run_in, table):
    """Return a folder with a table of text classes and the run folder of a search on it."""
    folder = tmp_path_factory.mktemp("searched")
    table = table.assign(grade=table["grade"].map({1: "low", 2: "mid", 3: "high"}))
    table.to_csv(folder / "t.csv", index=False)
    run_in(
        folder, "search", "t.csv", "--order", "low,mid,high", "--seed", 3, "--out", "run", *QUICK
    )
    return folder


@pytest.fixture
def run(tmp_path, searched):
    """Return a run folder of one's own, beside its table."""
    shutil.copytree(searched, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run"


@pytest.mark.slow
def test_kinds_of_models_stand_side_by_side(inside, tmp_path, run):
    done = inside("select", "run", "--class-costs", "1,1,5", "--kinds", "--json")
    assert done.returncode == 0, done.stderr
    kinds = pd.DataFrame(json.loads(done.stdout)["kinds"]).T
    assert set(kinds.index) == {"pareto_search", "additive", "pool"}
    assert kinds["cost"].is_monotonic_increasing
    assert kinds.loc["pool", "terms"] is None
    data = load_dataset(tmp_path / "t.csv", order=["low", "mid", "high"])
    by_hand = compare(["additive"], data.X, data.y, cv=5, costs=[1, 1, 5], random_state=3)
    assert kinds.loc["additive", "cost"] == pytest.approx(by_hand.costs()["cost"]["additive"])


def test_kinds_are_compared_for_costs_or_preferences(inside, run):
    done = inside("select", "run", "--model", 0, "--kinds")
    assert done.returncode == 2
    assert "--kinds goes with --class-costs" in done.stderr


def test_from_costs_to_predictions(moselect, tmp_path, table, run):
    done = moselect("select", "run", "--class-costs", "1,1,5", "-o", "m.json")
    assert done.returncode == 0, done.stderr
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    model = read_model(tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    matrix = document["card"]["cost_matrix"]
    assert matrix == [[0, 1, 2], [1, 0, 1], [10, 5, 0]]
    assert not {"cost_matrix", "data"} & document["about"].keys()  # it stands there once

    # the same by hand, from the library
    data = load_dataset(tmp_path / "t.csv", order=["low", "mid", "high"])
    search = ParetoSearch(n_iterations=3, n_particles=40, random_state=3, labels=data.labels)
    selected = search.fit(data.X, data.y).select([1, 1, 5])
    report = selected.evidence
    np.testing.assert_array_equal(model.coef_, selected.coef_)
    np.testing.assert_array_equal(model.thresholds_, selected.thresholds_)
    for rule in ("selected", "best member", "proportional odds", "always one class"):
        shown = re.search(rf"^{rule} +(\S+) ± (\S+) +(\S+)$", done.stdout, re.MULTILINE)
        cost, error, training = map(float, shown.groups())
        found = report.rules.loc[rule]
        assert cost == pytest.approx(found["cross-validated"], rel=1e-3)
        assert error == pytest.approx(found["standard error"], rel=0.06)
        assert training == pytest.approx(found["training"], rel=1e-3)
    told = " ".join(done.stdout.split())
    assert all(f"{said[0].upper()}{said[1:]}." in told for said in report.verdicts)
    for label, costs in zip(("low", "mid", "high"), matrix, strict=True):
        assert re.search(
            rf"^{label} +{' +'.join(f'{cost:g}' for cost in costs)}$", done.stdout, re.M
        )
    truth = pd.Categorical(data.y, categories=["low", "mid", "high"], ordered=True)
    predicted = report.predicted["selected"]
    assert document["about"]["expected_cost"] == pytest.approx(
        expected_cost(truth, predicted, matrix)
    )
    for label, row in pd.crosstab(np.asarray(truth), np.asarray(predicted)).iterrows():
        # The last such row: the first one is of the cost matrix.
        shown = re.findall(rf"^{label} +(\d+) +(\d+) +(\d+)$", done.stdout, re.MULTILINE)[-1]
        by_name = dict(zip(("low", "mid", "high"), map(int, shown), strict=True))
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
        (("--priors", "0.2,0.3,0.5"), "--priors needs costs: --class-costs or --cost-matrix"),
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
        (("--cost-matrix", "c.csv", "--class-costs", "1,1,1"), "one of --class-costs and --cost-"),
        (("--prefer", "vus=1", "--class-costs", "1,1,1"), "one of --class-costs and --prefer"),
        (("--balanced", "--model", 1), "give one of --model and --balanced"),
        (("--prefer", "speed=1"), "unknown objective 'speed' .*: choose from accuracy, one_minus"),
        (("--prefer", "vus=-1"), "the weight of 'vus' is -1.0: give a number of at least 0"),
        (("--prefer", "vus=0,accuracy=0"), "all preferences are 0"),
        (("--prefer", "vus=x"), "--prefer vus=x: give names and weights, such as vus=2"),
        (("--prefer", "vus=1,vus=2"), "--prefer names vus twice"),
        (("--model", 100_000), r"--model 100000: the models of the front are 0 to \d+"),
        (("--model", -1), "--model"),
        (("--best", "speed"), "unknown objective 'speed': choose from accuracy"),
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


@pytest.mark.filterwarnings("default::UserWarning")  # as in the real command
def test_a_transposed_matrix_is_warned_of(inside, tmp_path, run):
    (tmp_path / "c.csv").write_text("5,1,2\n1,0,1\n2,1,0\n")
    done = inside("select", "run", "--cost-matrix", "c.csv")
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


@pytest.mark.parametrize(
    ("options", "preferences"),
    [
        ((), None),
        (("--prefer", "vus=2,accuracy=1"), {"vus": 2, "accuracy": 1}),
        (("--prefer", "u_cons"), {"u_cons": 1}),
    ],
    ids=["none", "two", "one"],
)
def test_a_preference_from_a_run_folder_is_that_of_one_process(
    inside, tmp_path, run, options, preferences
):
    done = inside("select", "run", *options)
    assert done.returncode == 0, done.stderr
    data = load_dataset(tmp_path / "t.csv", order=["low", "mid", "high"])
    search = ParetoSearch(n_iterations=3, n_particles=40, random_state=3, labels=data.labels)
    selected = search.fit(data.X, data.y).select(preferences=preferences)
    model = read_model(tmp_path / "model.json")
    np.testing.assert_array_equal(model.coef_, selected.coef_)
    np.testing.assert_array_equal(model.thresholds_, selected.thresholds_)
    document = json.loads((tmp_path / "model.json").read_text())
    assert document["card"]["preferences"] == dict(selected.evidence.preferences)
    assert (
        document["about"]["expected_utility"]
        == selected.evidence.rules.loc["selected", "cross-validated"]
    )
    assert re.search(r"^always one class +0 ± ", done.stdout, re.MULTILINE)


def test_choosing_searches_nothing(inside, tmp_path, run, monkeypatch):
    from moselect.search import estimator

    def refuse(*_, **__):
        raise AssertionError("this was searched already")

    monkeypatch.setattr(estimator, "search_front", refuse)
    monkeypatch.setattr(estimator, "search_folds", refuse)
    for options in (("--class-costs", "1,1,5"), ("--prefer", "vus=1"), ("--best", "vus")):
        done = inside("select", "run", *options, "--force")
        assert done.returncode == 0, done.stderr
    (folds,) = (tmp_path / "run").glob("folds-*.csv")
    folds.write_bytes(folds.read_bytes().replace(b"0.", b"1.", 1))
    done = inside("select", "run", "--prefer", "vus=1", "--force")
    assert done.returncode == 2
    assert "is not what the search wrote: run the search again" in done.stderr


@pytest.mark.parametrize("option", ["--model", "--best", "--balanced"])
def test_a_model_of_the_front_is_taken_as_it_is(inside, tmp_path, run, option):
    front = read_run(run).front
    value, index = {
        "--model": ((1,), 1),
        "--best": (("vus",), front.best("vus")),
        "--balanced": ((), front.balanced()),
    }[option]
    (tmp_path / "t.csv").unlink()  # the data are not needed
    done = inside("select", "run", option, *value)
    assert done.returncode == 0, done.stderr
    model = read_model(tmp_path / "model.json")
    np.testing.assert_array_equal(model.coef_, front.weights[index])
    np.testing.assert_array_equal(model.thresholds_, front.thresholds[index])
    assert json.loads((tmp_path / "model.json").read_text())["about"]["member"] == index
    assert f"model {index} " in done.stdout
    rows = {"expected on new data": front.expected, "training": front.objectives}
    for name, table in rows.items():
        shown = re.search(rf"^{name} +(.+)$", done.stdout, re.MULTILINE)[1].split()
        assert [float(cell) for cell in shown] == pytest.approx(list(table.iloc[index]), abs=1e-4)
    found = json.loads(inside("select", "run", option, *value, "--json", "--force").stdout)
    assert found["member"] == index
    for name in ("expected", "expected_se", "training"):
        table = front.objectives if name == "training" else getattr(front, name)
        assert found[name] == table.iloc[index].to_dict()
