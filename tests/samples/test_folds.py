import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.model_selection import (
    PredefinedSplit,
    ShuffleSplit,
    StratifiedKFold,
)

from moselect.samples.folds import Folds

CODES = np.repeat([0, 1, 2], [8, 6, 4])
UNGROUPED = np.arange(len(CODES))
X = np.zeros((len(CODES), 1))
SETTINGS = st.integers(2, 8), st.integers(0, 5)  # folds, and seeds


@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=60),
    *SETTINGS,
)
def test_folds_and_their_classes_differ_by_one_sample_at_most(codes, n_folds, seed):
    codes = np.array(codes)
    folds = Folds.deal(np.arange(len(codes)), codes, n_folds, seed=seed).index
    n = min(n_folds, len(codes))
    assert np.ptp(np.bincount(folds, minlength=n)) <= 1
    for k in np.unique(codes):
        assert np.ptp(np.bincount(folds[codes == k], minlength=n)) <= 1


@given(
    st.lists(st.integers(0, 9), min_size=2, max_size=60),
    *SETTINGS,
)
def test_equal_rows_are_in_one_fold_of_each_repeat(drawn, n_folds, seed):
    groups = np.unique(drawn, return_inverse=True)[1]
    codes = np.random.default_rng(seed).integers(3, size=len(groups))
    folds = Folds.deal(groups, codes, n_folds, n_repeats=2, seed=seed)
    for train, test in folds:
        assert_array_equal(np.sort([*train, *test]), np.arange(len(groups)))
        if groups.max() > 0:
            assert not set(groups[train]) & set(groups[test])
    half = len(folds) // 2
    for repeat in (folds.splits[:half], folds.splits[half:]):
        held_out = np.concatenate([test for _, test in repeat])
        assert_array_equal(np.sort(held_out), np.arange(len(groups)))
    assert_array_equal(folds.tested, np.arange(len(groups)))


@given(
    st.lists(st.integers(0, 9), min_size=8, max_size=40),
    *SETTINGS,
)
def test_every_training_set_has_all_classes(drawn, n_folds, seed):
    groups = np.unique([*drawn, 10, 11, 12, 13], return_inverse=True)[1]
    codes = np.random.default_rng(seed).integers(3, size=len(groups))
    codes[-4:] = [0, 0, 1, 1]  # at least two groups of classes 0 and 1
    dealt = Folds.deal(groups, codes, n_folds, seed=seed)
    folds = dealt.with_all_classes(groups, codes)
    for train, test in folds:
        assert set(codes[train]) == set(codes)
        assert not set(groups[train]) & set(groups[test])
        assert_array_equal(np.sort([*train, *test]), np.arange(len(groups)))
    for row in np.setdiff1d(
        np.arange(len(groups)), folds.tested
    ):  # its class would be lost
        fold = dealt.splits[dealt.index[row]]
        missing = set(codes) - set(codes[fold[0]])
        assert missing & set(codes[groups == groups[row]])


def test_folds_of_weighted_samples_equal_repeated_samples():
    codes = np.array([0, 1, 1, 2, 0, 2])
    weights = np.array([1, 3, 1, 2, 1, 1])
    groups = np.array([0, 0, 1, 2, 3, 1])
    weighted = Folds.deal(groups, codes, 2, weights).index
    repeated = Folds.deal(np.repeat(groups, weights), np.repeat(codes, weights), 2).index
    assert_array_equal(np.repeat(weighted, weights), repeated)


def test_splitters_lists_and_masks_give_their_own_splits():
    splitter = StratifiedKFold(3, shuffle=True, random_state=5)
    expected = list(splitter.split(X, CODES))
    masks = [tuple(np.isin(UNGROUPED, rows) for rows in fold) for fold in expected]
    for cv in (splitter, expected, masks):
        for fold, other in zip(Folds.of(cv, X, UNGROUPED, CODES), expected, strict=True):
            assert_array_equal(np.concatenate(fold), np.concatenate(other))
            assert len(fold[1]) == len(other[1])
    index = UNGROUPED % 4
    assert_array_equal(Folds.of(PredefinedSplit(index), X, UNGROUPED, CODES).index, index)


def test_a_splitter_without_a_seed_is_seeded_as_a_copy():
    splitter = StratifiedKFold(3, shuffle=True)
    once, again, other = (
        Folds.of(splitter, X, UNGROUPED, CODES, seed).index for seed in (1, 1, 2)
    )
    assert_array_equal(once, again)
    assert (once != other).any()
    assert splitter.random_state is None


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (1, "at least 2"),
        ([([0, 8, 14], [])], "fold 0 of cv has no training or no test samples"),
        (
            [([0, 8, 14], [1, 14])],
            "fold 0 of cv has test samples among its training samples",
        ),
        (ShuffleSplit(1, random_state=0), "cv is no partition"),
    ],
)
def test_folds_that_are_empty_or_no_partition_have_no_index(cv, message):
    with pytest.raises(ValueError, match=message):
        _ = Folds.of(cv, X, UNGROUPED, CODES).index


@given(st.lists(st.integers(0, 30), min_size=2, max_size=60), st.integers(1, 6))
def test_forward_folds_are_trained_on_all_earlier_samples(times, n_folds):
    times = np.array(times)
    if (times < times.max()).sum() * (n_folds + 1) < len(times):
        with pytest.raises(ValueError, match="most samples are of the last time"):
            Folds.forward(times, n_folds)
        return
    folds = Folds.forward(times, n_folds)
    assert 1 <= len(folds) <= n_folds
    for train, test in folds:
        assert_array_equal(train, np.flatnonzero(times < times[test].min()))
    assert folds.goes_forward
    first = folds.splits[0][0]
    assert_array_equal(np.sort([*first, *folds.tested]), np.arange(len(times)))
    assert (np.diff(folds.parts[np.argsort(times, kind="stable")]) >= 0).all()
    assert folds.parts[first].max() == 0
