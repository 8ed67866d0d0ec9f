"""The same search, selection, comparison and tuning by a Dask cluster and in one process."""

import os
import signal
import threading
import time
from functools import partial

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import moselect
from moselect import ParetoSearch
from moselect._parallel import run_tasks
from tests.any_tables import ordinal_table

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::UserWarning"),
]


@pytest.fixture
def cluster():
    """Return a cluster of two worker processes."""
    distributed = pytest.importorskip("distributed", reason="needs the extra dask")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        yield cluster


COSTS = [1, 1, 1, 5, 5]


def search_and_select(X, y):
    search = ParetoSearch(n_particles=20, n_iterations=3, n_runs=2, random_state=1)
    search.fit(X, y)
    evidence = search.select(class_costs=COSTS).evidence
    return search.front_.to_frame(), evidence.candidates.drop(columns="seconds")


def compare(X, y):
    models = ["linear", "scorecard", "random_forest"]
    found = moselect.compare(models, X, y, costs=COSTS, random_state=1)
    return (found.candidates.drop(columns="seconds"),)


def tune(X, y):
    found = moselect.tune(
        {"logistic": (LogisticRegression(), {"C": [0.01, 0.1, 1.0, 10.0]})},
        X,
        y,
        n_trials=4,
        random_state=1,
    )
    return (found.trials_.drop(columns="seconds"),)


def kill_at_work(cluster):
    """Kill the first worker that processes a task."""
    while True:
        for state in [*cluster.scheduler.workers.values()]:
            if state.processing:
                os.kill(cluster.workers[state.name].pid, signal.SIGKILL)
                return
        time.sleep(0.01)


@pytest.mark.parametrize("task", [search_and_select, compare, tune])
@pytest.mark.parametrize("killed", [False, True])
def test_the_result_is_that_of_one_process(boston, cluster, task, killed):
    X, y = (part[:200] for part in boston)
    expected = task(X, y)
    killer = threading.Thread(target=kill_at_work, args=(cluster,), daemon=True)
    if killed:
        killer.start()
    with joblib.parallel_config(backend="dask"):
        found = task(X, y)
    assert not killer.is_alive()
    for part, expected_part in zip(found, expected, strict=True):
        pd.testing.assert_frame_equal(part, expected_part, check_exact=True)


@pytest.mark.parametrize("are_lost", [False, True])
def test_data_are_sent_once_and_again_if_all_workers_are_lost(cluster, are_lost):
    numbers = np.arange(100_000.0)
    tasks = [partial(np.quantile, numbers, share) for share in (0.0, 0.5, 1.0)]
    expected = [task() for task in tasks]
    with joblib.parallel_config(backend="dask"):
        assert run_tasks(tasks, None) == expected
        if are_lost:
            for worker in cluster.workers.values():
                os.kill(worker.pid, signal.SIGKILL)
        assert run_tasks(tasks, None) == expected
    sent = [key for key in cluster.scheduler.tasks if key.startswith("_keep")]
    assert len(sent) == 1


def test_integers_arrive_as_they_were(cluster):
    arrays = [np.arange(-2000, 2000, dtype=dtype) % 300 for dtype in (np.int64, np.int32)]
    tasks = [partial(np.multiply, array, 1) for array in (*arrays, arrays[0] < 200)]
    with joblib.parallel_config(backend="dask"):
        for found, task in zip(run_tasks(tasks, None), tasks, strict=True):
            np.testing.assert_array_equal(found, task(), strict=True)


def test_a_selection_sends_little_but_its_table(cluster):
    from distributed.diagnostics.plugin import SchedulerPlugin

    class SharedBytes(SchedulerPlugin):
        def __init__(self):
            self.sizes = {}

        def transition(self, key, start, finish, *args, nbytes=0, **kwargs):
            if key.startswith("_keep") and finish == "memory":
                self.sizes[key] = nbytes

    X, y = ordinal_table(1500, 20)
    search = ParetoSearch(n_particles=20, n_iterations=3, random_state=1).fit(X, y)
    shared = SharedBytes()
    cluster.scheduler.add_plugin(shared)
    with joblib.parallel_config(backend="dask"):
        search.select(class_costs=[1, 1, 5])
    assert 1.0 <= sum(shared.sizes.values()) / (8 * X.size) <= 1.2
