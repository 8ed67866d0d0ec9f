import numpy as np
import pytest
from numpy.testing import assert_allclose

from moselect import ParetoSearch
from moselect.samples.samples import Samples
from moselect.search.search_samples import split_holdout
from tests.any_tables import ordinal_table

SMALL = {"n_particles": 20, "n_iterations": 6, "cv": None}


def split(samples, share, rng=None):
    kept, held_out = split_holdout(samples, share, rng or np.random.default_rng(0))
    assert sorted([*kept, *held_out]) == list(range(len(samples)))
    return kept, held_out


CODES = np.repeat([0, 1, 2], [200, 60, 20])


@pytest.mark.parametrize("share", [0.1, 0.25, 0.9])
def test_a_split_is_stratified_and_disjoint(share):
    samples = Samples(np.arange(280.0)[:, None], CODES, np.arange(3))
    kept, held_out = split(samples, share)
    assert np.bincount(CODES[held_out]).tolist() == [200 * share, 60 * share, 20 * share]
    assert (np.diff(kept) > 0).all()
    assert (np.diff(held_out) > 0).all()


def test_a_class_of_early_rows_alone_needs_no_holdout():
    X, y = ordinal_table(90)
    order = np.argsort(-y, kind="stable")
    times = np.arange(90)
    search = ParetoSearch(**SMALL | {"n_iterations": 1}, random_state=0)
    with pytest.raises(ValueError, match="of the latest times, leaves class 1"):
        search.fit(X[order], y[order], times=times)
    search.set_params(holdout=0).fit(X[order], y[order], times=times)
    assert len(search.holdout_rows_) == 0


@pytest.mark.parametrize("seed", range(2))
def test_a_split_never_divides_a_group(seed):
    rng = np.random.default_rng(seed)
    groups = rng.integers(40, size=280)
    samples = Samples(rng.normal(size=(280, 1)), CODES, np.arange(3)).with_sample_info(
        groups=groups
    )
    kept, held_out = split(samples, 0.3, rng)
    assert not set(groups[kept]) & set(groups[held_out])
    assert len(set(groups[held_out])) == 12


X, RANKS = ordinal_table(30)


def hold_out(X):
    search = ParetoSearch(n_particles=5, n_iterations=1, cv=None, random_state=7)
    return search.set_params(holdout=0.3).fit(X, RANKS)


@pytest.fixture(scope="module")
def unseen():
    return hold_out(X).holdout_rows_


def test_the_search_never_uses_the_holdout_rows(unseen):
    assert np.bincount(RANKS[unseen]).tolist() == [3, 3, 3]  # of 10 each
    expected = hold_out(X).front_.weights
    for rows in (unseen, np.setdiff1d(np.arange(30), unseen)[:1]):
        moved = X.copy()
        moved[rows] = 50.0 * X[rows] + 100.0
        found = hold_out(moved).front_.weights
        assert np.array_equal(found, expected) == (rows is unseen)


def test_holdout_values_are_measured_on_the_holdout_rows(unseen, plain_measures):
    front = hold_out(X).front_
    for i, model in enumerate(front):
        scores = model.decision_function(X[unseen])
        expected = plain_measures(scores, model.thresholds_, RANKS[unseen])
        assert_allclose(front.holdout.iloc[i], expected, rtol=1e-12)
