"""Which models a summary shows, and whether it fits a terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.cli.summary import outstanding, overfitting, print_summary
from moselect.cli.terminal import Terminal
from moselect.front import Front
from moselect.storage import Run

NAMES = ["accuracy", "one_minus_mae", "vus", "u_cons"]


def make(training, expected=None, error=0.01, classes=("low", "mid", "high"), names=NAMES):
    k, r = len(training), len(classes)
    points = pd.DataFrame(training, columns=names, dtype=float)
    front = Front(
        objectives=points,
        weights=np.ones((k, 2)),
        thresholds=np.tile(np.arange(r - 1.0), (k, 1)),
        classes=np.array(classes),
        feature_names=None,
        chance=pd.Series(0.2, index=names),
    )
    if expected is None:
        return front
    values = pd.DataFrame(expected, columns=names, dtype=float)
    return replace(
        front,
        expected=values,
        expected_se=pd.DataFrame(error, index=points.index, columns=names),
        fold_fronts=(front,) * 5,
    )


# each of the last three is far better than the others in one objective
DIFFERENT = [[0.8, 0.8, 0.8, 0.8], [0.95, 0.7, 0.6, 0.6], [0.6, 0.6, 0.95, 0.6], [0.6, 0.6, 0.6, 1]]


def test_models_that_differ_are_shown_the_best_choice_first():
    front = make(DIFFERENT, DIFFERENT)
    found = outstanding(front)
    assert list(found) == [0, 1, 2, 3]
    assert found[0][0].startswith("balanced: the best choice")
    assert found[0][1:] == ["best 1 - MAE"]
    assert [found[i] for i in (1, 2, 3)] == [["best accuracy"], ["best VUS"], ["best U cons"]]


def test_models_that_noise_may_have_put_ahead_are_not():
    found = outstanding(make(DIFFERENT, DIFFERENT, error=0.3))
    assert list(found) == [0]
    assert found[0][-1] == "as good as the best in accuracy, VUS, U cons within noise"


def test_most_of_a_gain_lost_is_overfitted():
    kept, lost = [[0.8, 0.8, 0.8, 0.8]], [[0.52, 0.49, 0.7, 0.8]]
    (warning,) = overfitting(make(kept, lost))
    assert warning.startswith(
        "overfitted: 1 - MAE is 0.80 in training, but 0.49 is to be expected on new data"
    )
    assert overfitting(make(kept)) == []


@pytest.mark.parametrize(("width", "n_shown"), [(52, 1), (60, 2), (80, 3), (120, 4)])
def test_a_summary_fits_and_cuts_no_figure(monkeypatch, capsys, width, n_shown):
    monkeypatch.setenv("COLUMNS", str(width))
    record = {
        "n_evaluations": 12_000,
        "seconds": 1.5,
        "settings": {"random_state": 3},
        "hypervolume_above_chance": 0.25,
    }
    run = Run(Path("my runs/a-001"), record, make(DIFFERENT, DIFFERENT))
    print_summary(run, Terminal())
    shown = capsys.readouterr().out
    rows = re.findall(r"^(?:accuracy|1 - MAE|VUS|U cons) +0\.200((?: +\S+ -> \S+)+)$", shown, re.M)
    assert len(rows) == 4
    assert [row.count("->") for row in rows] == [n_shown] * 4
    assert "0.80 -> 0.80±.01" in rows[0]
    lines = shown.splitlines()
    assert max(map(len, lines[:-2])) <= width
    assert lines[-2:] == [
        "  moselect select 'my runs/a-001' --prefer accuracy=1,one_minus_mae=2",
        "  moselect select 'my runs/a-001' --class-costs 1,1,1",
    ]
