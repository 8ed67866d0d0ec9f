from __future__ import annotations

import json
import re
import resource
import signal
import time

import pytest

from moselect import CostSensitiveOrdinalClassifier, compare
from moselect.comparison.costs import cost_verdict
from moselect.storage import read_comparison, read_model
from tests.cli.conftest import start

QUICK = ("--models", "trivial,multinomial,ordinal_ridge", "--folds", 3)
FAST = ("--folds", 2, "--seed", 3)


@pytest.fixture
def file(tmp_path, table):
    table.to_csv(tmp_path / "table.csv", index=False)
    return "table.csv"


def test_what_is_printed_is_what_compare_finds(inside, file, table):
    costs = ("--class-costs", "1,1,5")
    run = inside("compare", file, *QUICK, "--seed", 3, *costs)
    assert run.returncode == 0
    assert run.stderr == ""
    lines = run.stdout.splitlines()
    assert all(len(line) <= 80 for line in lines)
    found = compare(
        ["trivial", "multinomial", "ordinal_ridge"],
        table[["height", "weight"]],
        table["grade"],
        cv=3,
        random_state=3,
    )
    printed = [line.split()[:-1] for line in str(found).splitlines()[1:4]]  # but the seconds
    assert [line.split() for line in lines[1:4]] == printed
    assert "seed 3" in run.stdout
    front = ", ".join(found.front())
    text = " ".join(run.stdout.split())
    assert f"Not dominated in accuracy, MAE, macro MAE, VUS, U ovo: {front}" in text
    expected = found.costs([1, 1, 5])
    assert f"{cost_verdict(expected)}." in text
    for name, cost in expected["cost"].items():
        assert re.search(rf"^{name} +{cost:.4f} ", run.stdout, re.MULTILINE)


def test_the_winner_for_costs_is_handed_over(inside, file, tmp_path, table):
    (tmp_path / "costs.csv").write_text("0,1,2\n1,0,1\n9,5,0\n")
    options = ("--models", "cost_sensitive,trivial", "--folds", 2, "--seed", 3)
    costs = ("--cost-matrix", "costs.csv")
    run = inside("compare", file, *options, *costs, "--save-best", "best.json", "--json")
    assert run.returncode == 0, run.stderr
    record = json.loads(run.stdout)
    assert run.stderr == "Written: best.json\n"
    assert record["verdict"].startswith("cost_sensitive costs least")
    matrix = [[0, 1, 2], [1, 0, 1], [9, 5, 0]]
    alone = CostSensitiveOrdinalClassifier(cost_matrix=matrix)
    features = table[["height", "weight"]]
    alone.fit(features, table["grade"])
    saved = read_model(tmp_path / "best.json")
    assert saved.predict(features).tolist() == alone.predict(features).tolist()
    again = inside("compare", file, *options, *costs, "--save-best", "best.json")
    assert again.returncode == 2
    assert "'best.json' exists already" in again.stderr


@pytest.mark.slow
def test_a_pool_is_handed_over(inside, file, tmp_path, table):
    run = inside("compare", file, "--models", "pool", *FAST, "--save-best", "best.json")
    assert run.returncode == 0, run.stderr
    assert "Written: best.skops" in run.stderr
    pool = read_model(tmp_path / "best.skops")
    assert pool.predict(table[["height", "weight"]]).shape == (60,)


def test_a_model_that_is_neither_a_rule_nor_a_pool_is_not_handed_over(inside, file, tmp_path):
    run = inside("compare", file, "--models", "trivial", *FAST, "--save-best", "other.json")
    assert run.returncode == 0
    assert "Not saved: trivial is neither a linear rule nor a pool" in run.stderr
    assert not (tmp_path / "other.json").exists()


def test_a_model_that_fails_is_told_below_the_table(inside, tmp_path, table):
    rare = table.assign(grade=[1] * 2 + [2] * 30 + [3] * 28)  # cost_thresholds has folds of its own
    rare.to_csv(tmp_path / "rare.csv", index=False)
    models = ("--models", "trivial,cost_thresholds")
    run = inside("compare", "rare.csv", *models, "--folds", 2, "--seed", 0)
    assert run.returncode == 0
    assert "cost_thresholds failed: ValueError: " in run.stdout
    assert run.stdout.splitlines()[2].split() == ["cost_thresholds", *["n/a"] * 5]
    alone = ("--models", "cost_thresholds", "--folds", 2, "--seed", 0)
    run = inside("compare", "rare.csv", *alone)
    assert run.returncode == 2
    assert run.stderr.startswith("moselect: error: every model failed")


def fill_disk():
    """Let no file of this process grow beyond the heading of a comparison and one model."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (7_000, 7_000))


@pytest.mark.slow
def test_on_a_full_disk_the_comparison_is_printed_and_what_was_written_is_kept(tmp_path, file):
    line = ("compare", file, *map(str, QUICK), "--out", "c.jsonl")
    process = start(tmp_path, *line, preexec_fn=fill_disk)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "Not dominated in accuracy" in out
    assert "File too large" in err
    assert "Traceback" not in err
    assert list(read_comparison(tmp_path / "c.jsonl").results) == ["trivial"]


def test_pictures_are_beside_the_comparison(inside, file, tmp_path):
    run = inside("compare", file, *QUICK, "--out", "models.jsonl", "--seed", 1)
    assert run.returncode == 0
    for picture in ("models.png",):
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    assert len(read_comparison(tmp_path / "models.jsonl").results) == 3


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGHUP])
def test_each_model_is_kept_as_it_ends_and_no_process_stays_behind(tmp_path, end):
    models = ("--models", "trivial,gaussian_process", "--jobs", "2", "--out", "c.jsonl")
    with start(tmp_path, "compare", "boston", *models) as process:
        out = tmp_path / "c.jsonl"
        while not out.exists() or out.read_bytes().count(b"\n") < 2:
            time.sleep(0.1)
        time.sleep(2.0)  # the next model is being fitted
        process.send_signal(end)
        began = time.monotonic()
        process.stdout.read()  # until no process of it holds its output any more
        assert time.monotonic() - began < 5.0
    assert list(read_comparison(out).results) == ["trivial"]
