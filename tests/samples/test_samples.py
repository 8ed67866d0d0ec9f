import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from moselect.inference.standard_errors import typical_weights
from moselect.samples.folds import Folds
from moselect.samples.parts import FEWEST_OF_A_CLASS, draw
from moselect.samples.samples import Samples
from tests.without_features import samples_of

SIX = Samples(
    np.arange(12.0).reshape(6, 2), np.array([0, 1, 0, 1, 0, 1]), np.array(["no", "yes"])
)
GROUPS = ["a", "a", "b", "c", "c", "b"]


@given(st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_integer_weights_repeat_samples(drawn):
    counts = [2, 3, *drawn]
    found = SIX.with_sample_info(counts, list("abccba"), weight_type="counts")
    rows = np.repeat(np.arange(6), counts)
    assert_array_equal(found.X, SIX.X[rows])
    assert_array_equal(found.codes, SIX.codes[rows])
    assert_array_equal(found.rows, rows)
    assert_array_equal(found.groups, np.array([0, 1, 2, 2, 1, 0])[rows])
    assert found.weights is None
    assert found.n_units == len(set(found.groups))


@pytest.mark.parametrize(
    "weights", [[0.5, 1.0, 0.0, 2.0, 0.25, 3.0], [10**7, 1, 0, 2, 3, 4]]
)
def test_other_weights_are_relative(weights):
    weights = np.array(weights)
    found = SIX.with_sample_info(weights, weight_type="sampling")
    kept = weights > 0
    assert_array_equal(found.rows, np.flatnonzero(kept))
    assert found.weights.mean() == pytest.approx(1.0)
    assert_allclose(found.weights / found.weights.sum(), weights[kept] / weights.sum())
    assert found.class_sizes.tolist() == [2, 3]
    expected = [weights[::2].sum(), weights[1::2].sum()]
    assert_allclose(found.class_weights, 5 * np.array(expected) / weights.sum())


def test_independent_samples_that_count_are_independent():
    found = SIX.with_sample_info([2, 3, 1, 4, 1, 2], list("abcdef"), weight_type="counts")
    assert found.n_units == 13


def test_a_group_has_the_time_of_its_last_sample(rng):
    """Forward folds do not divide groups and are trained on the past only."""
    n = 200
    groups = rng.integers(60, size=n)
    times = rng.permutation(n)
    samples = Samples(np.arange(float(n))[:, None], np.arange(n) % 2, np.arange(2))
    samples = samples.with_sample_info(groups=groups, times=times)
    for train, test in Folds.of_samples(samples, 4):
        assert not set(groups[train]) & set(groups[test])
        last = [times[groups == group].max() for group in np.unique(groups[test])]
        assert times[train].max() < min(last)


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        (
            {"sample_weight": [1, 1, -1, 1, 1, 1]},
            r"sample_weight\[2\] is -1.0: weights must be",
        ),
        ({"groups": GROUPS[:5]}, "groups has 5 entries, but there are 6 samples"),
        ({"times": [1, 2, np.nan, 4, 5, 6]}, r"times\[2\] is missing"),
    ],
)
def test_invalid_sample_info_is_refused(roles, message):
    with pytest.raises(ValueError, match=message):
        SIX.with_sample_info(**roles)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_cluster_sums_have_the_sandwich_error(grouped, weighted, rng):
    n = 40
    values = rng.normal(size=(2, 40))
    weights = rng.exponential(size=n) if weighted else None
    groups = rng.integers(9, size=n) * 3 if grouped else None  # not consecutive
    samples = samples_of(np.zeros(n, int), weights=weights, groups=groups)
    w = np.ones(n) if weights is None else weights
    mean = np.average(values, axis=1, weights=w)
    cluster_sums = samples.sum_by_cluster(values)
    assert_allclose(cluster_sums.mean(axis=1), mean)
    belongs = np.eye(n) if groups is None else groups == np.unique(groups)[:, None]
    u = len(belongs)
    assert cluster_sums.shape == (2, u)
    centred = samples.sum_by_cluster(values - mean[:, None])
    sums = (w * (values - mean[:, None])) @ belongs.T
    # Cluster-robust variance with the correction u / (u - 1).
    sandwich = (sums**2).sum(axis=1) / w.sum() ** 2 * u / (u - 1)
    assert_allclose(centred.var(axis=1, ddof=1) / u, sandwich)
    # Kish's effective sample size.
    size = w.sum() / typical_weights(samples)[0]  # all samples are of one class
    assert size == pytest.approx(w.sum() ** 2 / (w @ w))


@pytest.mark.parametrize("weighted", [False, True])
def test_a_drawn_part_keeps_the_class_weights(weighted, rng):
    codes = np.repeat([0, 1, 2], [199_000, 980, 20])
    weights = rng.exponential(size=len(codes)) if weighted else None
    population = Samples(
        np.arange(200_000.0)[:, None], codes, np.arange(3), weights=weights
    )
    small = draw(population, 5_000, seed=4)
    large = draw(population, 20_000, seed=4)
    assert small.class_sizes.tolist() == [4_975, FEWEST_OF_A_CLASS, 20]
    assert np.isin(small.X, large.X).all()
    for part in (small, large):
        assert part.weights.mean() == pytest.approx(1.0)
        shares = part.class_weights / part.class_weights.sum()
        assert_allclose(shares, population.class_weights / population.class_weights.sum())
        # Relative weights within a class are kept.
        ratios = (
            part.weights / population.take(part.X[:, 0].astype(int)).sample_weight_or_ones
        )
        assert pd.Series(ratios).groupby(part.codes).std().max() < 1e-12
    assert draw(population, 200_000) is population
