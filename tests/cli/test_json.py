"""Results for scripts: standard output is one JSON document, with messages on stderr."""

from pathlib import Path

import pandas as pd

from moselect.io import read_run
from tests.cli.conftest import parse_json

QUICK = "--evaluations 120 --particles 40 --objectives accuracy,vus"


def test_the_document_of_a_search(run_command):
    done = run_command(f"search boston --seed 3 --out run --holdout 0.3 --json {QUICK}")
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
