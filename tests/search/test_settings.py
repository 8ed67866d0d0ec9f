"""Settings are declared once; they and the data are checked before a search."""

from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect import ParetoSearch
from moselect.cli.options import settings_of
from moselect.samples import Samples
from moselect.search import SearchSettings
from moselect.search.front_search import evaluations_of_runs, search_identity
from moselect.search.search_samples import with_objectives
from moselect.search.settings import SETTINGS
from moselect.search.swarm_run import NO_LIMIT

COST = {"objectives": ("cost", "vus"), "class_costs": [1, 1]}
DATA = Samples.from_table(np.arange(8.0).reshape(4, 2), [1, 1, 2, 2])


def test_signature_parameters_and_docstring_are_those_of_the_declaration():
    names = list(inspect.signature(ParetoSearch).parameters)
    assert names == [one.name for one in dataclasses.fields(SearchSettings)]
    assert sorted(names) == sorted(ParetoSearch().get_params())
    for name in names:
        assert f"\n    {name} : {SETTINGS[name].accepts}, " in ParetoSearch.__doc__


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"objectives": "vus"}, TypeError, "objectives is a string"),
        ({"objectives": ("accuracy", "speed")}, ValueError, "unknown objective 'speed'"),
        ({"objectives": ("vus",)}, ValueError, "at least two different"),
        (
            {"thresholds": "best"},
            ValueError,
            "thresholds is 'best': give 'exact' or 'search'",
        ),
        (
            {"n_particles": 10**7},
            ValueError,
            "n_particles is 10000000: .* at most 1,000,000",
        ),
        ({"n_iterations": -1}, ValueError, "n_iterations is -1"),
        (
            {"n_runs": True},
            ValueError,
            "n_runs is True: give a whole number of at least 1",
        ),
        ({"max_evaluations": 1e3}, ValueError, "max_evaluations is 1000.0"),
        ({"max_models": 0}, ValueError, "max_models is 0"),
        ({"max_seconds": 0.0}, ValueError, "max_seconds is 0.0: give a number above 0"),
        ({"holdout": 1.0}, ValueError, "holdout is 1.0: give a share between 0 and 1"),
        ({"cv": 1}, ValueError, "cv is 1: give a number of folds of at least 2, a spl"),
        ({"sampling": "always"}, ValueError, "sampling is 'always'"),
        ({"velocity_range": (1.0, -1.0)}, ValueError, "velocity_range is"),
        ({"random_state": -1}, ValueError, "random_state is -1"),
        (
            {"random_state": np.random.RandomState(1)},
            ValueError,
            "random_state is RandomState",
        ),
    ],
)
def test_settings_out_of_range(changes, error, message):
    search = ParetoSearch(**changes)
    with pytest.raises(error, match=message):
        search.fit(DATA.X, DATA.codes)
    assert not hasattr(search, "classes_")


def test_options_become_settings():
    options = {
        about.option.name: None for about in SETTINGS.values() if about.option is not None
    }
    assert settings_of(options) == {}
    given = {"objectives": ["vus", "accuracy"], "folds": 0, "seed": 0, "runs": 3}
    expected = {
        "objectives": ["vus", "accuracy"],
        "n_runs": 3,
        "cv": None,
        "random_state": 0,
    }
    assert settings_of(options | given) == expected


sizes = st.integers(1, 50)


@given(sizes, sizes, sizes, st.none() | st.integers(1, 10**5))
def test_a_budget_is_shared_out_evenly_and_without_rest(
    particles, iterations, runs, limit
):
    shares = evaluations_of_runs(
        SearchSettings(
            n_particles=particles,
            n_iterations=iterations,
            n_runs=runs,
            max_evaluations=limit,
        )
    )
    whole = particles * iterations * runs
    assert sum(shares) == (whole if limit is None else min(limit, whole))
    assert len(shares) == runs
    assert max(shares) - min(shares) <= 1


@pytest.mark.parametrize(
    ("given", "budget"),
    [
        ({}, 12_000),
        ({"n_runs": 3}, 36_000),
        ({"max_evaluations": 60_000}, 60_000),
        ({"max_evaluations": 50}, 50),
        ({"max_evaluations": 60_000, "n_runs": 7}, 60_000),
        ({"max_seconds": 20.0}, NO_LIMIT),
        ({"max_seconds": 20.0, "max_evaluations": 60_000}, 60_000),
        ({"max_seconds": 20.0, "n_iterations": 10}, 1_000),
        ({"max_evaluations": 60_000, "n_iterations": 10}, 1_000),
    ],
)
def test_a_limit_takes_the_place_of_the_default_iterations(given, budget):
    assert sum(evaluations_of_runs(SearchSettings(**given))) == budget


def test_a_search_is_known_by_its_data_and_what_counts_among_its_settings():
    identities = [
        search_identity(data, with_objectives(SearchSettings(**settings), data.classes))
        for data, settings in (
            (DATA, {"random_state": 1}),
            (DATA, {"random_state": 1, "n_jobs": 2}),
            (DATA, {"random_state": 2}),
            (DATA, {"random_state": 1, "n_runs": 2}),
            (DATA, {"random_state": 1, "objectives": ("vus", "accuracy")}),
            (DATA, {"random_state": 1} | COST),
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
        (X.to_numpy()[:, 0], Y, "Reshape your data"),
        (X, Y.where(Y.index > 0, 9), "class 9 has a single sample"),
        (X * 0.0 + 3.0, Y, "all features are constant"),
    ],
)
def test_data_that_cannot_be_searched(X, y, message):
    with pytest.raises(ValueError, match=message):
        ParetoSearch(n_iterations=1, prepare=False).fit(X, y)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"class_costs": [1, 1]}, ValueError, "class_costs has shape"),
        (
            {"class_costs": [1] * 9, "preferences": {"vus": 1}},
            ValueError,
            "either costs or pref",
        ),
        ({"priors": [0.5, 0.5]}, ValueError, "priors need costs"),
        (
            {"kind": "forest"},
            ValueError,
            "kind is 'forest': give one of 'points', 'linear'",
        ),
        ({"preferences": {"x": 1}}, ValueError, "'x' was not searched"),
        (
            {"preferences": "vus"},
            TypeError,
            "preferences is 'vus': give weights of objectives",
        ),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused_before_the_search(
    settings, error, message
):
    search = ParetoSearch(n_particles=4, n_iterations=1, cv=None, **settings)
    with pytest.raises(error, match=message):
        search.fit(X, Y)
    assert not hasattr(search, "front_")
