"""`moselect diff`: the printed figures are those of the library."""

import pytest

from moselect.io import read_model
from moselect.monitoring import model_differences
from tests.cli.conftest import words_of


def test_two_selections_of_a_run(run, run_command, run_json):
    run_command("select run --costs 1,1,5 --model linear -o old.json")
    run_command("select run --costs 1,1,9 --model linear -o new.json")
    found = model_differences(*(read_model(f"{name}.json") for name in ("old", "new")))
    printed = run_json("diff old.json new.json")
    for name, row in found.figures.iterrows():
        assert printed["figures"][name] == pytest.approx(row.to_dict())
    assert printed["same_rows"]
    text = words_of(run_command("diff old.json new.json").stdout)
    assert "18 9 0" in text
    assert "on the same rows: their differences vary less" in text
