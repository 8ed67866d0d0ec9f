"""``python -m experiments`` as a user runs it, and what is committed."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from experiments import catalogue, verdicts

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "experiments").rglob("*.py"))
# They time or judge parts, which nothing else needs to see from outside.
SEES_INSIDE = (
    "evaluation.py",
    "peers.py",
    "benchmarks/candidates.py",
    "coverage/decisions.py",
    "model_files/agreement.py",
    "monotone/keeps.py",
)


def run(*arguments, **options):
    command = [sys.executable, "-m", "experiments", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, **options
    )


@pytest.mark.slow
def test_a_quick_run_leaves_the_committed_files_alone(tmp_path):
    folder = ROOT / "experiments" / "ranking_metrics"
    before = {path: path.read_bytes() for path in folder.glob("*.*")}
    ran = run("ranking_metrics", "--quick", env={"PATH": "", "TMPDIR": str(tmp_path)})
    assert ran.returncode == 0, ran.stderr
    (out,) = tmp_path.glob("moselect-experiments-*")
    assert f"Results and figures: {out}" in ran.stdout
    assert (out / "ranking_metrics" / "results.csv").exists()
    assert "28 agree, 3 differ" in ran.stdout
    assert {path: path.read_bytes() for path in folder.glob("*.*")} == before


@pytest.mark.parametrize("experiment", catalogue.find_experiments(), ids=lambda e: e.name)
def test_pages_hold_what_was_found_and_every_difference_has_its_reason(experiment):
    expected = verdicts.read_expected(experiment.folder / "expected.csv")
    assert (pd.to_numeric(expected["tolerance"][expected["tolerance"] != ""]) > 0.0).all()
    assert (expected["claim"] != "").all()
    results = verdicts.read_results(experiment.folder / "results.csv")
    judged = verdicts.judge(expected, results, complete=True)
    differs = judged["verdict"] == verdicts.DIFFERS
    assert judged.loc[differs & (judged["note"] == ""), "key"].tolist() == []
    page = (experiment.folder / "README.md").read_text(encoding="utf-8")
    assert verdicts.markdown(judged) in page
    whole = (ROOT / "experiments" / "README.md").read_text(encoding="utf-8")
    assert verdicts.differences(judged) in whole
    for reason in judged.loc[differs, "note"]:
        assert f"Reason: {reason}." in whole
    counted = verdicts.counts(
        {experiment.name: judged}, {experiment.name: experiment.summary}
    )
    assert counted.split("\n")[-1] in whole
    for figure in experiment.folder.glob("*.png"):
        assert f"]({figure.name})" in page


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_experiments_import_public_names_only(path):
    private = [name for name in imported(path) if not is_public(*name)]
    if path.as_posix().endswith(SEES_INSIDE):
        assert private
    else:
        assert private == []


def imported(path):
    """Give (module, name) of all that a file imports from moselect."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").split(".")[0] == "moselect"
        ):
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (
                alias.name.rpartition(".")[::2]
                for alias in node.names
                if alias.name.startswith("moselect.")
            )


def is_public(module, name):
    packages = module.split(".")
    if len(packages) > 2 or any(part.startswith("_") for part in [*packages, name]):
        return False
    return name in getattr(importlib.import_module(module), "__all__", ())
