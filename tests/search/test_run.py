from __future__ import annotations

import signal
import threading

import numpy as np
import pytest

from moselect.search import OrdinalProblem
from moselect.search.run import run_swarm, stop_on_interrupt
from moselect.search.swarm import DirectionSwarm


@pytest.fixture
def problem(smooth):
    return OrdinalProblem(*smooth(seed=0, r=3, n=30, p=3))


def run(problem, budget, report=lambda done, points: None, stop=None):
    swarm = DirectionSwarm(problem, np.arange(6), 10, np.eye(3), np.random.default_rng(0))
    return swarm, run_swarm(problem, swarm, budget, report, stop or threading.Event())


@pytest.mark.parametrize("budget", [0, 1, 9, 10, 11, 37])
def test_a_budget_is_used_up_and_no_more(problem, budget):
    reported = []
    swarm, done = run(problem, budget, lambda done, points: reported.append((done, len(points))))
    assert done == budget
    assert [n for n, _ in reported] == [*range(10, budget, 10), budget][: len(reported)]
    assert len(reported) == -(-budget // 10)
    assert (len(swarm.archive) > 0) == (budget > 0)


def test_a_run_stops_after_the_round_in_which_it_is_asked_to(problem):
    stop = threading.Event()

    def report(done, points):
        if done == 20:
            stop.set()

    assert run(problem, 1000, report, stop)[1] == 20


def test_the_first_interrupt_sets_an_event_and_the_second_interrupts():
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt() as stop:  # noqa: PT012
        assert not stop.is_set()
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set()
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("n_interrupts", [0, 1])
def test_the_handler_is_put_back(n_interrupts):
    before = signal.getsignal(signal.SIGINT)
    with stop_on_interrupt():
        assert signal.getsignal(signal.SIGINT) is not before
        for _ in range(n_interrupts):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_the_handler_is_put_back_after_an_error():
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ZeroDivisionError), stop_on_interrupt():
        raise ZeroDivisionError
    assert signal.getsignal(signal.SIGINT) is before


def test_outside_the_main_thread_signals_are_left_alone():
    before, seen = signal.getsignal(signal.SIGINT), []

    def enter():
        with stop_on_interrupt() as stop:
            seen.append((signal.getsignal(signal.SIGINT), stop.is_set()))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [(before, False)]
