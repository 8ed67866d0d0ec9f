"""One thread for BLAS while it matters, and parts of a batch in several threads."""

from __future__ import annotations

import os
import pickle
import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from moselect.models import AdditiveOdds, ProportionalOdds
from moselect.models.threads import ThreadTeam, count_threads, one_blas_thread


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def _two_threads():
    with threadpool_limits(limits=2, user_api="blas"):
        if blas_threads() != {2}:
            pytest.skip("this BLAS has one thread only")
        yield


def test_the_limit_holds_and_is_lifted():
    with one_blas_thread():
        assert blas_threads() == {1}
    assert blas_threads() == {2}


def test_nested_limits_are_lifted_by_the_outermost():
    with one_blas_thread():
        with one_blas_thread():
            assert blas_threads() == {1}
        assert blas_threads() == {1}
    assert blas_threads() == {2}


def test_an_error_lifts_the_limit():
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        raise ZeroDivisionError
    assert blas_threads() == {2}


def test_a_decorated_function_is_held_to_it_every_time():
    @one_blas_thread()
    def look():
        return blas_threads()

    assert [look(), look()] == [{1}, {1}]
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


def test_many_threads_that_come_and_go_leave_it_as_it_was():
    seen = set()

    def come_and_go():
        for _ in range(20):
            with one_blas_thread():
                seen.update(blas_threads())

    threads = [threading.Thread(target=come_and_go) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {1}
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


def test_numbers_of_threads_are_counted_as_joblib_does():
    assert (count_threads(None), count_threads(1), count_threads(3)) == (1, 1, 3)
    every = count_threads(-1)
    assert every >= 1
    assert count_threads(-2) == max(1, every - 1)
    assert count_threads(-10_000) == 1


@pytest.mark.parametrize("n_jobs", [0, True, 1.5, "all"])
def test_bad_numbers_of_threads(n_jobs):
    with pytest.raises(ValueError, match="n_jobs is"):
        count_threads(n_jobs)


@pytest.mark.parametrize("n_threads", [1, 2, 5, 30])
def test_every_part_is_done_once(n_threads):
    done, team = [], ThreadTeam()
    for first in (0, 20):
        parts = [slice(i, i + 1) for i in range(first, first + 20)]
        team.work_on(parts, lambda part: done.append(part.start), n_threads)
    assert sorted(done) == list(range(40))


def test_no_parts_are_no_work():
    ThreadTeam().work_on([], lambda part: pytest.fail("there is nothing to do"), 3)


def meet(team, n_threads):
    """Return the threads that do a work which needs all of them at once."""
    meeting, seen = threading.Barrier(n_threads, timeout=30), set()

    def work(part):
        meeting.wait()
        seen.add(threading.current_thread())

    team.work_on([slice(i, i + 1) for i in range(n_threads)], work, n_threads)
    return seen


def test_threads_stay_with_their_team_and_go_with_it():
    team = ThreadTeam()
    threads = meet(team, 3)
    assert meet(team, 3) == threads
    assert not meet(pickle.loads(pickle.dumps(team)), 2) & threads - {threading.current_thread()}
    del team
    for thread in threads - {threading.current_thread()}:
        thread.join(30)
        assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_forked_process_starts_threads_of_its_own():
    team = ThreadTeam()
    meet(team, 2)
    child = os.fork()
    if child == 0:
        os._exit(0 if len(meet(team, 2)) == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_nobody_works_on_after_an_error():
    meeting, begun, ended = threading.Barrier(2, timeout=30), [], []

    def work(part):
        begun.append(part)
        if len(begun) <= 2:
            meeting.wait()
        if threading.current_thread() is threading.main_thread():
            raise ZeroDivisionError
        ended.append(part)

    with pytest.raises(ZeroDivisionError):
        ThreadTeam().work_on([slice(i, i + 1) for i in range(50)], work, 2)
    seen = len(ended)
    assert len(begun) == seen + 1


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
