"""Threads of BLAS, and parallel fits: their results and the number of processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from threadpoolctl import threadpool_info, threadpool_limits

from moselect import _parallel
from moselect._parallel import no_report, one_blas_thread, share
from moselect.budgets import PARALLEL
from moselect.models import AdditiveOdds, ProportionalOdds


@pytest.fixture(autouse=True)
def _share_tasks_of_any_length(monkeypatch):
    monkeypatch.setattr(_parallel, "PARALLEL", structs.replace(PARALLEL, seconds=0.0))


def task(number: int) -> tuple[int, int]:
    time.sleep(0.1)
    return number, os.getpid()


def share_of(n: int, n_jobs: int) -> set[int]:
    """Share tasks; returns the processes that did them."""
    found = share([partial(task, number) for number in range(n)], n_jobs, no_report)
    assert [number for number, _ in found] == list(range(n))
    return {process for _, process in found}


def test_no_jobs_are_refused():
    with pytest.raises(ValueError, match="n_jobs is 0: give a number of jobs"):
        share_of(2, 0)


def test_there_are_never_more_processes_than_jobs():
    assert share_of(6, 1) == {os.getpid()}
    for n_jobs in (2, 3):
        others = share_of(6, n_jobs) - {os.getpid()}
        assert 1 <= len(others) <= n_jobs


def fail() -> None:
    raise ValueError("no fit")


def test_new_processes_are_started_after_an_error():
    tasks = [partial(task, 0), partial(task, 1), partial(task, 2), fail]
    with pytest.raises(ValueError, match="no fit"):
        share(tasks, 2, no_report)
    assert len(share_of(6, 2)) > 1


SHARING = """
import functools, os, sys, time
from msgspec import structs
from moselect import _parallel

_parallel.PARALLEL = structs.replace(_parallel.PARALLEL, seconds=0.0)

def task(number):
    print(number, os.getpid(), flush=True)
    time.sleep(0.1 if number == 0 else 60.0)

_parallel.share([functools.partial(task, number) for number in range(6)], 3)
"""


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_their_parent(tmp_path, sent):
    (tmp_path / "sharing.py").write_text(SHARING)
    with subprocess.Popen(
        [sys.executable, tmp_path / "sharing.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"LOKY_MAX_CPU_COUNT": "3"},
    ) as parent:
        begun = [parent.stdout.readline().split() for _ in range(4)]
        workers = {int(process) for _, process in begun} - {parent.pid}
        assert 2 <= len(workers) <= 3
        parent.send_signal(sent)
        errors = parent.communicate(timeout=60)[1]
    limit = time.monotonic() + 10
    while any(Path(f"/proc/{process}").exists() for process in workers):
        assert time.monotonic() < limit
        time.sleep(0.1)
    # Only the parent prints a traceback.
    assert errors.count("Traceback") == (sent == signal.SIGINT)


def blas_threads():
    return {
        library["num_threads"]
        for library in threadpool_info()
        if library["user_api"] == "blas"
    }


@pytest.fixture
def two_threads():
    with threadpool_limits(limits=2, user_api="blas"):
        if blas_threads() != {2}:
            pytest.skip("this BLAS has one thread only")
        yield


@pytest.mark.usefixtures("two_threads")
def test_the_limit_holds_and_is_lifted_even_by_an_error():
    with pytest.raises(ZeroDivisionError), one_blas_thread():  # noqa: PT012
        assert blas_threads() == {1}
        raise ZeroDivisionError
    assert blas_threads() == {2}


@pytest.mark.parametrize(
    "model", [ProportionalOdds(), ProportionalOdds(alpha="cv"), AdditiveOdds()]
)
@pytest.mark.usefixtures("two_threads")
def test_models_do_not_depend_on_the_number_of_threads(smooth, model):
    X, y = smooth(seed=0, r=4, n=1_500, p=12)
    two = model.fit(X, y).predict_proba(X)
    with threadpool_limits(1, "blas"):
        np.testing.assert_array_equal(model.fit(X, y).predict_proba(X), two)
