"""A small size of the experiment, from data to table."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pandas as pd
import pytest

SCRIPT = Path(__file__).parents[2] / "experiments" / "heldout_costs" / "run.py"


@pytest.fixture(scope="module")
def script():
    pytest.importorskip("skordinal", reason="skordinal, the rival, is not installed")
    spec = importlib.util.spec_from_file_location("heldout_costs", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_it_runs_and_goes_on_where_it_stopped(script, tmp_path, monkeypatch, capsys):
    X, y = script.load("balance_scale")
    pd.DataFrame(X).assign(y=y).iloc[::3, ::-1].to_csv(
        tmp_path / "scale.csv", index=False
    )
    monkeypatch.setenv("MOSELECT_DATA", str(tmp_path))
    out = tmp_path / "results.csv"
    small = ["--sets", "scale", "--settings", "2", "--out", str(out)]
    script.main([*small, "--splits", "1"])
    first = pd.read_csv(out)
    assert len(first) == 2
    shown = script.main([*small, "--splits", "2"])
    both = pd.read_csv(out)
    pd.testing.assert_frame_equal(both[both["split"] == 0].reset_index(drop=True), first)
    assert (shown.loc["select", "mean"] < shown.loc["trivial", "mean"]).all()
    assert "scale" in capsys.readouterr().out
