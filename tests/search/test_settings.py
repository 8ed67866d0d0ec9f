from __future__ import annotations

import dataclasses
import inspect
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect import ParetoSearch
from moselect.metrics import Objectives
from moselect.samples import Samples
from moselect.search import NO_LIMIT, SearchSettings, preset_settings

DATA = Samples.from_table(np.arange(8.0).reshape(4, 2), [1, 1, 2, 2])


def test_settings_have_the_parameters_and_defaults_of_a_search():
    parameters = inspect.signature(ParetoSearch).parameters
    names = [field.name for field in dataclasses.fields(SearchSettings)]
    of_predicting = {"preferences", "class_costs", "loss", "cost_matrix", "priors"}
    of_the_table = {"labels", "columns", "prepare"}
    assert sorted(names) == sorted(set(parameters) - of_predicting - of_the_table)
    defaults = SearchSettings()
    for name in set(names) - {"objectives"}:
        assert getattr(defaults, name) == parameters[name].default
    assert defaults.objectives == Objectives(parameters["objectives"].default)


def test_those_of_a_search_become_settings():
    search = ParetoSearch(["vus", "accuracy"], n_runs=3, labels=["a", "b"], holdout=0.2)
    settings = SearchSettings.of(search.get_params())
    assert settings.objectives.names == ("vus", "accuracy")
    assert (settings.n_runs, settings.holdout, settings.n_particles) == (3, 0.2, 100)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"objectives": "vus"}, TypeError, "objectives is a string"),
        ({"objectives": ("vus", "speed")}, ValueError, "unknown objective 'speed'"),
        ({"algorithm": "best"}, ValueError, "unknown algorithm 'best': choose from mopso"),
        ({"thresholds": "best"}, ValueError, "unknown thresholds 'best': choose from exact"),
        ({"n_runs": True}, ValueError, "n_runs is True: give a whole number of at least 1"),
        ({"n_iter_no_change": 0}, ValueError, "n_iter_no_change is 0"),
        ({"max_seconds": 0.0}, ValueError, "max_seconds is 0.0: give a number above 0"),
        ({"max_seconds": math.nan}, ValueError, "max_seconds is nan"),
        ({"n_jobs": 0}, ValueError, "n_jobs is 0"),
        ({"tol": -0.1}, ValueError, "tol is -0.1"),
        ({"cv": 1}, ValueError, "cv is 1: give a number of folds of at least 2, or None"),
        ({"cv": 2.5}, ValueError, "cv is 2.5: give a number of folds"),
        ({"cv": True}, ValueError, "cv is True: give a number of folds"),
        ({"velocity_range": (0.0, 1.0, 2.0)}, ValueError, "velocity_range is"),
    ],
)
def test_settings_out_of_range(changes, error, message):
    with pytest.raises(error, match=message):
        SearchSettings.of(ParetoSearch(**changes).get_params())


def test_a_numpy_integer_is_a_whole_number():
    assert SearchSettings(n_runs=np.int64(2)).n_runs == 2


def test_settings_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        SearchSettings().n_runs = 3


sizes = st.integers(1, 50)


@given(sizes, sizes, sizes, st.none() | st.integers(1, 10**5))
def test_a_budget_is_shared_out_evenly_and_without_rest(particles, iterations, runs, limit):
    settings = SearchSettings(
        n_particles=particles, n_iterations=iterations, n_runs=runs, max_evaluations=limit
    )
    whole = particles * iterations * runs
    shares = settings.evaluations_of_runs()
    assert sum(shares) == settings.budget == (whole if limit is None else min(limit, whole))
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
    assert SearchSettings(**given).budget == budget


@pytest.mark.parametrize(("n_runs", "at_a_time", "share"), [(1, 1, 6.0), (3, 1, 2.0), (3, 2, 3.0)])
def test_time_is_shared_by_runs_that_go_one_after_the_other(n_runs, at_a_time, share):
    assert SearchSettings(n_runs=n_runs, max_seconds=6.0).seconds_of_a_run(at_a_time) == share
    assert SearchSettings(n_runs=n_runs).seconds_of_a_run(at_a_time) == math.inf


def test_a_search_is_known_by_its_data_and_what_counts_among_its_settings():
    own = SearchSettings(random_state=1).identity(DATA)
    assert SearchSettings(random_state=1, n_jobs=2).identity(DATA) == own
    others = [
        SearchSettings(random_state=2).identity(DATA),
        SearchSettings(random_state=1, n_runs=2).identity(DATA),
        SearchSettings(Objectives(("vus", "accuracy")), random_state=1).identity(DATA),
        SearchSettings(random_state=1).identity(DATA.take(np.arange(3))),
    ]
    assert len({own, *others}) == 5


def test_a_preset_is_a_copy():
    preset_settings("waegeman2008")["n_runs"] = 1
    assert preset_settings("waegeman2008")["n_runs"] == 20
