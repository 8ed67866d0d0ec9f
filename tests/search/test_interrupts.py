"""Ctrl-C during a search."""

import signal
import threading

import pytest

from moselect.search.parallel_runs import stop_on_interrupt


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
