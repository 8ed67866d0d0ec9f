import re

from moselect import ParetoSearch, compare, tune
from moselect._parallel import ProgressLine
from tests.any_tables import ordinal_table

TABLE = ordinal_table(90)


def lines_of(capsys):
    """Return the lines on standard error; standard output has none."""
    output, progress = capsys.readouterr()
    assert output == ""
    return [line.strip() for line in re.split(r"[\r\n]+", progress)]


def test_a_verbose_search_prints_evaluations_candidates_and_folds(capsys):
    settings = {"n_particles": 10, "n_iterations": 3, "cv": 3, "random_state": 1}
    quiet = ParetoSearch(**settings).fit(*TABLE)
    # Progress changes no figure.
    expected = quiet.select([1, 2, 5], model="proportional odds").evidence.expected
    assert lines_of(capsys) == [""]
    search = ParetoSearch(**settings, verbose=True).fit(*TABLE)
    selected = search.select([1, 2, 5], model="proportional odds")
    lines = lines_of(capsys)
    assert any(re.match(r"search: [1-9]\d* of \d+", line) for line in lines)
    done = [line for line in lines if line.startswith("proportional odds")]
    # one fit to all rows, and one for each fold
    assert done[-1] == "proportional odds: 4 of 4"
    assert selected.evidence.expected == expected


def test_a_verbose_comparison_and_verbose_trials_print_what_is_done(capsys):
    settings = {"cv": 3, "random_state": 1}
    names = ["ordinal_ridge", "multinomial"]
    compare(names, *TABLE, **settings)
    assert lines_of(capsys) == [""]
    compare(names, *TABLE, verbose=True, **settings)
    done = [line for line in lines_of(capsys) if line.endswith("3 of 3")]
    assert done == [f"{name}: 3 of 3" for name in names]
    tune("multinomial", *TABLE, n_trials=2, verbose=True, **settings)
    assert "trials: 2 of 2" in lines_of(capsys)


def test_the_time_left_is_that_of_the_speed_so_far(capsys, monkeypatch):
    clock = iter([0.0, 4.0, 4.0])
    monkeypatch.setattr("moselect._parallel.time.monotonic", lambda: next(clock))
    line = ProgressLine()
    line("ensemble", 0, 10)
    line("ensemble", 2, 10)
    line("additive", 0, 10)
    lines = [line.strip() for line in capsys.readouterr().err.split("\r")[1:]]
    assert lines == [
        "ensemble: 0 of 10",
        "ensemble: 2 of 10, about 16 s left",
        "additive: 0 of 10",
    ]
