"""Monotone constraints, from the search to the model files."""

import json
from pathlib import Path

import pytest


@pytest.mark.slow
def test_monotone_constraints_are_saved_with_the_model(run_command):
    run_command(
        "search boston --monotone RM:+,LSTAT:- --evaluations 500 --seed 1 --out run"
    )
    shown = run_command(
        "select run --class-costs 1,1,1,5,5 --model additive -o model.json"
    ).stdout
    assert "Monotonic effects cost" in " ".join(shown.split())
    assert "never falls with RM and never rises with LSTAT" in " ".join(shown.split())
    document = json.loads(Path("model.json").read_text())
    assert document["monotone"] == {"RM": 1, "LSTAT": -1}
    run_command("select run --balanced -o member.json --force")
    assert json.loads(Path("member.json").read_text())["monotone"]
