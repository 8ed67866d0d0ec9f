from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from moselect import Costs, CostSensitiveOrdinalClassifier, compare
from moselect.cli.completion import KNOWN_MODELS as OFFERED
from moselect.cli.completion import known_models as offer
from moselect.comparison import KNOWN_MODELS
from moselect.storage import hold_file, read_comparison, read_model, read_pool

SCRIPT = Path(sys.executable).with_name("moselect")
QUICK = ("--models", "trivial,multinomial,ordinal_ridge", "--folds", 3, "--repeats", 1)
FAST = ("--folds", 2, "--repeats", 1, "--seed", 3)


@pytest.fixture
def file(tmp_path, table):
    table.to_csv(tmp_path / "table.csv", index=False)
    return "table.csv"


def test_what_is_printed_is_what_compare_finds(inside, file, table):
    costs = ("--class-costs", "1,1,5", "--loss", "squared")
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
    assert [line.split()[:-1] for line in lines[1:4]] == printed
    assert "seed 3" in run.stdout
    front = ", ".join(found.front())
    text = " ".join(run.stdout.split())
    assert f"Not dominated in accuracy, MAE, macro MAE, VUS, U ovo: {front}" in text
    start = next(i for i, line in enumerate(lines) if line.startswith("p, against best"))
    tests = {line.split()[0]: line.split()[1:] for line in lines[start + 1 : start + 4]}
    for j, measure in enumerate(found.measures):
        adjusted = found.test(measure)["p adjusted"]
        for name, row in tests.items():
            p = adjusted.get(name)
            assert row[j] == ("best" if p is None else f"{p:.3f}" if p >= 0.001 else "<0.001")
    expected = found.costs(Costs([1, 1, 5], "squared"))
    assert f"{found.cost_verdict(Costs([1, 1, 5], 'squared'))}." in text
    for name, cost in expected["cost"].items():
        assert re.search(rf"^{name} +{cost:.4f} ", run.stdout, re.MULTILINE)


def test_json_is_one_document(inside, file):
    run = inside("compare", file, *QUICK, "--seed", 3, "--json", "--measures", "accuracy,vus")
    record = json.loads(run.stdout)
    assert list(record["models"]) == ["trivial", "multinomial", "ordinal_ridge"]
    assert record["models"]["trivial"]["measures"].keys() == {"accuracy", "vus"}
    assert record["tests"].keys() == {"accuracy", "vus"}
    assert record["costs"] is None
    assert (record["n_folds"], record["n_samples"], record["random_state"]) == (3, 60, 3)


def test_the_winner_for_costs_is_handed_over(inside, file, tmp_path, table):
    (tmp_path / "costs.csv").write_text("0,1,2\n1,0,1\n9,5,0\n")
    options = ("--models", "cost_sensitive,trivial", "--folds", 2, "--repeats", 1, "--seed", 3)
    costs = ("--cost-matrix", "costs.csv", "--priors", "0.3,0.3,0.4")
    run = inside("compare", file, *options, *costs, "--save-best", "best.json", "--json")
    assert run.returncode == 0, run.stderr
    record = json.loads(run.stdout)
    assert record["written"] == ["best.json"]
    assert record["verdict"].startswith("cost_sensitive costs least")
    matrix = [[0, 1, 2], [1, 0, 1], [9, 5, 0]]
    alone = CostSensitiveOrdinalClassifier(cost_matrix=matrix, priors=[0.3, 0.3, 0.4])
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
    pool = read_pool(tmp_path / "best.skops").pool
    assert pool.predict(table[["height", "weight"]]).shape == (60,)


def test_a_model_that_is_neither_a_rule_nor_a_pool_is_not_handed_over(inside, file, tmp_path):
    run = inside("compare", file, "--models", "trivial", *FAST, "--save-best", "other.json")
    assert run.returncode == 0
    assert "Not saved: trivial is neither a linear rule nor a pool" in run.stderr
    assert not (tmp_path / "other.json").exists()


def test_a_table_with_text_and_gaps_is_compared(inside, tmp_path, table):
    raw = table.assign(town=["Gent", "Lier", "Mol"] * 20)[["height", "weight", "town", "grade"]]
    raw.loc[::7, "weight"] = None
    raw.to_csv(tmp_path / "raw.csv", index=False)
    run = inside("compare", "raw.csv", *QUICK, "--seed", 3, "--json")
    assert run.returncode == 0, run.stderr
    models = json.loads(run.stdout)["models"]
    assert all(model["failure"] is None for model in models.values())
    assert models["multinomial"]["measures"]["vus"]["mean"] > 0.4
    refused = inside("compare", "raw.csv", *QUICK, "--no-prepare")
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1


def test_a_comparison_is_kept_and_extended(inside, file, tmp_path):
    out = tmp_path / "models.npz"
    first = inside("compare", file, *QUICK, "--out", out.name, "--seed", 1)
    assert first.returncode == 0
    assert first.stderr.splitlines() == [
        "Written: models.npz",
        "Written: models.png",
        "Written: models-complexity.png",
    ]
    for picture in ("models.png", "models-complexity.png"):
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    old = read_comparison(out)

    again = inside("compare", file, *QUICK, "--out", out.name)
    assert again.returncode == 2
    assert "'models.npz' exists already: add to it (--extend)" in again.stderr

    models = ("--models", "multinomial,proportional_odds")
    more = inside("compare", file, *models, "--out", out.name, "--extend", "--quiet")
    assert more.returncode == 0
    assert more.stderr == ""
    new = read_comparison(out)
    assert list(new.results) == [*old.results, "proportional_odds"]
    for name in old.results:
        before, now = old.results[name].held_out, new.results[name].held_out
        assert [fold.fit_seconds for fold in before] == [fold.fit_seconds for fold in now]

    for changes, message in (
        (("--folds", 4), "has other folds"),
        (("--seed", 2), "random_state=1, not 2"),
        (("--target", "weight", "--bins", 3), "other data"),
    ):
        other = inside("compare", file, *models, "--out", out.name, "--extend", *changes)
        assert other.returncode == 2
        assert len(other.stderr.splitlines()) == 1
        assert message in other.stderr
    assert read_comparison(out).table.equals(new.table)


def test_a_model_that_fails_is_told_below_the_table(inside, tmp_path, table):
    rare = table.assign(grade=[1] * 2 + [2] * 30 + [3] * 28)  # cost_thresholds has folds of its own
    rare.to_csv(tmp_path / "rare.csv", index=False)
    models = ("--models", "trivial,cost_thresholds")
    run = inside("compare", "rare.csv", *models, "--folds", 2, "--repeats", 1, "--seed", 0)
    assert run.returncode == 0
    assert "cost_thresholds failed: ValueError: " in run.stdout
    assert run.stdout.splitlines()[2].split() == ["cost_thresholds", *["n/a"] * 6]


def test_names_are_listed(inside):
    run = inside("compare", "--list-models")
    assert run.returncode == 0
    assert [line.split()[0] for line in run.stdout.splitlines()] == list(KNOWN_MODELS)


def test_names_are_completed():
    assert set(OFFERED) == set(KNOWN_MODELS)
    assert "trivial,nnop" in offer("trivial,")
    assert "trivial,trivial" not in offer("trivial,")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--models", "boosting"), "unknown model 'boosting': choose from trivial, multinomial"),
        (("--measures", "auc"), "unknown measure 'auc'"),
        (("--folds", 1), "1 folds, 2 repeats: at least 2 and 1 are needed"),
        (("--folds", 50), "50 folds are too many"),
        (("--repeats", 0), "5 folds, 0 repeats"),
        (("--seed", -1), "random_state is -1"),
        (("--class-costs", "1,2"), "3 classes"),
        (("--class-costs", "1,x,2"), "--class-costs 1,x,2: give numbers"),
        (("--priors", "0.3,0.3,0.4"), "--priors needs costs"),
        (("--class-costs", "1,1,1", "--cost-matrix", "x.csv"), "give one of --class-costs and"),
        (("--cost-matrix", "no.csv"), "cannot read the costs 'no.csv'"),
        (("--save-best", "no/model.json"), "there is no folder"),
        (("--extend",), "--extend needs the file to extend: --out FILE"),
        (("--out", "no/models.npz"), "there is no folder"),
        (("--out", "table.csv", "--extend"), "'table.csv' is not a comparison"),
        (("--target", "no"), "no"),
    ],
)
def test_wrong_options_are_told_in_one_line(inside, file, options, message):
    run = inside("compare", file, *options)
    assert run.returncode == 2
    assert run.stdout == ""
    assert len(run.stderr.splitlines()) == 1
    assert message in run.stderr


def test_data_are_needed(inside):
    run = inside("compare")
    assert run.returncode == 2
    assert "say what to compare on" in run.stderr


def test_a_narrow_terminal(inside, file, monkeypatch):
    monkeypatch.setenv("COLUMNS", "52")
    run = inside("compare", file, *QUICK, "--seed", 3)
    assert run.returncode == 0
    assert all(len(line) <= 52 for line in run.stdout.splitlines())
    assert run.stdout.count("fit s") == 3  # two measures at a time


def run_with(tmp_path, *arguments, **options):
    return subprocess.run(
        [SCRIPT, "compare", *map(str, arguments)],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        check=False,
        **options,
    )


def fill_disk():
    """Let no file of this process grow beyond what a lock needs."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))


@pytest.mark.slow
def test_on_a_full_disk_the_comparison_is_printed(tmp_path, file):
    run = run_with(tmp_path, file, *QUICK, "--out", "c.npz", preexec_fn=fill_disk)
    assert run.returncode == 2
    assert b"Not dominated in accuracy" in run.stdout
    assert b"File too large" in run.stderr
    assert b"Traceback" not in run.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.csv"]


@pytest.mark.slow
def test_a_terminal_that_lacks_a_character_shows_its_number(tmp_path, table):
    names = {1: "niedrig", 2: "mäßig", 3: "hoch"}
    table.assign(grade=table["grade"].map(names)).to_csv(tmp_path / "t.csv", index=False)
    order = ("--target", "grade", "--order", "niedrig,mäßig,hoch")
    known = os.environ | {"PYTHONIOENCODING": "ascii"}
    run = run_with(tmp_path, "t.csv", *order, *QUICK, "--out", "c.npz", env=known)
    assert run.returncode == 0, run.stderr
    assert b"Not dominated in accuracy" in run.stdout
    assert read_comparison(tmp_path / "c.npz").classes.tolist() == ["niedrig", "mäßig", "hoch"]


@pytest.mark.slow
def test_a_comparison_that_is_told_to_end_keeps_what_is_finished(tmp_path):
    terminal, end = pty.openpty()
    models = ("--models", "trivial,gaussian_process", "--folds", "2", "--repeats", "4")
    with subprocess.Popen(
        [SCRIPT, "compare", "boston", *models, "--out", "c.npz"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=end,
        env=os.environ | {"TERM": "xterm"},
    ) as process:
        os.close(end)
        shown = b""
        while not re.search(rb"(8|9) of 16 fits", shown):
            shown += os.read(terminal, 2**16)
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(terminal, 2**16):
                shown += part
        printed = process.stdout.read()
    os.close(terminal)
    assert process.returncode == 0, shown
    assert b"go on with the same command and --extend" in shown
    assert b"trivial" in printed
    assert list(read_comparison(tmp_path / "c.npz").results) == ["trivial"]


@pytest.mark.slow
def test_a_comparison_is_extended_by_one_command_at_a_time(inside, file, tmp_path):
    out = tmp_path / "c.npz"
    for extend in ((), ("--extend",)):
        with hold_file(out):
            run = inside("compare", file, *QUICK, "--out", "c.npz", *extend)
        assert run.returncode == 2
        assert f"is in use by process {os.getpid()} on" in run.stderr
        assert inside("compare", file, *QUICK, "--out", "c.npz", *extend).returncode == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "c-complexity.png",
        "c.npz",
        "c.png",
        "table.csv",
    ]


@pytest.mark.parametrize("name", ["c.png", "c.PNG"])
def test_the_picture_does_not_replace_the_comparison(inside, file, tmp_path, name):
    run = inside("compare", file, *QUICK, "--out", name)
    assert run.returncode == 0
    assert len(read_comparison(tmp_path / name).results) == 3
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_picture_does_not_replace_one_of_the_user(inside, file, tmp_path):
    picture = tmp_path / "r.png"
    picture.write_bytes(b"from my holidays")
    run = inside("compare", file, *QUICK, "--out", "r.npz")
    assert run.returncode == 2
    assert "'r.png' exists already and is no picture of a comparison" in run.stderr
    assert picture.read_bytes() == b"from my holidays"
    assert not (tmp_path / "r.npz").exists()
    picture.unlink()
    for extend in ((), ("--extend",)):  # our own is drawn anew
        assert inside("compare", file, *QUICK, "--out", "r.npz", *extend).returncode == 0


def test_when_every_model_fails_nothing_is_kept(inside, file, tmp_path):
    hopeless = ("--models", "ordinal_ridge", "--max-seconds", "1e-9", "--out", "c.npz")
    run = inside("compare", file, *hopeless, *FAST)
    assert run.returncode == 2
    assert "ordinal_ridge failed: it was not fitted after" in " ".join(run.stdout.split())
    assert run.stderr.startswith("moselect: error: every model failed")
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
