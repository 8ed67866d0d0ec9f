"""One thread for BLAS while it matters."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from moselect._threads import one_blas_thread
from moselect.models import AdditiveOdds, ProportionalOdds


def blas_threads():
    return {
        pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"
    }


@pytest.fixture(autouse=True)
def _two_threads():
    with threadpool_limits(limits=2, user_api="blas"):
        if blas_threads() != {2}:
            pytest.skip("this BLAS has one thread only")
        yield


def fail_with_one_thread():
    with one_blas_thread():
        assert blas_threads() == {1}
        raise ZeroDivisionError


def test_the_limit_holds_and_is_lifted_even_by_an_error():
    with pytest.raises(ZeroDivisionError):
        fail_with_one_thread()
    assert blas_threads() == {2}


def test_the_last_thread_to_go_lifts_the_limit():
    second_is_in, first_is_out = threading.Event(), threading.Event()
    seen = []

    def second():
        with one_blas_thread():
            second_is_in.set()
            assert first_is_out.wait(30)
            seen.append(blas_threads())

    thread = threading.Thread(target=second)
    with one_blas_thread():
        thread.start()
        assert second_is_in.wait(30)
    first_is_out.set()
    thread.join()
    assert seen == [{1}]
    assert blas_threads() == {2}


def test_a_thread_may_come_and_go_while_another_holds_a_limit_of_its_own():
    seen = []

    def come_and_go():
        with one_blas_thread():
            seen.append(blas_threads())
        seen.append(blas_threads())

    thread = threading.Thread(target=come_and_go)
    with threadpool_limits(limits=2, user_api="blas"):
        thread.start()
        thread.join()
    assert seen == [{1}, {2}]


@pytest.mark.parametrize(
    "model", [ProportionalOdds(), ProportionalOdds(alpha="cv"), AdditiveOdds()]
)
def test_models_do_not_depend_on_the_threads_of_sums(model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1_500, 12))
    y = np.digitize(X @ rng.normal(size=12) + rng.logistic(size=len(X)), [-2.0, 0.0, 2.0])
    two = model.fit(X, y).predict_proba(X)
    with threadpool_limits(1, "blas"):
        np.testing.assert_array_equal(model.fit(X, y).predict_proba(X), two)
