"""Threads of BLAS, and parallel fits: their results and the number of processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from moselect._parallel import one_blas_thread, run_tasks
from moselect.models import AdditiveOdds, ProportionalOdds
from tests.any_tables import ordinal_table


def test_no_jobs_are_refused():
    with pytest.raises(ValueError, match="n_jobs is 0: give a number of jobs"):
        run_tasks([os.getpid], 0)


RUNNING = """
import functools, os, signal, sys, time
from moselect._parallel import run_tasks

# A background job of a shell ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

def task(number):
    # in one write: lines of processes do not mix
    os.write(1, f"{number} {os.getpid()}\\n".encode())
    time.sleep(60.0)

run_tasks([functools.partial(task, number) for number in range(6)], 3)
"""


@pytest.mark.slow
def test_processes_end_when_their_parent_is_interrupted(tmp_path):
    (tmp_path / "running.py").write_text(RUNNING)
    with subprocess.Popen(
        [sys.executable, tmp_path / "running.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"LOKY_MAX_CPU_COUNT": "3"},
    ) as parent:
        begun = [parent.stdout.readline().split() for _ in range(3)]
        workers = {int(process) for _, process in begun}
        assert 2 <= len(workers) <= 3
        parent.send_signal(signal.SIGINT)
        errors = parent.communicate(timeout=60)[1]
    limit = time.monotonic() + 10
    while any(Path(f"/proc/{process}").exists() for process in workers):
        assert time.monotonic() < limit
        time.sleep(0.1)
    # Only the parent prints a traceback.
    assert errors.count("Traceback") == 1


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
def test_models_do_not_depend_on_the_number_of_threads(model):
    X, y = ordinal_table(1_500, 12, r=4)
    two = model.fit(X, y).predict_proba(X)
    with threadpool_limits(1, "blas"):
        np.testing.assert_array_equal(model.fit(X, y).predict_proba(X), two)
