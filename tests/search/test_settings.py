"""Settings of a search: one set of defaults, and validation before the search."""

import inspect
import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from moselect import ParetoSearch
from moselect.cli import app
from moselect.costs import Costs
from moselect.metrics.objectives import DECLARED, OBJECTIVES
from moselect.samples.samples import Samples
from moselect.search import SearchSettings
from moselect.search.front_search import evaluations_of_runs, search_identity
from moselect.search.ordinal_problem import resolve_objectives
from moselect.search.settings import RANGES, SettingsRecord

COST = {"objectives": ("cost", "vus")}
DATA = Samples.from_table(np.arange(8.0).reshape(4, 2), [1, 1, 2, 2])


def defaults_of(estimator):
    return {
        name: parameter.default
        for name, parameter in inspect.signature(estimator).parameters.items()
    }


def test_parameters_settings_records_and_the_docstring_agree():
    parameters = defaults_of(ParetoSearch)
    assert parameters == defaults_of(SettingsRecord) == ParetoSearch().get_params()
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


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"objectives": ("accuracy", "speed")}, ValueError, "unknown objective 'speed'"),
        (
            {"n_particles": 10**7},
            ValueError,
            "n_particles is 10000000: .* at most 1,000,000",
        ),
        ({"holdout": 1.0}, ValueError, "holdout is 1.0: give a share between 0 and 1"),
        ({"cv": 1}, ValueError, "cv is 1: give a number of folds of at least 2, a spl"),
    ],
)
def test_settings_out_of_range_are_refused(changes, error, message):
    search = ParetoSearch(**changes)
    with pytest.raises(error, match=message):
        search.fit(DATA.X, DATA.codes)
    assert not hasattr(search, "classes_")


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
    expected = ParetoSearch().get_params() | changed
    assert recorded == expected | {"velocity_range": [*expected["velocity_range"]]}


sizes = st.integers(1, 50)


@given(sizes, sizes, sizes, st.none() | st.integers(1, 10**5))
def test_the_budget_is_shared_evenly(particles, iterations, runs, limit):
    shares = evaluations_of_runs(
        SearchSettings(
            n_particles=particles,
            n_iterations=iterations,
            n_runs=runs,
            max_evaluations=limit,
        )
    )
    total = particles * iterations * runs
    assert sum(shares) == (total if limit is None else min(limit, total))
    assert len(shares) == runs
    assert max(shares) - min(shares) <= 1


@pytest.mark.parametrize(
    ("given", "budget"),
    [
        ({}, 12_000),
        ({"max_evaluations": 60_000}, 60_000),
        ({"max_seconds": 20.0, "max_evaluations": 60_000}, 60_000),
        ({"max_seconds": 20.0, "n_iterations": 10}, 1_000),
    ],
)
def test_a_limit_replaces_the_default_iterations(given, budget):
    assert sum(evaluations_of_runs(SearchSettings(**given))) == budget


def identity_of(data, objectives=OBJECTIVES, class_costs=None, **settings):
    costs = None if class_costs is None else Costs(class_costs)
    resolved = resolve_objectives(objectives, data.classes, data.classes, costs)
    return search_identity(data, SearchSettings(objectives=resolved, **settings))


def test_the_identity_of_a_search_depends_on_data_and_settings():
    identities = [
        identity_of(data, **settings)
        for data, settings in (
            (DATA, {"random_state": 1}),
            (DATA, {"random_state": 1, "n_jobs": 2}),
            (DATA, {"random_state": 2}),
            (DATA, {"random_state": 1, "n_runs": 2}),
            (DATA, {"random_state": 1, "objectives": ("vus", "accuracy")}),
            (DATA, {"random_state": 1} | COST | {"class_costs": [1, 1]}),
            (DATA, {"random_state": 1} | COST | {"class_costs": [1, 2]}),
            (DATA.take(np.arange(3)), {"random_state": 1}),
        )
    ]
    assert identities[0] == identities[1]
    assert len(set(identities)) == 7


X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=["a", "b", "c"])
Y = pd.Series(np.arange(40) % 4)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (X, Y.where(Y.index > 0, 9), "class 9 has a single sample"),
        (X * 0.0 + 3.0, Y, "all features are constant"),
    ],
)
def test_unsuitable_data_are_refused(X, y, message):
    with pytest.raises(ValueError, match=message):
        ParetoSearch(n_iterations=1, prepare=False).fit(X, y)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"class_costs": [1, 1]}, ValueError, "class_costs has 2 numbers"),
        (
            {"model": "forest"},
            ValueError,
            "model is 'forest': give one of 'scorecard', 'linear'",
        ),
        ({"preferences": {"x": 1}}, ValueError, "'x' was not searched"),
    ],
)
def test_an_impossible_selection_is_refused_before_the_search(settings, error, message):
    search = ParetoSearch(n_particles=4, n_iterations=1, cv=None, **settings)
    with pytest.raises(error, match=message):
        search.fit(X, Y)
    assert not hasattr(search, "front_")
