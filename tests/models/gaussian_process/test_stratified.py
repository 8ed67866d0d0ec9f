from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from moselect.models.gaussian_process.estimator import stratified_rows


@given(st.lists(st.integers(1, 60), min_size=2, max_size=8), st.integers(0, 200), st.integers(0, 9))
def test_every_class_has_its_share(sizes, more, seed):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    codes = np.random.default_rng(seed).permutation(codes)
    size = len(sizes) + more
    rows = stratified_rows(codes, size, np.random.default_rng(seed))
    assert len(rows) == min(size, len(codes))
    assert (np.diff(rows) > 0).all()
    drawn = np.bincount(codes[rows], minlength=len(sizes))
    assert (drawn >= 1).all()
    share = len(rows) / len(codes)
    assert (drawn >= np.array(sizes) * share - len(sizes)).all()
    again = stratified_rows(codes, size, np.random.default_rng(seed))
    np.testing.assert_array_equal(rows, again)
