import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, mean_absolute_error

from moselect.datasets import load_boston
from moselect.io import read_run
from moselect.metrics import ranking_scores
from tests.cli.conftest import QUICK as WITH_FOLDS
from tests.cli.conftest import parse_json

QUICK = f"{WITH_FOLDS} --folds 0"


def test_search_writes_a_complete_run_folder(run_command):
    done = run_command(f"search boston --seed 3 --out run {WITH_FOLDS}")
    written = ["arrays.npz", "columns.csv", "figures", "front.csv", "run.json"]
    names = [re.sub(r"arrays-\w{12}", "arrays", p.name) for p in Path("run").iterdir()]
    assert sorted(names) == written
    assert (
        Path("run/columns.csv").read_text().startswith("column,read as,option\nCRIM,num")
    )
    assert Path("run/figures/fronts.png").read_bytes().startswith(b"\x89PNG")
    assert (
        "506 rows · 1: 217 < 2: 144 < 3: 73 < 4: 36 < 5: 36 · 13 columns" in done.stderr
    )
    assert "moselect select run --class-costs 1,2,3,4,5" in done.stdout
    shown = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    assert max(map(len, shown)) <= 80
    assert len(shown) <= 24
    record = json.loads(Path("run/run.json").read_text())
    assert record["settings"]["random_state"] == 3
    assert record["n_evaluations"] == 120
    assert not record["interrupted"]


def test_the_document_of_a_search(run_command):
    options = f"--seed 3 --holdout 0.3 --objectives accuracy,vus {WITH_FOLDS}"
    done = run_command(f"search boston --out run --json {options}")
    found = parse_json(done)
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
    again = run_command("search --resume run --json")
    assert parse_json(again) == found
    assert "is complete" in again.stderr


@pytest.mark.slow
def test_every_row_of_the_front_can_be_recomputed_from_the_table(run_command):
    run_command(f"search boston --seed 3 --out run {QUICK}")
    front = pd.read_csv("run/front.csv")
    X, y = load_boston()
    weights = front[[f"w:{name}" for name in X.columns]].to_numpy()
    thresholds = front[[f"b:{k}" for k in range(1, 5)]].to_numpy()
    assert len(front) > 10
    for i in range(len(front)):
        score = X.to_numpy() @ weights[i]
        predicted = 1 + (score[:, None] > thresholds[i]).sum(axis=1)
        assert front["accuracy"][i] == accuracy_score(y, predicted)
        assert front["one_minus_mae"][i] == 1.0 - mean_absolute_error(y, predicted)
        measured = front.loc[i, ["vus", "u_cons", "u_ovo", "u_pairs"]].to_numpy(float)
        assert measured == pytest.approx(ranking_scores(y, score), abs=1e-12)


@pytest.mark.slow
def test_a_search_on_model_scores_selects_and_predicts(run_command):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"a": rng.normal(size=120), "town": rng.choice(["Bonn", "Ghent"], 120)}
    )
    score = table["a"] + (table["town"] == "Bonn") + 0.5 * rng.normal(size=120)
    table["grade"] = np.digitize(score, [0.0, 1.0])
    table.to_csv("table.csv", index=False)
    columns = "--target grade --columns models"
    search = f"search table.csv {columns} --seed 1 {WITH_FOLDS} --folds 2"
    run_command(f"{search} --out run")
    assert [p.name[:7] for p in Path("run").glob("*.npz")] == ["arrays-"]
    select = "select run --class-costs 1,1,5 --model linear"
    refused = run_command(f"{select} -o model.json", code=2)
    assert "name the file 'model.npz'" in refused.stderr
    run_command(select)
    run_command("predict model.npz table.csv --explain --proba -o p.csv")
    found = pd.read_csv("p.csv")
    parts = found.filter(like="part of ")
    assert list(parts) == ["part of a", "part of town", "part of baseline"]
    np.testing.assert_allclose(parts.sum(axis=1), found["score"])
    np.testing.assert_allclose(found.filter(like="P(").sum(axis=1), 1.0)
    assert accuracy_score(table["grade"], found["class"]) > 0.5
