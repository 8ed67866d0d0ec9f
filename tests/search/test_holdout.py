import numpy as np
import pytest

from moselect import ParetoSearch
from moselect.metrics import ranking_scores
from moselect.samples.samples import Samples
from moselect.search.search_samples import split_holdout
from tests.any_tables import ordinal_table

SMALL = {"n_particles": 20, "n_iterations": 6, "cv": None}


def split(samples, share, rng=None):
    kept, held_out = split_holdout(samples, share, rng or np.random.default_rng(0))
    assert sorted([*kept, *held_out]) == list(range(len(samples)))
    return kept, held_out


@pytest.mark.parametrize("share", [0.1, 0.25, 0.9])
def test_a_split_is_stratified_and_disjoint(share):
    codes = np.repeat([0, 1, 2], [200, 60, 20])
    samples = Samples(np.arange(280.0)[:, None], codes, np.arange(3))
    kept, held_out = split(samples, share)
    assert np.bincount(codes[held_out]).tolist() == [200 * share, 60 * share, 20 * share]
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
    codes = np.repeat([0, 1, 2], [200, 60, 20])
    groups = rng.integers(40, size=280)
    samples = Samples(rng.normal(size=(280, 1)), codes, np.arange(3)).with_sample_info(
        groups=groups
    )
    kept, held_out = split(samples, 0.3, rng)
    assert not set(groups[kept]) & set(groups[held_out])
    assert len(set(groups[held_out])) == 12


@pytest.fixture(scope="module")
def table():
    return ordinal_table(30)


def hold_out(X, ranks):
    return ParetoSearch(
        holdout=0.3, cv=None, n_particles=5, n_iterations=1, random_state=7
    ).fit(X, ranks)


@pytest.fixture(scope="module")
def unseen(table):
    return hold_out(*table).holdout_rows_


def test_the_search_never_uses_the_holdout_rows(table, unseen):
    X, ranks = table
    assert np.bincount(ranks[unseen]).tolist() == [3, 3, 3]  # of 10 each
    expected = hold_out(X, ranks).front_.weights
    for rows in (unseen, np.setdiff1d(np.arange(30), unseen)[:1]):
        moved = X.copy()
        moved[rows] = 50.0 * X[rows] + 100.0
        found = hold_out(moved, ranks).front_.weights
        assert np.array_equal(found, expected) == (rows is unseen)


def test_holdout_values_are_measured_on_the_holdout_rows(table, unseen):
    X = table[0][unseen]
    ranks = table[1][unseen]
    front = hold_out(*table).front_
    for i, model in enumerate(front):
        predicted = model.predict(X)
        errors = [(predicted == ranks).mean(), 1.0 - np.abs(predicted - ranks).mean()]
        expected = [*errors, *ranking_scores(ranks, model.decision_function(X))]
        np.testing.assert_allclose(front.holdout.iloc[i], expected, rtol=1e-14)


@pytest.mark.slow
def test_select_uses_the_rows_of_the_search_only(table, unseen):
    X, ranks = table
    moved = X.copy()
    moved[unseen] = -X[unseen]
    chosen, unmoved = (
        hold_out(x, ranks).select(class_costs=[1, 2, 5], model="linear")
        for x in (moved, X)
    )
    np.testing.assert_array_equal(chosen.coef_, unmoved.coef_)
    np.testing.assert_array_equal(chosen.thresholds_, unmoved.thresholds_)
