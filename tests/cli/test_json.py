"""Results for scripts: standard output is one JSON document, whatever is said besides."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from moselect.io import read_run
from tests.cli.conftest import document

QUICK = "--evaluations 120 --particles 40 --objectives accuracy,vus"


def test_search(inside):
    done = inside(f"search boston --seed 3 --out run --holdout 0.3 --json {QUICK}")
    found = document(done)
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
    again = inside("search --resume run --json")
    assert document(again) == found
    assert "is complete" in again.stderr
