import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from scipy.stats import t
from sklearn.ensemble import RandomForestClassifier

from moselect import compare
from moselect.report.headline import headline
from tests.cli.conftest import read_json, words_of
from tests.places import CLAIMS

QUICK = "--models always_one_class,multinomial,ordinal_ridge --folds 3"


@pytest.fixture
def file(table):
    table.to_csv("table.csv", index=False)
    return "table.csv"


def test_the_printed_table_matches_compare(run_command, file, table):
    run = run_command(f"compare {file} {QUICK} --seed 3 --class-costs 1,1,5")
    models = ["always_one_class", "multinomial", "ordinal_ridge"]
    stages = [f"fitting {name} ..." for name in models]
    assert run.stderr.splitlines() == [*stages, "comparing ..."]
    lines = run.stdout.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert len(lines) <= 24
    given = (table[["height", "weight"]], table["grade"])
    found = compare(models, *given, cv=3, random_state=3, costs=[1, 1, 5])
    assert " ".join(headline(found)) in words_of(run.stdout)
    rows = [line for line in lines if line.startswith(tuple(models))]
    for line, (name, row) in zip(rows, found.candidates.iterrows(), strict=True):
        assert line.startswith(name)
        cost, _, high = map(float, re.search(r" (\S+) \((\S+) to (\S+)\)", line).groups())
        half_width = row["std_error"] * t.ppf(0.975, len(found.chosen.cv_loss[1]) - 1)
        assert high - cost == pytest.approx(half_width, rel=0.051)
        assert cost == pytest.approx(row["cost"], abs=0.051 * row["std_error"])
        saved = found.differences.get(name)
        words = "selected" if saved is None else f" {100 * saved.estimate:z.0f} % ("
        assert words in line
    assert "No probabilities, so that decisions ignore the costs: ordinal_ridge." in lines
    assert lines[-2].endswith(f"U ovo: {', '.join(found.fold_measures().front())}.")


def test_an_interrupted_comparison_keeps_the_models_that_are_fitted(
    run_command, file, monkeypatch
):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(RandomForestClassifier, "fit", interrupted)
    models = "--models always_one_class,multinomial,random_forest --folds 3"
    done = run_command(f"compare {file} {models} --out c.json", code=130)
    assert "Interrupted." in done.stderr
    assert [*read_json("c.json")["candidates"]] == ["multinomial", "always_one_class"]


def test_the_result_is_written_as_it_is_printed(run_command, file):
    Path("models.json").write_text("replaced")
    line = f"compare {file} {QUICK} --out models.json --force --json --seed 2"
    printed = run_command(line).stdout
    assert Path("models.json").read_text() == printed
    document = json.loads(printed)
    assert document["model"] in document["candidates"]
    assert document["measures"].keys() >= {"vus", "accuracy"}
    assert document["random_state"] == 2


@pytest.mark.skipif(find_spec("catboost") is not None, reason="catboost is installed")
def test_a_library_that_is_not_installed_is_named(run_command, file):
    done = run_command(f"compare {file} --models catboost", code=65)
    assert "catboost is not installed: pip install catboost" in done.stderr


def test_a_comparison_offers_no_limit_which_it_cannot_take(run_command):
    options = "--target severity --models proportional_odds,multinomial"
    done = run_command(f"compare {CLAIMS} {options} --class-costs 1,2,5,10")
    assert "Finds " in done.stdout
    assert "limit" not in done.stdout
