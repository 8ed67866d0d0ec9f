"""``python -m experiments`` as a user runs it, and its committed pages."""

import ast
import importlib
import subprocess
import sys

import pandas as pd
import pytest

from experiments import catalogue, verdicts
from tests.places import ROOT

SOURCES = sorted((ROOT / "experiments").rglob("*.py"))
# Experiments that time or evaluate private parts.
PRIVATE_IMPORTS = (
    "evaluation.py",
    "peers.py",
    "benchmarks/candidates.py",
    "coverage/decisions.py",
    "model_files/agreement.py",
    "model_files/damaged.py",
    "monotone/keeps.py",
)


@pytest.mark.slow
def test_a_quick_run_does_not_change_committed_files(tmp_path):
    folder = ROOT / "experiments" / "ranking_metrics"
    before = {path: path.read_bytes() for path in folder.glob("*.*")}
    completed = subprocess.run(
        [sys.executable, "-m", "experiments", "ranking_metrics", "--quick"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "", "TMPDIR": str(tmp_path)},
    )
    assert completed.returncode == 0, completed.stderr
    (out,) = tmp_path.glob("moselect-experiments-*")
    assert f"Results and figures: {out}" in completed.stdout
    assert (out / "ranking_metrics" / "results.csv").exists()
    assert "28 agree, 3 differ" in completed.stdout
    assert {path: path.read_bytes() for path in folder.glob("*.*")} == before


@pytest.mark.parametrize("experiment", catalogue.find_experiments(), ids=lambda e: e.name)
def test_pages_match_the_results_and_explain_every_difference(experiment):
    expected = verdicts.read_expected(experiment.folder / "expected.csv")
    assert (pd.to_numeric(expected["tolerance"][expected["tolerance"] != ""]) > 0.0).all()
    assert (expected["claim"] != "").all()
    results = verdicts.read_results(experiment.folder / "results.csv")
    table = verdicts.judge(expected, results, complete=True)
    differs = table["verdict"] == verdicts.DIFFERS
    assert table.loc[differs & (table["note"] == ""), "key"].tolist() == []
    page = (experiment.folder / "README.md").read_text(encoding="utf-8")
    assert verdicts.markdown(table) in page
    overview = (ROOT / "experiments" / "README.md").read_text(encoding="utf-8")
    assert verdicts.differences(table) in overview
    for reason in table.loc[differs, "note"]:
        assert f"Reason: {reason}." in overview
    counts = verdicts.counts(
        {experiment.name: table}, {experiment.name: experiment.summary}
    )
    assert counts.split("\n")[-1] in overview
    for figure in experiment.folder.glob("*.png"):
        assert f"]({figure.name})" in page


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_experiments_import_public_names_only(path):
    private = [name for name in imported(path) if not is_public(*name)]
    assert bool(private) == path.as_posix().endswith(PRIVATE_IMPORTS), private


def imported(path):
    """Yield (module, name) of every import from moselect."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = [(node.module or "", alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name.rpartition(".")[::2] for alias in node.names]
        else:
            continue
        yield from (each for each in names if each[0].split(".")[0] == "moselect")


def is_public(module, name):
    packages = module.split(".")
    if len(packages) > 2 or any(part.startswith("_") for part in [*packages, name]):
        return False
    return name in getattr(importlib.import_module(module), "__all__", ())
