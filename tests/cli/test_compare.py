from __future__ import annotations

import json
import re

import pytest

from moselect import compare
from moselect.cli.completion import KNOWN_MODELS as OFFERED
from moselect.cli.completion import known_models as offer
from moselect.comparison import KNOWN_MODELS
from moselect.storage import read_comparison

QUICK = ("--models", "trivial,multinomial,ordinal_ridge", "--folds", 3, "--repeats", 1)


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
    expected = found.costs([1, 1, 5], "squared")
    assert f"Least cost of mistakes on objects held out: {expected.index[0]}" in run.stdout
    for name, cost in expected["cost"].items():
        assert re.search(rf"^{name} +{cost:.4f} ", run.stdout, re.MULTILINE)


def test_json_is_one_document(inside, file):
    run = inside("compare", file, *QUICK, "--seed", 3, "--json", "--measures", "accuracy,vus")
    record = json.loads(run.stdout)
    assert list(record["models"]) == ["trivial", "multinomial", "ordinal_ridge"]
    assert record["models"]["trivial"]["measures"].keys() == {"accuracy", "vus"}
    assert record["tests"].keys() == {"accuracy", "vus"}
    assert record["costs"] is None
    assert (record["n_folds"], record["n_objects"], record["random_state"]) == (3, 60, 3)


def test_a_comparison_is_kept_and_extended(inside, file, tmp_path):
    out = tmp_path / "models.npz"
    first = inside("compare", file, *QUICK, "--out", out.name, "--seed", 1)
    assert first.returncode == 0
    assert first.stderr.splitlines() == ["Written: models.npz", "Written: models.png"]
    assert (tmp_path / "models.png").read_bytes().startswith(b"\x89PNG")
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


def test_the_real_command_in_a_narrow_terminal(moselect, file):
    run = moselect("compare", file, *QUICK, "--seed", 3, COLUMNS="52")
    assert run.returncode == 0
    assert all(len(line) <= 52 for line in run.stdout.splitlines())
    assert run.stdout.count("fit s") == 3  # two measures at a time
