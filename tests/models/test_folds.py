from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, PredefinedSplit, ShuffleSplit, TimeSeriesSplit

from moselect.models import folds_of, stratified_folds
from moselect.models.folds import weighted_folds


@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=60),
    st.integers(2, 8),
    st.integers(0, 5),
)
def test_folds_and_their_classes_differ_by_one_sample_at_most(codes, n_folds, seed):
    codes = np.array(codes)
    folds = stratified_folds(codes, n_folds, np.random.default_rng(seed))
    n = min(n_folds, len(codes))
    assert np.ptp(np.bincount(folds, minlength=n)) <= 1
    for k in np.unique(codes):
        assert np.ptp(np.bincount(folds[codes == k], minlength=n)) <= 1


def test_folds_of_a_splitter_are_its_test_parts():
    X, codes = np.zeros((10, 1)), np.arange(10) % 2
    rng = np.random.default_rng(0)
    given_folds = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 2])
    np.testing.assert_array_equal(
        folds_of(PredefinedSplit(given_folds), X, codes, rng), given_folds
    )
    assert folds_of(KFold(5), X, codes, rng).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_samples_without_weight_are_not_dealt():
    codes = np.repeat([0, 1], 10)
    counted = np.arange(20) % 2 == 0
    X, rng = np.zeros((20, 1)), np.random.default_rng
    folds = weighted_folds(5, X, codes, counted, rng(3))
    np.testing.assert_array_equal(folds[counted], stratified_folds(codes[counted], 5, rng(3)))
    assert not folds[~counted].any()


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (1, "at least 2 folds"),
        (True, "at least 2 folds"),
        (ShuffleSplit(2, random_state=0), "cv"),
        (TimeSeriesSplit(3), "not fitted to all samples"),
        ([(np.arange(5), np.arange(5, 10))], "never hold sample 0 out"),
        ([(np.arange(5), np.arange(5, 10)), (np.arange(5, 10), np.arange(1, 5))], "not fitted"),
        ([(np.arange(5), np.arange(5, 10))] * 2, "hold sample 5 out twice"),
    ],
)
def test_splits_that_are_no_partition_are_refused(cv, message):
    with pytest.raises(ValueError, match=message):
        folds_of(cv, np.zeros((10, 1)), np.arange(10) % 2, np.random.default_rng(0))


def test_one_sample_cannot_be_held_out():
    with pytest.raises(ValueError, match="at least 2 samples"):
        stratified_folds(np.array([0]), 5, np.random.default_rng(0))
