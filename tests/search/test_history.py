from __future__ import annotations

import numpy as np
import pytest

import moselect
from moselect.pareto import hypervolume_above_chance
from moselect.search import History


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
    assert table["n_evaluations"].tolist() == [*range(20, 241, 20)]
    for row in table.itertuples():
        exact = hypervolume_above_chance(*seen[row.n_evaluations])
        assert row.hypervolume == pytest.approx(exact, abs=5e-3)
    assert table["hypervolume"].iloc[-1] > table["hypervolume"].iloc[0]
    assert (np.diff(table["seconds"]) > 0.0).all()
