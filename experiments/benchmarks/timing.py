"""Times of tasks side by side in one process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np


def median_seconds(
    tasks: dict[str, Callable[[], Any]], repetitions: int
) -> dict[str, float]:
    """Run all tasks in turn, so that a slow moment of the machine meets all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():
        task()
    for _ in range(repetitions):
        for name, task in tasks.items():
            started = time.perf_counter()
            task()
            seconds[name].append(time.perf_counter() - started)
    return {name: float(np.median(spent)) for name, spent in seconds.items()}
