"""Fits that several processes share: what they return, and how many processes there are."""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from moselect import _processes
from moselect._processes import say_nothing, share
from tests import children as children_of_tests


@pytest.fixture(autouse=True)
def _every_process_is_worth_its_start(monkeypatch):
    monkeypatch.setattr(_processes, "WORTH_A_PROCESS", 0.0)
    yield
    _processes._others_of(os.getpid()).end()


def task(number: int) -> tuple[int, int]:
    time.sleep(0.1)
    return number, os.getpid()


def share_of(n: int, n_jobs: int) -> set[int]:
    """Share tasks; returns the processes that did them."""
    found = share([partial(task, number) for number in range(n)], n_jobs, say_nothing)
    assert [number for number, _ in found] == list(range(n))
    return {process for _, process in found}


def children() -> set[int]:
    """Return the processes that this one started and that run Python code of a pool."""
    found = set()
    for path in Path("/proc/self/task").glob("*/children"):
        for child in map(int, path.read_text().split()):
            command = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"popen_loky" in command:
                found.add(child)
    return found


@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="counts processes as Linux does"
)
def test_there_are_never_more_processes_than_jobs():
    others = children()  # of joblib's own, from tests before
    assert len(share_of(6, 3)) > 1
    first = children() - others
    assert len(first) == 2  # and this one
    share_of(2, 3)  # needs one other
    assert children() - others == first
    share_of(6, 2)
    assert len(children() - others) == 1


def test_short_tasks_are_shared_with_processes_that_are_there_and_start_none(monkeypatch):
    monkeypatch.setattr(_processes, "WORTH_A_PROCESS", 4.0)
    assert share_of(4, 3) == {os.getpid()}
    monkeypatch.setattr(_processes, "WORTH_A_PROCESS", 0.0)
    assert len(share_of(4, 2)) == 2
    monkeypatch.setattr(_processes, "WORTH_A_PROCESS", 4.0)
    assert len(share_of(6, 2)) == 2
    assert share_of(6, 4) == {os.getpid()}  # of two that are wanted one is there


def test_a_thread_that_finds_them_taken_does_its_tasks_alone():
    both = threading.Thread(target=share_of, args=(12, 2))
    both.start()
    while not _processes._others_of(os.getpid()).taken.locked():
        time.sleep(0.01)
    assert share_of(2, 3) == {os.getpid()}
    both.join()
    assert len(share_of(6, 2)) == 2


def fail() -> None:
    raise ValueError("no fit")


def test_after_an_error_new_ones_are_started():
    tasks = [partial(task, 0), partial(task, 1), partial(task, 2), fail]
    with pytest.raises(ValueError, match="no fit"):
        share(tasks, 2, say_nothing)
    assert len(share_of(6, 2)) == 2


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_copy_does_not_wait_for_processes_of_its_parent():
    assert len(share_of(6, 2)) == 2
    copy = children_of_tests.fork(lambda: len(share_of(6, 2)) - 2)
    limit = time.monotonic() + 60
    while (ended := os.waitpid(copy, os.WNOHANG)) == (0, 0):
        if time.monotonic() > limit:
            os.kill(copy, signal.SIGKILL)
        time.sleep(0.1)
    assert ended[1] == 0
