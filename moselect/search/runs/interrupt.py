"""Ctrl-C, turned into something a search can heed when it suits it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into a set event, so that a search can end in good order.

    A second one interrupts as usual. Outside the main thread, where signals cannot be caught,
    the event is never set.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def set_stop(signum: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, previous)
        stop.set()

    previous = signal.signal(signal.SIGINT, set_stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, previous)
