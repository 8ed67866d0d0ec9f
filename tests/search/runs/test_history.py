from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.pareto import hypervolume_above_chance
from moselect.search import History, SearchProgress


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    return X, np.digitize(X[:, 0] + rng.normal(size=80), [-0.5, 0.5])


def search(**settings):
    return moselect.ParetoSearch(n_particles=20, cv=None, random_state=0, **settings)


@pytest.mark.parametrize("thresholds", ["exact", "search"])
def test_hypervolumes_are_those_of_the_archive_at_the_time(data, thresholds):
    history, seen = History(), {}

    def record(progress):
        history(progress)
        seen[progress.run_evaluations] = progress.points.copy(), progress.chance

    search(n_iterations=12, thresholds=thresholds).fit(*data, callback=record)
    table = history.table
    assert table["n_evaluations"].tolist() == [20, 40, 60, 80, 100, 140, 180, 240]
    for row in table.itertuples():
        exact = hypervolume_above_chance(*seen[row.n_evaluations])
        assert row.hypervolume == pytest.approx(exact, abs=5e-3)
    assert table["hypervolume"].iloc[-1] > table["hypervolume"].iloc[0]
    assert (np.diff(table["seconds"]) > 0.0).all()


def test_the_last_round_is_measured_and_the_front_is_the_same(data):
    history = History()
    one = search(n_iterations=8).fit(*data, callback=history)
    other = search(n_iterations=8).fit(*data)
    pd.testing.assert_frame_equal(one.front_.objectives, other.front_.objectives)
    table = history.table
    assert table["n_evaluations"].tolist() == [20, 40, 60, 80, 100, 140, 160]
    assert table["hypervolume"].iloc[-1] == pytest.approx(one.front_.hypervolume, abs=5e-3)
    pd.testing.assert_frame_equal(table, history.table)


def test_what_is_not_measured_yet_is_kept_as_it_was():
    history, points = History(), np.full((1, 2), 0.5)
    history(SearchProgress(0, 10, 20, points, np.zeros(2), 10, 0.1, 50))
    history(SearchProgress(0, 11, 20, points, np.zeros(2), 11, 0.2, 50))
    points[:] = 1.0  # the archive goes on
    assert history.table.to_numpy().tolist() == [[0, 10, 0.25, 0.1], [0, 11, 0.25, 0.2]]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_runs_are_recorded_apart(data, n_jobs):
    history = History()
    search(n_iterations=4, n_runs=3, n_jobs=n_jobs).fit(*data, callback=history)
    table = history.table
    assert table["run"].tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert table["n_evaluations"].tolist() == [20, 40, 60, 80] * 3
    alone = History()
    search(n_iterations=4, n_runs=3).fit(*data, callback=alone)
    np.testing.assert_array_equal(table["hypervolume"], alone.table["hypervolume"])
