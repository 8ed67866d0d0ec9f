"""Counts of parts against the measures of the whole, which sort all scores."""

from __future__ import annotations

import json
import pickle
from functools import partial, reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moselect.metrics import (
    RankingCounts,
    count_parts,
    count_rankings,
    delong_variance_bounds,
    exact_ranking_bounds,
    interval_bounds,
    pairwise_auc_matrix,
    ranking_bounds,
    ranking_inference,
    ranking_scores,
)
from moselect.metrics.counts import ScoreBins

MEASURES = ("vus", "u_cons", "u_ovo", "u_pairs")
ROUNDING = 1e-12


def normal(rng, n, r):
    y = rng.integers(0, r, n)
    return y, y + rng.normal(scale=1.5, size=n)


def probabilities(rng, n, r):
    y = rng.integers(0, r, n)
    return y, rng.beta(1 + y, r - y)


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


def near_zero(rng, n, r):
    y = rng.integers(0, r, n)
    return y, rng.choice([0.0, -0.0, 5e-324, -5e-324], n)


def constant(rng, n, r):
    return rng.integers(0, r, n), np.full(n, 3.0)


DISTRIBUTIONS = [
    normal,
    probabilities,
    heavy_ties,
    neighbouring_floats,
    a_spike_among_others,
    all_magnitudes,
    near_zero,
    constant,
]


def coarse(r, weighted=False):
    """Return counts in few bins, so that the bounds are wide and refining has work to do."""
    return RankingCounts(range(r), bins=ScoreBins.by_prefix(12), weighted=weighted)


def parts_of(*columns, size=97):
    n = len(columns[0])
    return lambda: (tuple(c[i : i + size] for c in columns) for i in range(0, n, size))


def sample(distribution, r, n=600, seed=0):
    rng = np.random.default_rng(seed)
    y, scores = distribution(rng, n - r, r)
    y = np.append(y, np.arange(r))
    return y, np.append(scores, rng.choice(scores, r))


def check(bounds, y, scores, **options):
    truth = ranking_scores(y, scores, **options)
    for measure, value in zip(MEASURES, truth, strict=True):
        assert bounds[measure].lower - ROUNDING <= value <= bounds[measure].upper + ROUNDING
    matrix = pairwise_auc_matrix(y, scores, **options)
    assert (bounds.auc_lower - ROUNDING <= matrix).all()
    assert (matrix <= bounds.auc_upper + ROUNDING).all()


@pytest.mark.parametrize("ties", ["strict", "average"])
@pytest.mark.parametrize("r", [2, 3, 6])
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("weighted", [False, True])
def test_bounds_hold_become_narrow_and_then_exact(distribution, r, ties, weighted):
    y, scores = sample(distribution, r)
    weights = np.random.default_rng(1).exponential(size=len(y)) if weighted else None
    options = {"ties": ties, "sample_weight": weights}
    columns = (y, scores) if weights is None else (y, scores, weights)
    parts = parts_of(*columns)
    first = count_parts(parts, coarse(r, weighted))
    check(ranking_bounds(first, ties=ties), y, scores, **options)
    exact = exact_ranking_bounds(parts, first, ties=ties, samples_at_a_time=50)
    assert exact.width <= ROUNDING
    check(exact, y, scores, **options)
    narrow = count_rankings(partial(count_parts, parts), coarse(r, weighted), max_bins=20_000)
    bounds = ranking_bounds(narrow, ties=ties)
    assert bounds.width < 1e-6
    check(bounds, y, scores, **options)


@pytest.mark.parametrize("ties", ["strict", "average"])
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_bounds_of_the_variance(distribution, measure, ties):
    y, scores = sample(distribution, 4, n=300)
    parts = parts_of(y, scores)
    expected = ranking_inference(y, scores, measure, "delong", ties=ties)
    variance = expected.covariance[0, 0]
    first = count_parts(parts, coarse(4))
    bounds = delong_variance_bounds(first, measure, ties=ties)
    assert bounds.lower - ROUNDING <= variance <= bounds.upper + ROUNDING
    narrow = count_rankings(partial(count_parts, parts), coarse(4), tolerance=1e-9, max_bins=20_000)
    bounds = delong_variance_bounds(narrow, measure, ties=ties)
    assert bounds.lower == pytest.approx(variance, abs=1e-8)
    assert bounds.upper == pytest.approx(variance, abs=1e-8)
    value, interval = interval_bounds(narrow, measure, ties=ties)
    assert value.estimate == pytest.approx(expected.estimates[0], abs=1e-8)
    if variance > 1e-12:  # else it is 0 but for rounding, and no interval follows from it
        assert interval == pytest.approx(expected.confidence_intervals[0], abs=1e-6)


def test_the_components_of_vus_across_blocks_of_bins():
    y, scores = sample(normal, 3, n=20_000)  # more bins than one block holds
    narrow = count_rankings(partial(count_parts, parts_of(y, scores, size=5000)), coarse(3))
    assert len(narrow.occupied().nodes) > 10_000
    variance = ranking_inference(y, scores, "vus", "delong").covariance[0, 0]
    bounds = delong_variance_bounds(narrow, "vus")
    assert bounds.lower <= variance * (1 + 1e-9)
    assert bounds.upper >= variance * (1 - 1e-9)
    assert bounds.width < 1e-3 * variance


samples = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 3).map(float)),
        st.integers(0, 5),
    ),
    max_size=20,
)


def counted(triples, bins, weighted):
    y, scores, weights = map(np.array, zip(*triples, strict=True)) if triples else ([], [], [])
    counts = RankingCounts(range(3), bins=bins, weighted=weighted)
    return counts.update(y, scores, weights if weighted else None)


@given(st.lists(samples, min_size=3, max_size=3), st.booleans(), st.randoms())
@settings(deadline=None, max_examples=60)
def test_merging_is_associative_and_commutative_and_equals_counting_all(parts, weighted, random):
    everything = [triple for part in parts for triple in part]
    whole = counted(everything, ScoreBins.by_prefix(6), weighted)
    bins = whole.refine(1e-9, max_bins=200).bins
    whole = counted(everything, bins, weighted)
    a, b, c = (counted(part, bins, weighted) for part in parts)
    assert a.merge(b).merge(c) == a.merge(b.merge(c)) == whole
    assert a.merge(b) == b.merge(a)
    random.shuffle(everything)
    assert counted(everything, bins, weighted) == whole
    document = json.loads(json.dumps(whole.to_document()))
    assert RankingCounts.from_document(document) == whole
    assert pickle.loads(pickle.dumps(whole)) == whole


@given(samples, st.integers(2, 16))
@settings(deadline=None, max_examples=100)
def test_bounds_hold_for_any_scores(triples, bits):
    triples = [*triples, (0, 0.0, 1), (1, 1.0, 1), (2, 0.0, 1)]
    y, scores, weights = map(np.array, zip(*triples, strict=True))
    for bins in (ScoreBins.by_prefix(bits), counted(triples, ScoreBins.by_prefix(bits), True).bins):
        counts = counted(triples, bins, True)
        check(ranking_bounds(counts), y, scores, sample_weight=weights)
        finer = RankingCounts(range(3), bins=counts.refine(1e-9, max_bins=8).bins, weighted=True)
        check(ranking_bounds(finer.update(y, scores, weights)), y, scores, sample_weight=weights)


def test_finer_bins_take_scores_that_they_were_not_made_for():
    y, scores = sample(normal, 3)
    bins = count_parts(parts_of(y, scores), coarse(3)).refine().bins
    other_y, others = sample(all_magnitudes, 3, seed=9)
    counts = RankingCounts(range(3), bins=bins).update(other_y, others)
    check(ranking_bounds(counts), other_y, others)


def test_weights_that_are_tiny_or_huge_do_not_vanish():
    y, scores = sample(normal, 3, n=60)
    for scale in (1e-200, 1e200):
        counts = coarse(3, True).update(y, scores, np.full(60, scale))
        check(ranking_bounds(counts), y, scores)


def test_weights_add_up_to_rounding_in_any_grouping():
    y, scores = sample(normal, 3)
    weights = np.random.default_rng(0).exponential(size=len(y))
    parts = [coarse(3, True).update(*part) for part in parts_of(y, scores, weights)()]
    left = reduce(RankingCounts.merge, parts)
    right = reduce(lambda a, b: b.merge(a), reversed(parts))
    np.testing.assert_allclose(left.occupied().counts, right.occupied().counts, rtol=1e-12)


def test_what_cannot_be_counted_is_refused_and_nothing_is_lost():
    counts = RankingCounts(["low", "high"])
    counts.update(["low", "high"], [0.0, 1.0])
    before = counts.to_document()
    for arguments, message in [
        ((["low"], [np.nan]), "finite"),
        ((["low"], [-np.inf]), "finite"),
        ((["mid"], [0.0]), "unknown label mid"),
        ((["low"], [0.0, 1.0]), "y_score has shape"),
        ((["low"], [0.0], [1.0]), "made without sample weights"),
    ]:
        with pytest.raises(ValueError, match=message):
            counts.update(*arguments)
    assert counts.to_document() == before
    with pytest.raises(ValueError, match="need sample weights"):
        RankingCounts([1, 2], weighted=True).update([1], [0.0])
    with pytest.raises(ValueError, match="not negative"):
        RankingCounts([1, 2], weighted=True).update([1], [0.0], [-1.0])
    with pytest.raises(ValueError, match="at least 2"):
        RankingCounts([1])
    for other, message in [
        (RankingCounts(["high", "low"]), "classes"),
        (RankingCounts(["low", "high"], weighted=True), "weights"),
        (RankingCounts(["low", "high"], bins=ScoreBins.by_prefix(10)), "bins"),
    ]:
        with pytest.raises(ValueError, match=message):
            counts.merge(other)
    with pytest.raises(ValueError, match="class high has none"):
        ranking_bounds(RankingCounts(["low", "high"]).update(["low"], [0.0]))
    with pytest.raises(ValueError, match="without weights"):
        delong_variance_bounds(
            RankingCounts([1, 2], weighted=True).update([1, 2], [0.0, 1.0], [1.0, 1.0])
        )


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"counts": [[-1, 0], [0, 1]]},
        {"counts": [[1, 0]]},
        {"nodes": [0, -7]},
        {"nodes": [0, 0]},
        {"extremes": [[5, 4], [9, 9]]},
        {"extremes": [[9, 9], [5, 5]]},
        {"classes": [1]},
        {"bins": {}},
        {"bins": {"prefix_bits": 4, "divided": [99], "low": [0], "high": [1], "shift": [0]}},
        {"bins": {"prefix_bits": 4, "divided": [0], "low": [0], "high": [1 << 60], "shift": [0]}},
    ],
)
def test_broken_documents_are_refused(change):
    counts = RankingCounts([1, 2], bins=ScoreBins.by_prefix(4)).update([1, 2], [-1.0, 1.0])
    with pytest.raises(ValueError, match=r"broken|format|classes|bins|divided"):
        RankingCounts.from_document(counts.to_document() | change)


def test_changed_data_are_noticed():
    y, scores = sample(normal, 3)
    counts = count_parts(parts_of(y, scores), coarse(3))
    with pytest.raises(ValueError, match="changed"):
        exact_ranking_bounds(parts_of(y[:300], scores[:300]), counts)
