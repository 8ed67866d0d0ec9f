import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.io import read_run
from tests.cli.conftest import QUICK, draw, parse_json, read_json


def test_search_writes_a_complete_run_folder(run_command):
    done = run_command(f"search boston --seed 3 --out run {QUICK}")
    names = sorted(path.name for path in Path("run").iterdir())
    assert [re.sub(r"-\w+\.npz", "", name) for name in names] == [
        *("arrays", "columns.csv", "figures", "front.csv", "run.json", "table")
    ]
    columns = Path("run/columns.csv").read_text()
    assert columns.startswith("column,read as,option\nCRIM,num")
    assert Path("run/figures/fronts.png").read_bytes().startswith(b"\x89PNG")
    assert (
        "506 rows · 1: 217 < 2: 144 < 3: 73 < 4: 36 < 5: 36 · 13 columns" in done.stderr
    )
    assert "moselect select run --class-costs 1,2,3,4,5" in done.stdout
    shown = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    assert max(map(len, shown)) <= 80
    assert len(shown) <= 24
    record = read_json("run/run.json")
    assert record["settings"]["random_state"] == 3
    assert record["n_evaluations"] == 120
    assert not record["interrupted"]


def test_no_name_is_a_formula_in_the_table_of_columns(run_command, table):
    table.rename(columns={"height": "=1+1"}).to_csv("t.csv", index=False)
    run_command(f"search t.csv --target grade --out run {QUICK}")
    written = Path("run/columns.csv").read_text()
    assert "\n'=1+1,numbers,search --categorical =1+1\n" in written


def test_the_document_of_a_search(run_command):
    options = f"--seed 3 --holdout 0.3 --objectives accuracy,vus {QUICK}"
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
def test_a_member_of_a_search_on_model_scores_predicts(run_command, rng):
    table = draw(120, 0).assign(town=rng.choice(["Bonn", "Ghent"], 120))
    table.to_csv("table.csv", index=False)
    columns = "--target grade --columns models"
    run_command(f"search table.csv {columns} --seed 1 {QUICK} --out run")
    names = {path.name.partition("-")[0] for path in Path("run").glob("*.npz")}
    assert names == {"arrays", "table"}
    run_command("take run --balanced -o model.npz")
    run_command("predict model.npz table.csv -o p.csv")
    front = read_run(Path("run")).front
    expected = front[front.balanced()].predict(table[["a", "b", "town"]])
    assert pd.read_csv("p.csv")["class"].tolist() == expected.tolist()


@pytest.mark.slow
def test_the_seed_is_0_unless_it_is_given_or_drawn(run_command, table):
    table.to_csv("t.csv", index=False)
    for name, option in (("a", ""), ("b", "--seed 0"), ("c", "--seed random")):
        run_command(f"search t.csv --target grade {option} {QUICK} --out {name}")
    a, b, c = (
        read_json(f"{name}/run.json")["settings"]["random_state"] for name in "abc"
    )
    assert a == b == 0 != c
    assert Path("a/front.csv").read_bytes() == Path("b/front.csv").read_bytes()


def test_codes_of_missing_values_are_gaps(table, run_command):
    objectives = []
    for gap, option in ((999.0, "--missing height=999"), (np.nan, "")):
        height = table["height"].where(table.index % 9 > 0, gap)
        table.assign(height=height).to_csv("t.csv", index=False)
        options = f"--target grade --seed 3 {QUICK} {option}"
        run_command(f"search t.csv --out run --force {options}")
        objectives.append(read_run(Path("run")).front.objectives)
    # Folds are dealt by the values of rows, so cross-validated figures may differ.
    pd.testing.assert_frame_equal(*objectives)


def test_bins_of_given_shares(table, run_command):
    table.to_csv("t.csv", index=False)
    options = "--target weight --drop grade --binning 0.5,0.3,0.2"
    done = run_command(f"search t.csv {options} --out run {QUICK} --quiet")
    assert done.stderr == ""
    edges = read_json("run/run.json")["data"]["bin_edges"]
    places = np.digitize(table["weight"], edges, right=True)
    assert np.bincount(places).tolist() == [30, 18, 12]


def test_a_run_may_have_the_name_of_its_data(run_command):
    run_command(f"search boston {QUICK} --folds 0 --out boston")
    assert run_command("plot boston -o front.png").stdout == "front.png\n"
