from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from moselect.comparison import corrected_t_test, holm
from moselect.comparison.differences import paired_tests
from moselect.folds import Folds

D = [0.04, -0.01, 0.03, 0.02, 0.05]


def test_the_correction_by_hand():
    # mean 0.026, sum of squared deviations 0.00212, variance 0.00053;
    # (1/5 + 1/4) 0.00053 = 0.0002385, root 0.015443; t = 1.6836 with 4 degrees of freedom.
    error, t, p = corrected_t_test(D, test_share=0.25)
    assert error == pytest.approx(0.015443, abs=1e-6)
    assert t == pytest.approx(1.6836, abs=1e-4)
    assert p == pytest.approx(2.0 * (1.0 - stats.t(4).cdf(1.6836)), abs=1e-4)


@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 4)), min_size=2, max_size=12))
def test_without_shared_objects_it_is_the_paired_t_test(d):
    if len(set(d)) < 2:
        return
    _, t, p = corrected_t_test(d, test_share=0.0)
    expected = stats.ttest_1samp(d, 0.0)
    assert t == pytest.approx(expected.statistic)
    assert p == pytest.approx(expected.pvalue)


def test_folds_that_agree():
    assert corrected_t_test([0.0, 0.0, 0.0], 0.25) == (0.0, 0.0, 1.0)
    assert corrected_t_test([-0.5, -0.5], 0.25) == (0.0, -math.inf, 0.0)


def closed_test(p):
    """Reject what every group of hypotheses around it rejects by Bonferroni."""
    places = range(len(p))
    groups = [g for size in range(1, len(p) + 1) for g in combinations(places, size)]
    return [max(min(1.0, len(g) * min(p[j] for j in g)) for g in groups if i in g) for i in places]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_the_closed_test_of_bonferroni(p):
    np.testing.assert_allclose(holm(p), closed_test(p), atol=1e-15)


def test_holm_does_not_count_what_was_not_tested():
    np.testing.assert_array_equal(holm([0.02, np.nan, 0.01]), [0.02, np.nan, 0.02])


def test_a_fold_without_a_value_is_left_out_of_its_pair():
    values = pd.DataFrame(
        {"a": [0.5, 0.6, np.nan, 0.9], "b": [0.4, 0.7, 0.2, 0.5], "c": [0.1, 0.2, 0.3, 0.1]}
    )
    sizes = [(8, 2), (6, 4), (5, 5), (7, 3)]
    folds = Folds(tuple((np.arange(m), np.arange(n)) for m, n in sizes), 10)
    found = paired_tests(values, folds, "b")
    assert list(found.index) == ["a", "c"]
    share = (2 / 8 + 4 / 6 + 3 / 7) / 3
    expected = corrected_t_test([0.5 - 0.4, 0.6 - 0.7, 0.9 - 0.5], share)
    np.testing.assert_allclose(found.loc["a", ["standard error", "t", "p"]], expected)
    assert found.loc["a", "difference"] == pytest.approx((0.1 - 0.1 + 0.4) / 3)
    np.testing.assert_allclose(found["p adjusted"], closed_test(list(found["p"])))
