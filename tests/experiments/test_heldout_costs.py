"""A small size of the experiment, from data to table."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
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


def test_small_classes_are_merged_with_the_smaller_neighbour(script):
    y = np.repeat([1, 2, 3, 5, 6], [30, 4, 20, 12, 9])
    merged = script.merge_small(y)  # 4 join 20, then 9 join 12
    assert np.bincount(merged).tolist() == [30, 24, 21]
    assert (np.diff(merged) >= 0).all()


def test_settings_are_the_same_for_every_split_and_different_from_each_other(script):
    first, second = (script.draw_costs(4, k, 1) for k in (0, 1))
    np.testing.assert_array_equal(first, script.draw_costs(4, 0, 1))
    assert set(np.count_nonzero(first, axis=1)) == {3}
    assert second[0, 2] == pytest.approx(2 * second[0, 1])


def test_the_table_divides_sums_by_those_of_the_reference(script):
    rng = np.random.default_rng(0)
    keys = pd.MultiIndex.from_product([["a", "b"], range(4), range(3)])
    results = keys.to_frame(index=False, name=["set", "split", "setting"])
    for rule in script.RULES:
        results[rule] = rng.uniform(1.0, 2.0, len(results))
    results["select"] = 0.9 * results[script.REFERENCE]
    shown = script.table(results)
    np.testing.assert_allclose(
        shown.loc["select", ["a", "b", "mean", "worst", "by setting"]], 0.9
    )
    assert shown.loc["select", "+-"] == pytest.approx(0.0, abs=1e-12)
    sums = results[results["set"] == "a"][list(script.RULES)].sum()
    assert shown.loc["LAD", "a"] == pytest.approx(sums["LAD"] / sums[script.REFERENCE])
    assert shown.loc["LAD", "+-"] > 0.0
    ranks = results.groupby(["set", "setting"])[list(script.RULES)].mean().rank(axis=1)
    assert shown.loc["LAD", "rank"] == pytest.approx(ranks["LAD"].mean())
    solved = results[results["set"] == "a"].assign(set="solved", ensemble=1e-3)
    with_solved = script.table(pd.concat([results, solved]))
    assert with_solved.loc["ensemble", "solved"] < 0.01
    pd.testing.assert_frame_equal(
        with_solved.drop(columns=["solved", "worst"]), shown.drop(columns="worst")
    )


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
