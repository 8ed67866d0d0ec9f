"""Fits that are stopped: compiled loops listen to nothing but the end of their process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import warnings
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

import cloudpickle

from moselect._types import Floats, Integers

PROGRAM = Path(__file__).with_name("fitting_child.py")

# Processes that wait for the next fit, by the process that started them: to start one costs a
# second. They hold nothing of the fits before.
_waiting: dict[int, list[FittingProcess]] = {}


def fit_within(estimator: Any, X: Floats, y: Integers, seconds: float) -> Any:
    """Fit in another process, which is ended when the time is up.

    It may be called in any thread, and in workers of any kind.

    Parameters
    ----------
    estimator : estimator
        Not fitted.
    X : ndarray of shape (n, p)
        Features.
    y : ndarray of shape (n,)
        Target.
    seconds : float
        How long to wait, from when the process has all it needs.

    Returns
    -------
    estimator
        A fitted copy.

    Raises
    ------
    TimeoutError
        If the time is up.
    RuntimeError
        If the process ended by itself.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> model = fit_within(LinearRegression(), np.array([[0.0], [1.0]]), np.array([0, 1]), 60.0)
    >>> model.coef_
    array([1.])
    """
    waiting = _waiting.setdefault(os.getpid(), [])
    try:
        process = waiting.pop()
        if process.path != sys.path:  # what could not be imported when it began may be by now
            process.end()
            process = FittingProcess()
    except IndexError:
        process = FittingProcess()
    result, messages = process.fit(estimator, X, y, seconds)
    if process.end.alive:
        waiting.append(process)
    for message, category in messages:
        warnings.warn(message, category, stacklevel=3)
    if isinstance(result, Exception):
        raise result
    return result


class FittingProcess:
    """A process that fits what it is sent, until it takes too long.

    Attributes
    ----------
    path : list of str
        Where it looks for modules.
    end : weakref.finalize
        Call it to end the process; at the latest this is done when this process ends.
    """

    def __init__(self) -> None:
        self.path = list(sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self.end = weakref.finalize(self, _end, self._process)

    def fit(
        self, estimator: Any, X: Floats, y: Integers, seconds: float
    ) -> tuple[Any, list[tuple[str, type[Warning]]]]:
        """Return the fitted estimator, or an exception, and the warnings."""
        # Classes of a notebook or script cannot be imported by the other process: they are sent.
        request = cloudpickle.dumps((estimator, X, y))
        late = threading.Event()

        def stop() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        answer = b""
        try:
            if self._has_read(request):  # which took the imports: the fit begins now
                timer.start()
                answer = self._answer()
        finally:
            timer.cancel()
            if timer.ident is not None:
                timer.join()
            if late.is_set() or not answer:
                self.end()
        if answer:
            return pickle.loads(answer)
        name = type(estimator).__name__
        if late.is_set():
            raise TimeoutError(
                f"{name} was not fitted after {seconds:g} seconds: raise max_seconds, fit fewer "
                "rows, or take other settings"
            )
        raise RuntimeError(
            f"the process that fitted {name} ended with code {self._process.returncode}"
        )

    def _has_read(self, request: bytes) -> bool:
        """Send a request; return whether the process has read it, and not ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.write(request)
            self._process.stdin.flush()
        return len(self._process.stdout.read(1)) == 1

    def _answer(self) -> bytes:
        """Return what the process answers, or nothing if it has ended."""
        assert self._process.stdout is not None
        size = int.from_bytes(self._process.stdout.read(8), "big")
        answer = self._process.stdout.read(size)
        return answer if len(answer) == size else b""


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process. One forked from its parent cannot: ``kill`` knows whose child it is."""
    with suppress(OSError), process:
        process.kill()
