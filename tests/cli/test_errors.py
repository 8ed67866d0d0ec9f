"""Whatever is wrong is told in one line that says what to do, with exit code 2."""

from __future__ import annotations

import pytest

from moselect import ParetoSearch
from moselect.datasets import Dataset
from moselect.models import OrdinalLinearClassifier
from moselect.storage import write_model, write_run


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("serch",), ["serch", "did you mean 'search'", "see moselect --help"]),
        (("search", "--objctives", "vus"), ["--objectives", "see moselect search --help"]),
        (("search", "boston", "--runs", "many"), ["--runs", "see moselect search --help"]),
        (("search", "boston", "--seed", -1), ["--seed", "see moselect search --help"]),
        (("plot",), ["RUN", "see moselect plot --help"]),
        (("evaluate", "t.csv"), ["--true", "see moselect evaluate --help"]),
        (("search",), ["moselect datasets"]),
        (("search", "bostn"), ["'bostn'", "did you mean 'boston'"]),
        (("search", "t.csv", "--read", "separator=; decimals=,"), ["--read", "decimal="]),
        (("search", "t.csv", "--target", "prise"), ["'prise'", "did you mean 'price'"]),
        (("search", "[red]x[/].csv"), ["'[red]x[/].csv'"]),
        (("compare",), ["say what to compare on"]),
        (("search", "folder"), ["'folder' is a folder"]),
        (("search", "boston", "--objectives", "vus,auc"), ["'auc'", "choose from", "u_pairs"]),
        (("search", "boston", "--preset", "nobody"), ["'nobody'", "choose from", "waegeman2008"]),
        (("search", "--resume", "nowhere"), ["no search in 'nowhere'"]),
        (("plot", "nowhere"), ["'nowhere' is not a run folder", "there is one in runs/a-001"]),
        (("plot", "runs"), ["'runs' is not a run folder", "there is one in runs/a-001"]),
        (("plot", "t.csv"), ["'t.csv' is not a run folder"]),
        (("select", "runs/a-001"), ["run.json' is damaged", "run the search again"]),
        (("select", "runs/a-001", "--priors", "0.5,0.5"), ["--class-costs", "--cost-matrix"]),
        (("predict", "m.json", "t.csv", "-o", "no/p.csv"), ["no folder 'no'", "make it"]),
        (("predict", "m.json", "t.csv", "-o", "folder"), ["'folder' is a folder"]),
        (("predict", "none.json", "t.csv"), ["none.json"]),
        (("evaluate", "t.csv", "--true", "grade", "--score", "sise"), ["did you mean 'size'"]),
    ],
)
def test_errors_suggest_the_next_step(inside, tmp_path, arguments, told):
    (tmp_path / "t.csv").write_text("size,price,grade\n1,2,1\n2,4,2\n3,6,3\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "runs/a-001").mkdir(parents=True)
    (tmp_path / "runs/a-001/run.json").write_text("{}")
    write_model(tmp_path / "m.json", OrdinalLinearClassifier([1.0], [2.0], ["no", "yes"], ["size"]))
    done = inside(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("moselect: error: ")
    for words in told:
        assert words.lower() in line.lower()


def test_without_a_command_help_is_shown(inside):
    done = inside()
    assert done.returncode == 0
    assert "evaluate" in done.stdout


@pytest.mark.parametrize("command", ["select", "report"])
def test_a_run_that_was_written_from_python_asks_for_its_data(inside, tmp_path, table, command):
    X, y = table[["height", "weight"]], table["grade"]
    data = Dataset("t", X, y, (1, 2, 3), "grade")
    search = ParetoSearch(n_particles=4, n_iterations=2, cv=None, random_state=1, labels=[1, 2, 3])
    write_run(tmp_path / "run", search.fit(X, y), data, 1.0)
    done = inside(command, "run")
    assert done.returncode == (2 if command == "select" else 0)  # a page without new data
    assert "does not say where its data are: say where, --data" in done.stderr
    assert len(done.stderr.splitlines()) == 1
