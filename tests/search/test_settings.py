"""Settings of a search: one set of defaults, and validation before the search."""

import inspect
import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier
from typer.testing import CliRunner

from moselect import Costs, ParetoSearch, tune
from moselect.cli import app
from moselect.datasets import Dataset
from moselect.io.run_record import describe
from moselect.metrics import OBJECTIVES
from moselect.metrics.objectives import DECLARED
from moselect.samples import Samples
from moselect.search import SearchSettings
from moselect.search.front_search import evaluations_of_runs
from moselect.search.settings import RANGES

DATA = Samples.from_table(np.arange(8.0).reshape(4, 2) ** 1.5, [1, 1, 2, 2])


def defaults_of(estimator):
    return {
        name: parameter.default
        for name, parameter in inspect.signature(estimator).parameters.items()
    }


def test_parameters_settings_and_the_docstring_agree():
    parameters = defaults_of(ParetoSearch)
    assert parameters == ParetoSearch().get_params()
    assert parameters.pop("verbose") is False  # what is printed is no setting
    text = ParetoSearch.__doc__
    described = re.findall(
        r"^    (\w+) : .*?(?:default=(.*)|optional)$", text, re.MULTILINE
    )
    described = dict(described[: len(parameters)])
    assert list(described) == list(parameters)
    for name, default in parameters.items():
        shown = described[name] and eval(described[name], {"OBJECTIVES": OBJECTIVES})
        assert shown == ("" if default is None else default)
    assert all(f"``{name!r}``" in text for name in DECLARED)
    assert {*RANGES} < {*parameters}


def test_records_hold_costs_in_one_form():
    X, y = pd.DataFrame({"a": np.arange(8.0)}), pd.Series(np.arange(8) // 4)
    data = Dataset("made up", X, y, (0, 1), "y")
    records = [
        describe(SearchSettings(**given), data, None)["settings"]
        for given in ({"costs": Costs([1, 5], "squared")}, {"costs": [1, 5]}, {})
    ]
    assert [record["class_costs"] for record in records] == [[1, 5], [1, 5], None]
    assert [record["loss"] for record in records] == ["squared", "absolute", "absolute"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"costs": [1, 5, 9]}, "class_costs has 3 numbers, but there are 2 classes"),
        ({"costs": Costs(metric="kappa")}, "give a metric as an objective"),
        ({"costs": Costs([1, 5], refer=0.5)}, "and a referral to select"),
        ({"cost_matrix": Costs([1, 5])}, r"give costs=Costs\(...\)"),
        ({"costs": [[1, 1], [3, 3]]}, "the costs do not differ by prediction"),
    ],
)
def test_costs_that_do_not_fit_are_refused_in_one_sentence(changes, message):
    X, y = np.arange(8.0)[:, None], np.arange(8) // 4
    trees = {"tree": (DecisionTreeClassifier(), {"max_depth": [1]})}
    with pytest.raises((TypeError, ValueError), match=message):
        ParetoSearch(n_iterations=1, cv=None, **changes).fit(X, y)
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        tune(trees, X, y, 1, cv=2, **changes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_particles": 10**7}, "n_particles is 10000000: .* at most 1,000,000"),
        (
            {"cv": [([*range(50)], [50])]},
            "the .train, test. rows of each fold, of 4 rows",
        ),
        ({"cv": ([0, 1], [2, 3], [4])}, "the .train, test. rows of each fold, of 4 rows"),
        ({"cv": "five"}, "cv is 'five': give a number of folds"),
        ({"model": "forest"}, "model must be one of 'scorecard', 'linear'"),
        ({"preferences": {"x": 1}}, "'x' was not searched"),
    ],
)
def test_impossible_settings_are_refused_before_the_search(changes, message):
    search = ParetoSearch(**changes)
    with pytest.raises(ValueError, match=message):
        search.fit(DATA.X, DATA.codes)
    assert not hasattr(search, "classes_")


@pytest.mark.slow
def test_options_become_settings(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    command = """search boston --out run --seed 0
        --particles 7 --runs 2 --evaluations 28 --seconds 90 --holdout 0.25 --folds 0
        --objectives vus,accuracy --class-costs 1,1,1,1,5 --columns splines --jobs 1
        --monotone RM:+,LSTAT:-"""
    CliRunner().invoke(app, command.split())
    recorded = json.loads((tmp_path / "run" / "run.json").read_text())["settings"]
    changed = {
        "objectives": ["vus", "accuracy"],
        "n_particles": 7,
        "n_runs": 2,
        "max_evaluations": 28,
        "max_seconds": 90.0,
        "holdout": 0.25,
        "cv": None,
        "class_costs": [1.0, 1.0, 1.0, 1.0, 5.0],
        "columns": "splines",
        "monotone": {"RM": 1, "LSTAT": -1},
        "n_jobs": 1,
        "random_state": 0,
        "labels": [1, 2, 3, 4, 5],
    }
    expected = defaults_of(SearchSettings) | changed
    del expected["costs"]  # recorded as class_costs or cost_matrix
    assert recorded == expected | {"velocity_range": [*expected["velocity_range"]]}


@pytest.mark.parametrize(
    ("given", "budget"),
    [
        ({}, 12_000),
        ({"max_seconds": 20.0, "max_evaluations": 60_000}, 60_000),
        ({"max_seconds": 20.0, "n_iterations": 10}, 1_000),
    ],
)
def test_a_limit_replaces_the_default_iterations(given, budget):
    assert sum(evaluations_of_runs(SearchSettings(**given))) == budget


def test_constant_features_are_refused():
    with pytest.raises(ValueError, match="all features are constant"):
        ParetoSearch(cv=None, prepare=False).fit(0.0 * DATA.X, DATA.codes)
