"""Fits in processes, which can be stopped, and which end with the one that started them."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
import warnings
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import Any

import cloudpickle
from joblib.externals.loky import ProcessPoolExecutor

from moselect._types import Floats, Integers

SECONDS = 0.5  # between two looks whether the parent is there
IDLE = 10.0  # seconds after which a process that nobody sends anything ends

# Processes that wait for the next fit, by the process that started them: a start takes a second.
_waiting: dict[int, list[ProcessPoolExecutor]] = {}
_request: Any = None  # in such a process: what it is to fit


def fit_within(estimator: Any, X: Floats, y: Integers, seconds: float) -> Any:
    """Fit in another process, which is ended when the time is up; return a fitted copy.

    It may be called in any thread. The time begins when the process has all it needs. In a worker
    that may have no processes of its own there is no limit.

    Raises TimeoutError if the time is up, RuntimeError if the process ended by itself.
    """
    if multiprocessing.current_process().daemon:
        return estimator.fit(X, y)
    name = type(estimator).__name__
    waiting = _waiting.setdefault(os.getpid(), [])
    process = waiting.pop() if waiting else ProcessPoolExecutor(max_workers=1, timeout=IDLE)
    try:
        # Classes of a notebook or script cannot be imported by the other process: they are sent.
        request = cloudpickle.dumps((estimator, X, y))
        process.submit(_receive, os.getpid(), sys.path, request).result()
        fitted, caught = process.submit(_fit).result(seconds)
    except BaseException as error:
        process.shutdown(kill_workers=True)
        if isinstance(error, TimeoutError):
            raise TimeoutError(
                f"{name} was not fitted after {seconds:g} seconds: raise max_seconds, fit fewer "
                "rows, or take other settings"
            ) from None
        if isinstance(error, BrokenProcessPool):
            raise RuntimeError(f"the process that fitted {name} ended") from error
        raise
    waiting.append(process)
    for message, category in caught:
        warnings.warn(message, category, stacklevel=3)
    if isinstance(fitted, Exception):
        raise fitted
    return fitted


def _receive(parent: int, path: list[str], request: bytes) -> None:
    global _request
    end_with_parent(parent)
    sys.path[:] = path
    _request = cloudpickle.loads(request)


def _fit() -> tuple[Any, list[tuple[str, type[Warning]]]]:
    """Return the fitted estimator, or what went wrong, and the warnings."""
    estimator, X, y = _request
    fitted: Any
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            fitted = estimator.fit(X, y)
        except Exception as error:  # noqa: BLE001 - the asking process raises it
            fitted = error
    return fitted, [(str(warning.message), warning.category) for warning in caught]


def end_with_parent(parent: int) -> None:
    """In a process that process number ``parent`` started: end as soon as that one has ended."""
    if parent == os.getppid():
        _watch(parent)


@cache
def _watch(parent: int) -> None:
    def look() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()
