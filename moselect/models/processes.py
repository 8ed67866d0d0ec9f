"""Processes that fit models end with the one that started them."""

from __future__ import annotations

import os
import threading
import time
from functools import cache

SECONDS = 0.5  # between two looks whether the parent is there


def end_with_parent(parent: int) -> None:
    """In a process that process number ``parent`` started: end as soon as that one has ended.

    The processes of joblib would finish what they do, and then wait for minutes.
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
