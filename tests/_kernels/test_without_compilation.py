"""Kernels in plain Python, where an index out of bounds is an error, in a process of its own."""

import os
import subprocess
import sys

import pytest

from tests.places import ROOT

DEFINITIONS = (
    "metrics/test_ranking.py::test_definitions",
    "inference/test_ranking_inference.py::test_definitions",
    "search/test_pareto.py",
    "search/test_direction_problem.py",
    "search/test_moves.py",
)


@pytest.mark.checks("Measures", "the same loops without compilation")
@pytest.mark.slow
def test_kernels_agree_with_their_definitions_without_compilation():
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "pytest", "-q"]
    tests = [f"tests/{name}" for name in ("_kernels", *DEFINITIONS)]
    done = subprocess.run(
        [*command, "-m", "not slow", *tests],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stdout
