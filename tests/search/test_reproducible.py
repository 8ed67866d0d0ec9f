"""The same seed gives the same front, bit for bit."""

import joblib
import numpy as np
import pytest
from pandas.testing import assert_frame_equal
from threadpoolctl import threadpool_info, threadpool_limits

from moselect import ParetoSearch
from moselect.datasets import load_boston

EXACT = {"n_particles": 20, "n_iterations": 6, "cv": None}
CLASSIC = EXACT | {"thresholds": "search"}


def find(settings, callback=None, **changes):
    search = ParetoSearch(**settings, **changes, random_state=3)
    return search.fit(*load_boston(), callback=callback).front_.to_frame()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_processes_find_the_same_front():
    reports = []
    settings = EXACT | {"n_runs": 3}
    with joblib.parallel_config(backend="loky", n_jobs=2):
        front = find(settings, callback=reports.append)
    assert_frame_equal(front, find(settings), check_exact=True)
    assert reports[-1].n_evaluations == 3 * 120
    ends = {progress.run: progress for progress in reports}
    assert [ends[run].run_evaluations for run in range(3)] == [120] * 3
    assert all(progress.run_seconds > 0.0 for progress in reports)


@pytest.mark.checks("Search and thresholds", "one process, to the last bit")
@pytest.mark.parametrize("settings", [EXACT, CLASSIC], ids=["exact", "search"])
def test_any_number_of_jobs_gives_the_same_front(settings):
    fronts = [find(settings, n_runs=3, n_jobs=n_jobs) for n_jobs in (None, 1, 2)]
    for front in fronts[1:]:
        assert_frame_equal(front, fronts[0], check_exact=True)


def test_one_thread_of_blas_is_used(boston):
    # Sums may depend on how many threads share them.
    n_threads = set()

    def look(progress):
        n_threads.update(
            library["num_threads"]
            for library in threadpool_info()
            if library["user_api"] == "blas"
        )

    with threadpool_limits(2, "blas"):
        ParetoSearch(**EXACT, random_state=3).fit(*boston, callback=look)
    assert n_threads == {1}


def test_the_global_random_state_is_neither_used_nor_changed():
    np.random.seed(0)  # noqa: NPY002
    before = find(EXACT)
    np.random.seed(1)  # noqa: NPY002
    drawn = np.random.get_state()[1].copy()  # noqa: NPY002
    assert_frame_equal(find(EXACT), before, check_exact=True)
    np.testing.assert_array_equal(np.random.get_state()[1], drawn)  # noqa: NPY002
