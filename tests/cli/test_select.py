from __future__ import annotations

import json
import re
import shutil
import signal

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch, expected_cost
from moselect.datasets import load_dataset
from moselect.export import onnx_of
from moselect.storage import read_model, read_run
from tests import children
from tests.cli.conftest import called

NAMES = ("low", "mid", "high")
COSTS = ("--class-costs", "1,1,5")
LINEAR = ("--kind", "linear")


@pytest.fixture(scope="module")
def data(searched):
    return load_dataset(searched / "t.csv", order=NAMES)


@pytest.fixture(scope="module")
def fitted(data):
    """Give the same search by hand, from the library."""
    search = ParetoSearch(
        n_iterations=3, n_particles=40, random_state=3, labels=data.labels
    )
    return search.fit(data.X, data.y)


@pytest.fixture(scope="module")
def decided(tmp_path_factory, searched):
    """Give the evidence of a run folder for which all kinds were fitted, and what was told."""
    folder = tmp_path_factory.mktemp("decided")
    shutil.copytree(searched, folder, dirs_exist_ok=True)
    done = called(folder, "select", "run", *COSTS, "--json")
    assert done.returncode == 0, done.stderr
    return folder / "run" / "evidence", json.loads(done.stdout)["rules"]


def test_from_costs_to_predictions(moselect, tmp_path, data, fitted, run):
    done = moselect("select", "run", *COSTS, *LINEAR, "-o", "m.json")
    assert done.returncode == 0, done.stderr
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    model = read_model(tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    matrix = document["card"]["cost_matrix"]
    assert matrix == [[0, 1, 2], [1, 0, 1], [10, 5, 0]]
    assert not {"cost_matrix", "data"} & document["about"].keys()  # it stands there once

    selected = fitted.select([1, 1, 5], kind="linear")
    evidence = selected.evidence
    np.testing.assert_array_equal(model.coef_, selected.coef_)
    np.testing.assert_array_equal(model.thresholds_, selected.thresholds_)
    for rule in ("linear", "best member", "proportional odds", "always one class"):
        pattern = rf"^{rule} +(\S+) ± (\S+) +(?:(\d+) % more .*%\))? +(\d+) +\S+$"
        shown = re.search(pattern, done.stdout, re.MULTILINE)
        cost, error, behind, terms = map(float, shown.groups("0"))
        found = evidence.rules.loc[rule]
        assert cost == pytest.approx(
            found["new data"], abs=0.051 * found["standard error"]
        )
        assert error == pytest.approx(found["standard error"], rel=0.06)
        best = evidence.rules["new data"].min()
        assert behind == pytest.approx(100 * (found["new data"] / best - 1), abs=0.51)
        assert terms == found["terms"]
    told = " ".join(done.stdout.split())
    assert len(done.stdout.splitlines()) <= 24
    truth = pd.Categorical(data.y, categories=NAMES, ordered=True)
    predicted = evidence.predicted["linear"]
    assert evidence.rules["new data"]["linear"] == pytest.approx(
        expected_cost(truth, predicted, matrix)
    )
    figure, error = re.search(
        r"Linear: \S+ a row \((\S+) ± (\S+) with the", told
    ).groups()
    for name, shown in (
        ("expected_cost", float(figure)),
        ("standard_error", float(error)),
    ):
        assert document["about"][name] == pytest.approx(
            shown, abs=0.051 * evidence.expected_se
        )
    assert document["about"]["expected_cost"] == evidence.expected
    counts = pd.crosstab(np.asarray(truth), np.asarray(predicted)).reindex(
        index=NAMES, columns=NAMES, fill_value=0
    )
    for label, row in counts.iterrows():
        (shown,) = re.findall(
            rf"^{label} +(\d+) +(\d+) +(\d+)$", done.stdout, re.MULTILINE
        )
        assert [*map(int, shown)] == row.tolist()
    low, high = model.thresholds_
    assert f"mid: above {low:.6g}, up to {high:.6g}" in told

    assert moselect("predict", "m.json", "t.csv", "-o", "p.csv").returncode == 0
    found = pd.read_csv(tmp_path / "p.csv")["class"]
    assert found.tolist() == model.predict(data.X).tolist()


@pytest.mark.slow
def test_of_all_kinds_the_one_that_is_best_on_new_data_is_written(
    inside, tmp_path, data, run, decided
):
    shutil.copytree(decided[0], run / "evidence")
    limit = ("--limit", "high<mid:0.5")
    done = inside("select", "run", *COSTS, *limit, "-o", "m.skops", "--json")
    found = json.loads(done.stdout)
    kinds = {"points", "linear", "curves", "pool"}
    # which may be too far off to be fitted
    assert kinds - {"linear"} <= set(found["rules"])
    assert found["kind"] in kinds
    assert found["rules"]["pool"]["terms"] is None  # it has none
    assert done.returncode == (0 if "not met" not in found["limits"][0] else 3)
    (written,) = list(tmp_path.glob("m.*"))
    assert written.name == found["model"]
    if found["kind"] == "pool":
        assert read_model(written).predict(data.X).shape == (60,)


@pytest.mark.slow
def test_a_known_model_is_a_kind_is_kept_and_predicts(inside, tmp_path, run):
    models = (
        "--class-costs",
        "1,1,5",
        "--models",
        "multinomial",
        "--kind",
        "multinomial",
    )
    done = inside("select", run, *models, "-o", "model.skops", "--json")
    assert done.returncode == 0, done.stderr
    first = json.loads(done.stdout)
    assert first["kind"] == "multinomial"
    kept = (tmp_path / run / "evidence" / "multinomial.npz").stat().st_mtime_ns
    done = inside("select", run, *models, "-o", "model.skops", "--json", "--force")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rules"] == first["rules"]
    assert (tmp_path / run / "evidence" / "multinomial.npz").stat().st_mtime_ns == kept
    done = inside("predict", "model.skops", "t.csv", "--proba", "-o", "p.csv")
    assert done.returncode == 0, done.stderr
    predicted = pd.read_csv(tmp_path / "p.csv")
    model = read_model(tmp_path / "model.skops")
    table = pd.read_csv(tmp_path / "t.csv")
    assert predicted["class"].tolist() == model.predict(table).tolist()
    done = inside("predict", "model.skops", "t.csv", "--explain", "-o", "explained.csv")
    assert done.returncode == 0, done.stderr
    explained = pd.read_csv(tmp_path / "explained.csv")
    parts = explained.filter(like="part of ").sum(axis=1)
    np.testing.assert_allclose(parts, explained["score"], atol=1e-9)


@pytest.mark.slow
def test_an_interrupted_selection_keeps_the_kinds_that_are_fitted(
    inside, tmp_path, run, decided
):
    kept = run / "evidence" / "curves.npz"  # the pool comes next
    interrupting = children.once_there("run/evidence/curves.npz", signal.SIGINT)
    ended = children.run(tmp_path, "select", "run", *COSTS, prepare=interrupting)
    assert ended.returncode == 130, ended
    assert ended.stderr == "moselect: interrupted\n"
    assert not (tmp_path / "model.skops").exists()
    assert not (run / "evidence" / "pool.npz").exists()
    before = kept.stat().st_mtime_ns
    done = inside("select", "run", *COSTS, "--json")
    assert done.returncode == 0, done.stderr
    assert kept.stat().st_mtime_ns == before  # it was taken as it was
    rules = json.loads(done.stdout)["rules"]
    for name, row in decided[1].items():
        assert row | {"seconds": 0} == rules[name] | {"seconds": 0}


@pytest.mark.parametrize(("share", "code"), [(0.9, 0), (0.05, 3)])
def test_limits_that_are_not_met_are_told_by_the_exit_code(inside, run, share, code):
    limits = [word for name in NAMES for word in ("--limit", f"called {name}:{share}")]
    done = inside("select", "run", *COSTS, *LINEAR, *limits)
    assert done.returncode == code
    shown = re.findall(r"^Limit called \w+: (met|not met), ", done.stdout, re.MULTILINE)
    assert len(shown) == 3
    assert ("not met" in shown) == (code == 3)
    pattern = r"^The limits cost (nothing|\d+ % more) "
    pattern += r"\((\S+) instead of \S+ per row on new data\)\.$"
    price = re.search(pattern, done.stdout, re.MULTILINE)
    assert re.search(rf"^linear +{price[2]} ", done.stdout, re.MULTILINE)
    assert (price[1] == "nothing") == (code == 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--priors", "0.2,0.3,0.5"),
            "--priors needs costs: --class-costs or --cost-matrix",
        ),
        (("--class-costs", "1,1"), "2 numbers, but there are 3 classes: low, mid, high"),
        (("--class-costs", "1,x,1"), "--class-costs': 1,x,1: give numbers"),
        (("--cost-matrix", "none.csv"), "cannot read the costs 'none.csv'"),
        (("--cost-matrix", "t.csv"), "'t.csv' is no cost matrix"),
        (
            ("--cost-matrix", "two.csv"),
            "it has 2 rows of 2 numbers, but there are 3 classes",
        ),
        (
            ("--prefer", "vus=1", "--class-costs", "1,1,1"),
            "one of --class-costs and --prefer",
        ),
        (("--balanced", "--model", 1), "give one of --model and --balanced"),
        (
            ("--prefer", "speed=1"),
            "'speed' was not searched: choose from accuracy, one_minus",
        ),
        (
            ("--prefer", "vus=x"),
            "--prefer': vus=x: give names and weights, such as vus=2",
        ),
        (("--prefer", "vus=1,vus=2"), "--prefer': names vus twice"),
        (("--model", 100_000), r"--model 100000: the models of the front are 0 to \d+"),
        (("--best", "speed"), "unknown objective 'speed': choose from accuracy"),
        (
            ("--cost-matrix", "two.csv", "--loss", "squared"),
            "--loss says how --class-costs grow",
        ),
        (
            (*COSTS, "--kind", "pool"),
            "'m.json': pool is a .skops file: .*--kind linear",
        ),
        (
            (*COSTS, "--kind", "pool", "--export", "m.sql"),
            "pool can be exported to .onnx only",
        ),
        ((*COSTS, "--dialect", "tsql"), "--dialect goes with --export FILE.sql"),
        (
            (*COSTS, "--export", "m.sql", "--dialect", "oracle"),
            "'oracle': choose from bigquery, ",
        ),
        (
            ("--balanced", "--kind", "linear"),
            "--kind, --models and --limit go with --class-costs",
        ),
        (("--class-costs", "1,1,1", "--limit", "low<high"), "--limit': low<high: write"),
        (
            ("--class-costs", "1,1,1", "-o", "folder/m.json"),
            "there is no folder 'folder'",
        ),
    ],
)
def test_mistakes_are_told_in_one_line(inside, tmp_path, run, arguments, message):
    (tmp_path / "two.csv").write_text("0,1\n1,0\n")
    kind = () if {"--model", "--best", "--balanced", "--kind"} & {*arguments} else LINEAR
    done = inside("select", "run", "-o", "m.json", *arguments, *kind)
    assert done.returncode == 2
    assert re.search(message, done.stderr.splitlines()[-1]), done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "m.json").exists()


@pytest.mark.slow
def test_the_ending_of_a_file_is_a_wish_for_a_kind_that_it_holds(inside, tmp_path, run):
    done = inside("select", "run", *COSTS, "-o", "m.json", "--export", "m.sql")
    assert done.returncode == 0, done.stderr
    model = read_model(tmp_path / "m.json")
    assert (tmp_path / "m.sql").exists()
    best = inside("select", "run", *COSTS, "--json", "-o", "any.skops")
    rules = json.loads(best.stdout)["rules"]
    if best.stdout and json.loads(best.stdout)["kind"] == "pool":
        sums = [name for name in rules if name in ("points", "linear", "curves")]
        assert f"'m.sql' holds no pool: taken is {sums[0]}" in done.stderr
    assert hasattr(model, "thresholds_")
    pool = inside(
        "select", "run", *COSTS, "--kind", "pool", "-o", "p.skops", "--export", "p.onnx"
    )
    assert pool.returncode == 0, pool.stderr
    assert (tmp_path / "p.onnx").read_bytes() == onnx_of(read_model(tmp_path / "p.skops"))


@pytest.mark.slow
def test_data_that_changed_or_moved(inside, tmp_path, run):
    select = ("select", "run", "--class-costs", "1,1,1", *LINEAR)
    text = (tmp_path / "t.csv").read_text()
    (tmp_path / "t.csv").rename(tmp_path / "moved.csv")
    gone = inside(*select)
    assert gone.returncode == 2
    assert "'t.csv'" in gone.stderr
    assert "if the data have moved, say where: --data" in gone.stderr
    assert inside(*select, "--data", "moved.csv").returncode == 0
    (tmp_path / "moved.csv").write_text(text.replace("mid", "high", 1))
    changed = inside(*select, "--data", "moved.csv", "--force")
    assert changed.returncode == 2
    assert "has changed" in changed.stderr


@pytest.mark.slow
@pytest.mark.parametrize("preferences", [None, {"vus": 2, "accuracy": 1}])
def test_a_preference_from_a_run_folder_is_that_of_one_process(
    inside, tmp_path, run, fitted, preferences
):
    given = ",".join(f"{name}={weight}" for name, weight in (preferences or {}).items())
    options = ("--prefer", given) if preferences else ()
    found = json.loads(inside("select", "run", *options, *LINEAR, "--json").stdout)
    selected = fitted.select(preferences=preferences, kind="linear")
    model = read_model(tmp_path / "model.json")
    np.testing.assert_array_equal(model.coef_, selected.coef_)
    np.testing.assert_array_equal(model.thresholds_, selected.thresholds_)
    document = json.loads((tmp_path / "model.json").read_text())
    weights = dict(selected.evidence.preferences)
    assert document["card"]["preferences"] == found["preferences"] == weights
    expected = selected.evidence.expected
    assert document["about"]["expected_utility"] == expected
    assert found["cost_matrix"] is None
    assert found["compared_by"] == "utility"
    rules = found["rules"]
    assert rules["always one class"]["new data"] == pytest.approx(0.0, abs=1e-9)
    for rival, difference in found["differences"].items():
        gain = rules["linear"]["new data"] - rules[rival]["new data"]
        assert difference["estimate"] == pytest.approx(gain)
        assert difference["low"] <= gain <= difference["high"]


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
    shown = re.findall(r"^accuracy +\S+ +(\S+) ± \S+ +(\S+)$", done.stdout, re.MULTILINE)
    figures = [table["accuracy"][index] for table in (front.expected, front.objectives)]
    assert [float(cell) for cell in shown[0]] == pytest.approx(figures, abs=6e-4)
    found = json.loads(
        inside("select", "run", option, *value, "--json", "--force").stdout
    )
    assert found["member"] == index
    for name, table in (("on new data", front.expected), ("training", front.objectives)):
        for objective, value in table.iloc[index].items():
            assert found["figures"][objective][name] == value
