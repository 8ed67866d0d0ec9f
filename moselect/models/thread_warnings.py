"""Warnings of one thread, caught while others go on: `warnings.catch_warnings` is for one alone."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

_lock = threading.Lock()
_n_users = 0
_usual: _Usual | None = None  # while there are users
_own = threading.local()


class _Usual:
    """The filters of a process as they were, and how it shows warnings."""

    def __init__(self) -> None:
        self._kept = warnings.catch_warnings()
        self._kept.__enter__()
        self._filters = list(warnings.filters)
        self._show = warnings.showwarning
        warnings.simplefilter("always")
        warnings.showwarning = self._route

    def restore(self) -> None:
        self._kept.__exit__(None, None, None)

    def _route(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        lists = getattr(_own, "lists", None)
        if lists:
            lists[-1].append(
                warnings.WarningMessage(message, category, filename, lineno, file, line)
            )
            return
        action = self._action(str(message), category, lineno)
        if action == "error":
            raise message if isinstance(message, Warning) else category(message)
        if action != "ignore":
            self._show(message, category, filename, lineno, file, line)

    def _action(self, text: str, category: type[Warning], lineno: int) -> str:
        """Return what the first filter that fits says; modules are not known here."""
        for action, message, kind, module, line in self._filters:
            known: Any = message  # a pattern, or text in what Python starts with
            fits = known is None or not hasattr(known, "match") or known.match(text)
            if module is None and fits and issubclass(category, kind) and line in (0, lineno):
                return str(action)
        return "default"


@contextmanager
def caught_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Catch all warnings of this thread; those of other threads are shown or not as usual.

    The filters of the process are changed by the first thread to come and restored by the last to
    go, whatever the code in between does to them.

    Examples
    --------
    >>> with caught_warnings() as caught:
    ...     warnings.warn("once", UserWarning)
    ...     warnings.warn("twice", UserWarning)
    >>> [str(warning.message) for warning in caught]
    ['once', 'twice']
    """
    global _n_users, _usual
    with _lock:
        if _n_users == 0:
            _usual = _Usual()
        _n_users += 1
    if not hasattr(_own, "lists"):
        _own.lists = []
    found: list[warnings.WarningMessage] = []
    _own.lists.append(found)
    try:
        yield found
    finally:
        _own.lists.pop()
        with _lock:
            _n_users -= 1
            if _n_users == 0 and _usual is not None:
                _usual.restore()
                _usual = None
