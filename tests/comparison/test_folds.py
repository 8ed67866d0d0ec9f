from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, ShuffleSplit, StratifiedKFold

from moselect.comparison.folds import find_repeats, make_folds, stratified_folds

CLASSES = np.array(["low", "mid", "high"])
CODES = np.repeat([0, 1, 2], [8, 6, 4])
X = np.zeros((len(CODES), 1))


@settings(max_examples=50)
@given(
    counts=st.lists(st.integers(1, 9), min_size=2, max_size=4),
    n_folds=st.integers(2, 5),
    seed=st.integers(0, 99),
)
def test_every_class_is_in_every_training_part(counts, n_folds, seed):
    if max(counts) < n_folds:
        return
    codes = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    folds = stratified_folds(codes, n_folds, 2, seed)
    assert len(folds) == 2 * n_folds
    for train, test in folds:
        assert set(codes[train]) == set(codes)
        np.testing.assert_array_equal(np.sort([*train, *test]), np.arange(len(codes)))
        for k, count in enumerate(counts):
            spread = {count // n_folds, -(-count // n_folds)} if count > 1 else {0}
            assert np.sum(codes[test] == k) in spread
    for repeat in (folds[:n_folds], folds[n_folds:]):
        held_out = np.sort(np.concatenate([test for _, test in repeat]))
        alone = np.flatnonzero(np.array(counts)[codes] == 1)
        np.testing.assert_array_equal(held_out, np.setdiff1d(np.arange(len(codes)), alone))
    groups = find_repeats(folds)
    if max(counts) > 1:
        assert groups == [list(range(n_folds)), list(range(n_folds, 2 * n_folds))]


def equal(some, others):
    assert len(some) == len(others)
    for fold, other in zip(some, others, strict=True):
        for rows, expected in zip(fold, other, strict=True):
            np.testing.assert_array_equal(rows, expected)


def test_the_usual_folds_are_those_of_scikit_learn():
    expected = RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=3)
    equal(stratified_folds(CODES, 4, 2, 3), list(expected.split(X, CODES)))
    assert len(make_folds(None, X, np.repeat([0, 1], 5), CLASSES, 0)) == 10
    once = RepeatedStratifiedKFold(n_splits=3, n_repeats=1, random_state=9)
    equal(make_folds(3, X, CODES, CLASSES, 9), list(once.split(X, CODES)))


def test_splitters_and_lists_are_taken_as_they_are():
    splitter = StratifiedKFold(3, shuffle=True, random_state=5)
    folds = list(splitter.split(X, CODES))
    equal(make_folds(splitter, X, CODES, CLASSES, 0), folds)
    equal(make_folds(folds, X, CODES, CLASSES, 0), folds)
    masks = [tuple(np.isin(np.arange(18), rows) for rows in fold) for fold in folds]
    equal(make_folds(masks, X, CODES, CLASSES, 0), folds)


def test_a_splitter_without_a_seed_gets_one_and_is_not_touched():
    splitter = StratifiedKFold(3, shuffle=True)
    once, again, other = (make_folds(splitter, X, CODES, CLASSES, seed) for seed in (1, 1, 2))
    equal(once, again)
    with pytest.raises(AssertionError):
        equal(once, other)
    assert splitter.random_state is None


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (1, "at least 2"),
        (9, "9 folds are too many: the largest class has 8 samples"),
        (KFold(3), "fold 0 of cv would be fitted without class low"),
        ([], "no folds"),
        ([([0, 8, 14], [])], "fold 0 of cv holds nothing out"),
        ([([0, 8, 14], [1, 14])], "fold 0 of cv holds out samples that it is fitted to"),
        ([([0, 8, 14], [18])], "not among 0 .. 17"),
        ([([0, 8, 14], [-1])], "not among 0 .. 17"),
    ],
)
def test_folds_that_will_not_do(cv, message):
    codes = np.repeat([0, 1, 2], 6) if isinstance(cv, KFold) else CODES
    with pytest.raises(ValueError, match=message):
        make_folds(cv, X, codes, CLASSES, 0)


def test_repeats_are_found_only_where_there_are_some():
    folds = make_folds(ShuffleSplit(3, random_state=0), X, CODES, CLASSES, 0)
    assert find_repeats(folds) is None
    twice = [
        ([], np.array([0, 1])),
        ([], np.array([2])),
        ([], np.array([2, 1])),
        ([], np.array([0])),
    ]
    assert find_repeats(twice) == [[0, 1], [2, 3]]
    assert find_repeats(twice[:3]) is None
