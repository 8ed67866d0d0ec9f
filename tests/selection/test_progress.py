import re

import numpy as np

from moselect import ParetoSearch, compare, tune
from moselect._parallel import ProgressLine


def test_a_verbose_search_prints_evaluations_candidates_and_folds(capsys):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=90), [-0.5, 0.5])
    settings = {"n_particles": 10, "n_iterations": 3, "cv": 3, "random_state": 1}
    quiet = ParetoSearch(**settings).fit(X, y)
    quiet.select([1, 2, 5], model="scorecard")
    assert capsys.readouterr() == ("", "")
    search = ParetoSearch(**settings, verbose=True).fit(X, y)
    selected = search.select([1, 2, 5], model="scorecard")
    output, progress = capsys.readouterr()
    assert output == ""
    lines = re.split(r"[\r\n]+", progress)
    assert any(re.match(r"search: [1-9]\d* of \d+", line) for line in lines)
    assert [line.strip() for line in lines if "scorecard" in line][
        -1
    ] == "scorecard: 3 of 3"
    # Progress changes no figure.
    expected = quiet.select([1, 2, 5], model="scorecard").evidence.expected
    assert selected.evidence.expected == expected


def test_a_verbose_comparison_and_verbose_trials_print_what_is_done(capsys):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=90), [-0.5, 0.5])
    settings = {"cv": 3, "random_state": 1}
    names = ["ordinal_ridge", "multinomial"]
    compare(names, X, y, **settings)
    tune("multinomial", X, y, n_trials=2, **settings)
    assert capsys.readouterr() == ("", "")
    compare(names, X, y, verbose=True, **settings)
    lines = [line.strip() for line in re.split(r"[\r\n]+", capsys.readouterr().err)]
    assert [line for line in lines if line.endswith("3 of 3")] == [
        f"{name}: 3 of 3" for name in names
    ]
    tuning = tune("multinomial", X, y, n_trials=2, verbose=True, **settings)
    assert "trials: 2 of 2" in capsys.readouterr().err
    tuning.select([1, 1, 5])
    assert "proportional odds: 4 of 4" in capsys.readouterr().err


def test_the_time_left_is_that_of_the_speed_so_far(capsys, monkeypatch):
    clock = iter([0.0, 4.0, 4.0])
    monkeypatch.setattr("moselect._parallel.time.monotonic", lambda: next(clock))
    line = ProgressLine()
    line("ensemble", 0, 10)
    line("ensemble", 2, 10)
    line("additive", 0, 10)
    first, second, third = capsys.readouterr().err.split("\r")[1:]
    assert first.strip() == "ensemble: 0 of 10"
    assert second.strip() == "ensemble: 2 of 10, about 16 s left"
    assert third.strip() == "additive: 0 of 10"
