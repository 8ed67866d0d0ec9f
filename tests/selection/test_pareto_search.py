import signal

import numpy as np
import pytest

from moselect import ParetoSearch
from moselect.metrics import accuracy_score

SMALL = {"n_particles": 20, "n_iterations": 6, "cv": None, "random_state": 0}


def test_constant_columns_are_named_and_have_weight_zero(boston):
    X, y = boston
    X = X.assign(always=3.3, never=0.0)
    with pytest.warns(UserWarning, match=r"constant columns .*: always, never$"):
        search = ParetoSearch(**SMALL).fit(X, y)
    weights = search.front_.weights
    np.testing.assert_array_equal((weights == 0.0).all(axis=0), [False] * 13 + [True] * 2)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_ends_the_search_and_keeps_the_front(boston, n_jobs):
    X, y = boston
    before = signal.getsignal(signal.SIGINT)
    interrupted = []

    def interrupt(progress):
        if progress.n_evaluations >= 40 and not interrupted:
            interrupted.append(progress.run)
            signal.raise_signal(signal.SIGINT)

    search = ParetoSearch(
        n_particles=20,
        n_iterations=100_000,
        n_runs=2,
        cv=None,
        n_jobs=n_jobs,
        random_state=0,
    )
    search.fit(X, y, callback=interrupt)
    assert search.interrupted_ is True
    assert 40 <= search.n_evaluations_ < 1_000_000
    assert signal.getsignal(signal.SIGINT) is before
    front = search.front_
    assert accuracy_score(y, front[0].predict(X)) == front.objectives["accuracy"][0]
