import itertools
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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_the_best_member_is_the_cheapest_of_all_directions_and_thresholds(awkward, seed):
    X, y = awkward(seed, 3, n=24)
    X = X.drop(columns="constant")
    y = y.to_numpy()
    rng = np.random.default_rng(seed)
    costs = np.round(10 * rng.random((3, 3))) * (1 - np.eye(3))
    search = ParetoSearch(**SMALL | {"cv": 2}).fit(X, y)
    cheapest = np.inf
    for model in search.front_:
        scores = model.decision_function(X)
        cut_points = [-np.inf, *np.unique(scores)]
        for thresholds in itertools.combinations_with_replacement(cut_points, 2):
            predicted = (scores[:, None] > np.array(thresholds)).sum(axis=1)
            cheapest = min(cheapest, costs[y - 1, predicted].mean())
    evidence = search.select(cost_matrix=costs, model="proportional odds").evidence
    assert evidence.candidates.loc["best member", "train"] == pytest.approx(
        cheapest, rel=1e-12
    )
