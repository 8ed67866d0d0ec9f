from __future__ import annotations

import threading
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from moselect import compare
from moselect.models.thread_warnings import caught_warnings


def in_turns(*steps):
    """Run the steps of two threads, each a generator, one after the other in the order given."""
    turns = [threading.Semaphore(0) for _ in steps]
    ended = [threading.Semaphore(0) for _ in steps]

    def walk(i, generator):
        turns[i].acquire()
        for _ in generator:
            ended[i].release()
            turns[i].acquire()
        ended[i].release()

    threads = [threading.Thread(target=walk, args=(i, step())) for i, step in enumerate(steps)]
    for thread in threads:
        thread.start()
    return turns, ended, threads


def test_threads_that_overlap_leave_no_filters_behind():
    found = {}

    def catcher(name):
        def steps():
            with caught_warnings() as caught:
                yield
                warnings.warn(name, UserWarning, stacklevel=1)
                yield
            found[name] = [str(warning.message) for warning in caught]

        return steps

    before, show = list(warnings.filters), warnings.showwarning
    turns, ended, threads = in_turns(catcher("first"), catcher("second"))
    for i in (0, 1, 0, 1, 0, 1):  # the first one comes first and leaves first
        turns[i].release()
        ended[i].acquire()
    for thread in threads:
        thread.join()
    assert found == {"first": ["first"], "second": ["second"]}
    assert list(warnings.filters) == before
    assert warnings.showwarning is show


def test_other_threads_see_their_warnings_as_usual():
    raised = []

    def other():
        try:
            warnings.warn("an error here", UserWarning, stacklevel=1)
        except UserWarning as error:
            raised.append(str(error))
        warnings.warn("not of interest", DeprecationWarning, stacklevel=1)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DeprecationWarning)
        with caught_warnings() as caught:
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
    assert caught == []
    assert raised == ["an error here"]


def test_nested_ones_catch_their_own():
    with caught_warnings() as outer:
        with caught_warnings() as inner:
            warnings.warn("inside", UserWarning, stacklevel=1)
        warnings.warn("outside", UserWarning, stacklevel=1)
    assert [str(w.message) for w in inner] == ["inside"]
    assert [str(w.message) for w in outer] == ["outside"]


class Meeting(ClassifierMixin, BaseEstimator):
    """Fits of two comparisons that wait for each other."""

    met = threading.Barrier(2)

    def fit(self, X, y):
        self.met.wait(60)
        warnings.warn("told", UserWarning, stacklevel=1)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.mark.slow
def test_comparisons_in_threads_leave_filters_as_they_were():
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
    before, results = list(warnings.filters), []

    def run():
        results.append(compare({"meeting": Meeting()}, X, y, cv=2, random_state=0))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = [fold.warnings for one in results for fold in one.results["meeting"].held_out]
    assert told == [("UserWarning: told",)] * 4
    assert list(warnings.filters) == before
