"""Counts of parts against the measures of the whole, which sort all scores."""

from __future__ import annotations

import pickle
from functools import reduce
from operator import add

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.metrics import (
    RankingCounts,
    count_rankings,
    ranking_bounds,
    ranking_inference,
    ranking_scores,
)
from moselect.metrics.counts import prefix_edges
from moselect.metrics.objectives import RANKING_OBJECTIVES

ROUNDING = 1e-12


def normal(rng, n, r):
    y = rng.integers(0, r, n)
    return y, y + rng.normal(scale=1.5, size=n)


def heavy_ties(rng, n, r):
    y = rng.integers(0, r, n)
    return y, np.round(y + rng.normal(size=n))


def neighbouring_floats(rng, n, r):
    y = rng.integers(0, r, n)
    return y, 0.1 + np.spacing(0.1) * (y + rng.integers(0, 4, n))


def a_spike_among_others(rng, n, r):
    y, scores = normal(rng, n, r)
    scores[rng.random(n) < 0.6] = 1.0
    return y, scores


def all_magnitudes(rng, n, r):
    y = rng.integers(0, r, n)
    return y, rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-300, 300, n) * (1 + y)


DISTRIBUTIONS = [
    normal,
    heavy_ties,
    neighbouring_floats,
    a_spike_among_others,
    all_magnitudes,
]


def coarse(r):
    """Return counts in few bins, so that the bounds are wide and refining has work to do."""
    return RankingCounts(range(r), prefix_edges(12))


def fill(counts, y, scores, size=97):
    for start in range(0, len(y), size):
        counts.update(y[start : start + size], scores[start : start + size])
    return counts


def sample(distribution, r, n=600, seed=0):
    rng = np.random.default_rng(seed)
    y, scores = distribution(rng, n - r, r)
    y = np.append(y, np.arange(r))
    return y, np.append(scores, rng.choice(scores, r))


def width(bounds):
    return (bounds["most"] - bounds["least"]).max()


def check(counts, y, scores):
    bounds = ranking_bounds(counts)
    truth = ranking_scores(y, scores)
    assert bounds.index.tolist() == list(RANKING_OBJECTIVES)
    assert (bounds["least"] - ROUNDING <= truth).all()
    assert (truth <= bounds["most"] + ROUNDING).all()
    return bounds


@pytest.mark.parametrize("r", [2, 3, 6])
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_bounds_hold_and_become_narrow(distribution, r):
    y, scores = sample(distribution, r)
    check(fill(coarse(r), y, scores), y, scores)
    narrow = count_rankings(lambda empty: fill(empty, y, scores), coarse(r))
    bounds = check(narrow, y, scores)
    assert width(bounds) < 1e-6
    for measure, row in bounds.iterrows():
        expected = ranking_inference(y, scores, measure, "delong")
        if expected.covariance[0, 0] > 1e-12:  # else it is 0 but for rounding
            interval = expected.confidence_intervals[0]
            assert row[["lower", "upper"]].tolist() == pytest.approx(
                interval.tolist(), abs=1e-5
            )


def test_the_worst_and_the_best_order_in_a_bin_are_the_bounds():
    y, scores = [1, 1, 2, 2, 3], [1.1, 5.0, 1.2, 5.0, 9.0]
    bounds = ranking_bounds(
        RankingCounts([1, 2, 3], np.array([4.0, 8.0])).update(y, scores)
    )
    worst = ranking_scores(y, [1.2, 5.0, 1.1, 5.0, 9.0])
    best = ranking_scores(y, [1.1, 5.0, 1.2, 5.0, 9.0])
    np.testing.assert_allclose(bounds["least"], worst)
    np.testing.assert_allclose(bounds["most"], best)
    assert bounds[["lower", "upper"]].isna().all(axis=None)  # one sample of class 3


samples = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.one_of(
            st.floats(-1e100, 1e100, allow_nan=False), st.integers(0, 3).map(float)
        ),
    ),
    max_size=20,
)


def counted(pairs, edges):
    y, scores = map(np.array, zip(*pairs, strict=True)) if pairs else ([], [])
    return RankingCounts(range(3), edges).update(y, scores)


def same(first, second):
    return all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("classes", "edges", "counts", "lowest", "highest")
    )


@given(st.lists(samples, min_size=3, max_size=3), st.randoms())
def test_adding_is_associative_and_commutative_and_equals_counting_all(parts, random):
    everything = [pair for part in parts for pair in part]
    edges = counted(everything, prefix_edges(13)).refine(1e-3).edges
    whole = counted(everything, edges)
    a, b, c = (counted(part, edges) for part in parts)
    assert same((a + b) + c, whole)
    assert same(a + (b + c), whole)
    assert same(b + a, a + b)
    random.shuffle(everything)
    assert same(counted(everything, edges), whole)
    assert same(pickle.loads(pickle.dumps(whole)), whole)


@given(samples, st.integers(12, 16))
def test_bounds_hold_for_any_scores(pairs, bits):
    pairs = [*pairs, (0, 0.0), (1, 1.0), (2, 0.0)]
    y, scores = map(np.array, zip(*pairs, strict=True))
    counts = counted(pairs, prefix_edges(bits))
    check(counts, y, scores)
    check(counts.refine(1e-3).update(y, scores), y, scores)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["low"], [np.nan]), "finite"),
        ((["mid"], [0.0]), "unknown label mid"),
        ((["low"], [0.0, 1.0]), "y_score has shape"),
    ],
)
def test_what_cannot_be_counted_is_refused_and_nothing_is_counted(arguments, message):
    counts = RankingCounts(["low", "high"]).update(["low", "high"], [0.0, 1.0])
    with pytest.raises(ValueError, match=message):
        counts.update(*arguments)
    assert counts.class_counts.tolist() == [1, 1]


def test_counts_that_do_not_fit_are_refused():
    counts = RankingCounts(["low", "high"]).update(["low"], [0.0])
    for other, message in [
        (RankingCounts(["high", "low"]), "classes"),
        (RankingCounts(["low", "high"], prefix_edges(13)), "bins"),
    ]:
        with pytest.raises(ValueError, match=message):
            counts + other
    with pytest.raises(ValueError, match="at least 2"):
        RankingCounts([1])
    with pytest.raises(ValueError, match="class high has none"):
        ranking_bounds(counts)


@pytest.mark.slow
def test_partitions_of_a_dask_dataframe():
    dask = pytest.importorskip("dask", reason="needs Dask")
    dataframe = pytest.importorskip(
        "dask.dataframe", reason="needs Dask", exc_type=ImportError
    )
    y, scores = sample(normal, 3, n=5_000)
    frame = dataframe.from_pandas(pd.DataFrame({"severity": y, "risk": scores}), 4)

    def count(partition, classes, edges):
        return RankingCounts(classes, edges).update(
            partition["severity"], partition["risk"]
        )

    def count_everywhere(empty):
        bins = (empty.classes, empty.edges)
        filled = [dask.delayed(count)(part, *bins) for part in frame.to_delayed()]
        return reduce(add, dask.compute(*filled, scheduler="sync"))

    bounds = check(count_rankings(count_everywhere, RankingCounts(range(3))), y, scores)
    assert width(bounds) < 1e-6
