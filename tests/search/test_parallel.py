"""The same front from threads and processes; Ctrl-C."""

import signal
import threading

import joblib
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.search.parallel_runs import stop_on_interrupt

SETTINGS = {
    "n_particles": 30,
    "n_iterations": 12,
    "n_runs": 3,
    "cv": None,
    "random_state": 3,
}


def fit(boston, **changes):
    reports = []
    search = ParetoSearch(**SETTINGS, **changes).fit(*boston, callback=reports.append)
    assert search.n_evaluations_ == reports[-1].n_evaluations == 1080
    ends = {progress.run: progress for progress in reports}
    assert [ends[run].run_evaluations for run in range(3)] == [360] * 3
    assert all(progress.run_seconds > 0.0 for progress in reports)
    return search.front_.to_frame()


@pytest.fixture(scope="module")
def front(boston):
    return fit(boston)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_processes_find_the_same_front(boston, front):
    with joblib.parallel_config(backend="loky", n_jobs=2):
        pd.testing.assert_frame_equal(fit(boston), front, check_exact=True)


@pytest.fixture(autouse=True)
def interrupts_enabled():
    """Enable SIGINT, which background processes of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_first_interrupt_sets_an_event_and_the_second_interrupts():
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt() as stop:  # noqa: PT012
        assert not stop.is_set()
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set()
        signal.raise_signal(signal.SIGINT)


def test_signal_handlers_are_unchanged_outside_the_main_thread():
    before = signal.getsignal(signal.SIGINT)
    reports = []

    def enter():
        with stop_on_interrupt() as stop:
            reports.append((signal.getsignal(signal.SIGINT), stop.is_set()))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert reports == [(before, False)]
