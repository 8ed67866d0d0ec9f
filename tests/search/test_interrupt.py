from __future__ import annotations

import signal
import threading

import pytest

from moselect.search.parallel_runs import stop_on_interrupt


@pytest.fixture(autouse=True)
def heeded():
    """Heed SIGINT, which a shell tells what it starts in the background to ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


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


def test_outside_the_main_thread_signals_are_left_alone():
    before, seen = signal.getsignal(signal.SIGINT), []

    def enter():
        with stop_on_interrupt() as stop:
            seen.append((signal.getsignal(signal.SIGINT), stop.is_set()))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [(before, False)]
