"""What a summary of a search says, and whether it fits a terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.cli.search import print_summary
from moselect.cli.terminal import Terminal
from moselect.front import Front
from moselect.storage import Run

NAMES = ["accuracy", "one_minus_mae", "vus", "u_cons"]
RECORD = {"n_evaluations": 12_000, "seconds": 1.5, "settings": {"random_state": 3}}
TRAINING = [[0.8, 0.8, 0.8, 0.8], [0.95, 0.25, 0.6, 0.6]]  # the first one is balanced


def make(expected=None, error=0.01):
    points = pd.DataFrame(TRAINING, columns=NAMES)
    front = Front(
        objectives=points,
        weights=np.ones((2, 2)),
        thresholds=np.tile([0.0, 1.0], (2, 1)),
        classes=np.array(["low", "mid", "high"]),
        feature_names=None,
        chance=pd.Series(0.2, index=NAMES),
    )
    if expected is None:
        return front
    values = pd.DataFrame([expected] * 2, columns=NAMES)
    return replace(front, expected=values, expected_se=values * 0.0 + error)


@pytest.mark.parametrize("width", [60, 80])
def test_a_summary_fits_and_cuts_no_figure(monkeypatch, capsys, width):
    monkeypatch.setenv("COLUMNS", str(width))
    print_summary(
        Run(Path("my runs/a-001"), RECORD, make([0.7, 0.7, 0.7, 0.7])), Terminal()
    )
    found = capsys.readouterr()
    figures = r"^(?:accuracy|1 - MAE|VUS|U cons) +0\.20+ +0\.70+ ± 0\.010 +0\.80+$"
    assert len(re.findall(figures, found.out, re.MULTILINE)) == 4
    lines = found.out.splitlines()
    assert max(map(len, lines[:-2])) <= width
    assert len(lines) <= 24
    assert lines[-3] == "Next: what does a mistake cost? Classes low, mid, high"
    assert lines[-2] == "  moselect select 'my runs/a-001' --class-costs 1,2,3"
    assert lines[-1].startswith(
        "Saved in my runs/a-001 · 2 models · 12,000 evaluations · seed 3"
    )
    assert found.err == ""


@pytest.mark.parametrize(
    ("expected", "error", "told"),
    [
        ([0.6, 0.22, 0.6, 0.6], 0.03, "on new data 1 - MAE is within noise of chance"),
        (
            [0.1, 0.22, 0.6, 0.6],
            0.03,
            "on new data accuracy, 1 - MAE are within noise of chance",
        ),
        ([0.6, 0.24, 0.6, 0.6], 0.03, ""),
        (None, 0.0, ""),
    ],
)
def test_what_chance_may_reach_as_well_is_told(capsys, expected, error, told):
    print_summary(Run(Path("run"), RECORD, make(expected, error)), Terminal())
    message = capsys.readouterr().err
    assert told in message
    assert bool(told) == bool(message)
