from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moselect._kernels.chains import count_chains, find_runs, ranking_measures


def objects(n_classes, max_size):
    """Draw lists of (score, class): few scores, so ties; classes may be missing."""
    one = st.tuples(st.integers(-3, 3).map(float), st.integers(0, n_classes - 1))
    return st.lists(one, min_size=1, max_size=max_size)


def with_classes(numbers_of_classes, max_size):
    return st.sampled_from(numbers_of_classes).flatmap(
        lambda r: st.tuples(st.just(r), objects(r, max_size))
    )


def slow_runs(data):
    """(class, count, may a threshold follow) by asking at every neighbour whether to split."""
    data = sorted(data, key=lambda pair: (pair[0], -pair[1]))
    classes_at = {s: {label for score, label in data if score == s} for s, _ in data}
    members = 0
    for i, (score, label) in enumerate(data):
        next_score, next_label = data[i + 1] if i + 1 < len(data) else (math.inf, None)
        mixed = len(classes_at[score]) > 1 or len(classes_at.get(next_score, ())) > 1
        members += 1
        if label != next_label or (score != next_score and mixed):
            yield label, members, score != next_score
            members = 0


def fast_counts(run_class, run_count, n_runs, n_classes):
    below = np.full(n_classes, 7)
    chains, pairs = np.full(n_classes + 1, 7.0), np.full((n_classes, n_classes), 7)
    result = count_chains(run_class, run_count, n_runs, below, chains, pairs)
    return result, chains, pairs


def fast_measures(run_class, run_count, n_runs, n_classes):
    result, _, pairs = fast_counts(run_class, run_count, n_runs, n_classes)
    counts = np.bincount(run_class[:n_runs], run_count[:n_runs], n_classes).astype(np.int64)
    out = np.full(4, np.nan)
    ranking_measures(result, pairs, counts, out)
    return out


@given(with_classes([2, 3, 4, 5, 6, 11, 40], max_size=25))
@settings(deadline=None)
def test_runs_split_where_the_class_changes_and_around_mixed_ties(rank, drawn):
    r, data = drawn
    ranking = rank(*zip(*data, strict=True), r)
    found = [part[: ranking.n_runs].tolist() for part in ranking.runs[:3]]
    assert list(zip(*found, strict=True)) == list(slow_runs(data))


@pytest.mark.parametrize("seed", range(10))
def test_runs_of_many_objects(rank, seed):
    rng = np.random.default_rng(seed)
    n, r = 1200, int(rng.choice([2, 5, 9]))
    labels = rng.integers(r, size=n)
    scores = np.round(labels + rng.normal(size=n), int(rng.integers(0, 4)))
    ranking = rank(scores, labels, r)
    found = [part[: ranking.n_runs].tolist() for part in ranking.runs[:3]]
    data = zip(scores.tolist(), labels.tolist(), strict=True)
    assert list(zip(*found, strict=True)) == list(slow_runs(data))


def test_scores_of_every_magnitude_stay_apart(rank):
    scores = [-1e300, -1.0, -1e-300, -0.0, 0.0, 1e-300, 1.0, 1e300]
    ranking = rank(scores, [0, 1, 0, 1, 0, 1, 0, 1], 2)
    assert ranking.run_class.tolist() == [0, 1, 0, 1, 0, 1, 0, 1]
    assert ranking.run_ends.tolist() == [True, True, True, False, True, True, True, True]


def test_one_object_is_one_run():
    out = np.empty(1, dtype=np.int64), np.empty(1, dtype=np.int64), np.empty(1, dtype=np.bool_)
    assert find_runs(np.array([1]), 1, 2, *out) == 1  # score 0, code 1: the lower of two classes
    assert [part.tolist() for part in out] == [[0], [1], [True]]


@given(with_classes([2, 3, 4, 5, 6, 11], max_size=13))
@settings(deadline=None)
def test_counts_are_those_of_all_pairs_and_all_chains(rank, drawn):
    r, data = drawn
    ranking = rank(*zip(*data, strict=True), r)
    result, chains, pairs = fast_counts(*ranking.runs[:2], ranking.n_runs, r)
    parts = [[score for score, label in data if label == k] for k in range(r)]
    for low, high in itertools.combinations(range(r), 2):
        assert pairs[high, low] == sum(a < b for a in parts[low] for b in parts[high])
    for k in range(r):
        slow = sum(
            all(a < b for a, b in itertools.pairwise(chain))
            for chain in itertools.product(*parts[: k + 1])
        )
        assert chains[k + 1] == slow
    assert result == chains[r]


def test_ties_are_not_counted(rank):
    ranking = rank([1.0, 1.0, 1.0], [0, 1, 2], 3)
    result, _, pairs = fast_counts(*ranking.runs[:2], ranking.n_runs, 3)
    assert result == 0
    assert pairs[1, 0] == pairs[2, 0] == pairs[2, 1] == 0


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("r", [2, 3, 4, 5, 6, 11])
def test_measures_follow_their_formulas(rank, slow_ranking, r, seed):
    rng = np.random.default_rng(seed)
    labels = np.r_[np.arange(r), rng.integers(r, size=rng.integers(0, 6))]
    scores = labels + rng.integers(-2, 3, size=len(labels)) / 2.0 - 3.0
    ranking = rank(scores, labels, r)
    fast = fast_measures(*ranking.runs[:2], ranking.n_runs, r)
    slow = slow_ranking(scores.tolist(), labels.tolist(), r)
    np.testing.assert_allclose(fast, slow, rtol=1e-13)


@pytest.mark.parametrize(("r", "count"), [(5, 40_000), (10, 1_000), (40, 1_000_000)])
def test_a_perfect_ranking_of_many_objects_is_one(r, count):
    assert count**r > 2**63
    measures = fast_measures(np.arange(r), np.full(r, count), r, r)
    np.testing.assert_allclose(measures, 1.0, rtol=1e-14)
    measures = fast_measures(np.arange(r)[::-1].copy(), np.full(r, count), r, r)
    np.testing.assert_array_equal(measures, 0.0)


@pytest.mark.parametrize("seed", range(5))
def test_more_chains_than_integers_hold(seed):
    rng = np.random.default_rng(seed)
    r, n_runs = 6, 300
    run_class = np.r_[np.arange(r), rng.integers(r, size=n_runs - r)]
    run_count = rng.integers(1, 2000, size=n_runs)
    exact = [1] + [0] * r  # Python integers do not overflow
    for label, count in zip(run_class.tolist(), run_count.tolist(), strict=True):
        exact[label + 1] += count * exact[label]
    result, chains, _ = fast_counts(run_class, run_count, n_runs, r)
    assert exact[r] > 2**63
    np.testing.assert_allclose(chains, [float(number) for number in exact], rtol=1e-13)
    sizes = [int(run_count[run_class == k].sum()) for k in range(r)]
    vus = fast_measures(run_class, run_count, n_runs, r)[0]
    assert vus == pytest.approx(exact[r] / math.prod(sizes), rel=1e-13)
    assert result == chains[r]
