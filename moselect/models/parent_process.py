"""Processes that end with the one that started them: joblib's go on for minutes."""

from __future__ import annotations

import os
import threading
import time
from functools import cache

SECONDS = 0.5  # between two looks


def end_with_parent(parent: int) -> None:
    """In a process that process number ``parent`` started: end as soon as that one has ended.

    Examples
    --------
    >>> end_with_parent(os.getpid())  # nothing to do in that process itself
    """
    if parent == os.getppid():
        _watch(parent)


@cache
def _watch(parent: int) -> None:
    def look() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()
