"""Settings of a search: one set of defaults, and validation before the search."""

import inspect
import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import PredefinedSplit
from sklearn.tree import DecisionTreeClassifier
from typer.testing import CliRunner

from moselect import Costs, ParetoSearch, cost_matrix, tune
from moselect.cli import app
from moselect.datasets import Dataset
from moselect.io.run_record import describe
from moselect.metrics import OBJECTIVES
from moselect.metrics.objectives import DECLARED
from moselect.samples import Samples
from moselect.search import SearchSettings
from moselect.search.front_search import evaluations_of_runs
from moselect.search.settings import RANGES

DATA = Samples.from_table(np.arange(8.0).reshape(4, 2), [1, 1, 2, 2])


def defaults_of(estimator):
    return {
        name: parameter.default
        for name, parameter in inspect.signature(estimator).parameters.items()
    }


def test_parameters_settings_and_the_docstring_agree():
    parameters = defaults_of(ParetoSearch)
    assert parameters == ParetoSearch().get_params()
    assert parameters.pop("verbose") is False  # what is printed is no setting
    assert parameters == defaults_of(SearchSettings)
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


def test_rows_of_folds_are_those_of_a_splitter():
    index = np.arange(60) % 3
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) // 30
    rows = [(np.flatnonzero(index != k), np.flatnonzero(index == k)) for k in range(3)]
    first, second = (
        ParetoSearch(cv=cv, n_iterations=1, random_state=1).fit(X, y).front_.expected
        for cv in (rows, PredefinedSplit(index))
    )
    pd.testing.assert_frame_equal(first, second, check_exact=True)


CLASS_COSTS = {"mild": 1.0, "bad": 2.0, "severe": 9.0}
MATRIX = pd.DataFrame(cost_matrix([*CLASS_COSTS.values()]), CLASS_COSTS, CLASS_COSTS)


@pytest.mark.parametrize(
    "given",
    [
        {"costs": CLASS_COSTS},
        {"costs": [*CLASS_COSTS.values()]},
        {"costs": MATRIX.iloc[::-1, ::-1]},  # by name
        {"costs": MATRIX.to_numpy()},
        {"costs": Costs(CLASS_COSTS)},
        {"class_costs": CLASS_COSTS},
        {"cost_matrix": MATRIX},
    ],
    ids=lambda given: f"{type(*given.values()).__name__} as {next(iter(given))}",
)
def test_costs_have_one_spelling_in_searches_and_tuning(given):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(90, 2)), columns=["a", "b"])
    codes = np.digitize(X["a"] + rng.normal(size=90), [-0.5, 0.8])
    y = pd.Series(pd.Categorical.from_codes(codes, [*CLASS_COSTS], ordered=True))
    settings = {"objectives": ("cost", "vus"), "n_iterations": 1, "cv": None}
    search = ParetoSearch(random_state=1, model="proportional odds", **settings, **given)
    front = search.fit(X, y).front_
    matrix = MATRIX.to_numpy()
    for model, value in zip(front, front.objectives["cost"], strict=True):
        predicted = [[*CLASS_COSTS].index(label) for label in model.predict(X)]
        assert value == pytest.approx(1.0 - matrix[codes, predicted].mean(), rel=1e-12)
    # The model that predicts is the one of select.
    evidence = search.to_predictor().evidence
    assert evidence.selected == "proportional odds"
    np.testing.assert_array_equal(evidence.criteria.cells, matrix)
    trees = {"tree": (DecisionTreeClassifier(), {"max_depth": [1]})}
    tuning = tune(trees, X, y, 1, cv=2, random_state=1, **given)
    assert tuning.trials_.columns[3] == "cost"


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
        ({"costs": [1, 5], "class_costs": [1, 5]}, "costs and class_costs are given"),
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
        ({"cv": 1}, "cv is 1: give a number of folds of at least 2, a spl"),
        ({"cv": "five"}, "cv is 'five': give a number of folds"),
    ],
)
def test_settings_out_of_range_are_refused(changes, message):
    search = ParetoSearch(**changes)
    with pytest.raises(ValueError, match=message):
        search.fit(DATA.X, DATA.codes)
    assert not hasattr(search, "classes_")


@pytest.mark.slow
def test_options_become_settings(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    given = (
        "--particles 7 --runs 2 --evaluations 28 --seconds 90 --holdout 0.25 --folds 0"
    )
    given += (
        " --objectives vus,accuracy --class-costs 1,1,1,1,5 --columns splines --jobs 1"
    )
    given += " --monotone RM:+,LSTAT:-"
    CliRunner().invoke(app, f"search boston --out run --seed 0 {given}".split())
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


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "forest"}, "model is 'forest': give one of 'scorecard', 'linear'"),
        ({"preferences": {"x": 1}}, "'x' was not searched"),
    ],
)
def test_an_impossible_selection_is_refused_before_the_search(settings, message):
    search = ParetoSearch(n_particles=4, n_iterations=1, cv=None, **settings)
    with pytest.raises(ValueError, match=message):
        search.fit(DATA.X, DATA.codes)
    assert not hasattr(search, "front_")


def test_constant_features_are_refused():
    with pytest.raises(ValueError, match="all features are constant"):
        ParetoSearch(cv=None, prepare=False).fit(0.0 * DATA.X, DATA.codes)
