"""Reordered costs: decisions rise with the class probabilities and change little."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from moselect.costs.decisions import costs_in_order


@given(st.integers(0, 10_000), st.integers(2, 7))
@settings(max_examples=60)
def test_decisions_never_fall_as_probabilities_rise(seed, r):
    rng = np.random.default_rng(seed)
    costs = rng.exponential(size=(r, r)) * (1.0 - np.eye(r))
    # P(y > k), falling with k
    above = np.sort(np.sort(rng.random((2, 50, r - 1)), axis=0), axis=2)[..., ::-1]
    low, high = -np.diff(above, prepend=1.0, append=0.0)
    ordered = costs_in_order(costs)
    assert ((low @ ordered).argmin(axis=1) <= (high @ ordered).argmin(axis=1)).all()
    assert (ordered >= 0.0).all()


@given(st.integers(2, 8), st.sampled_from([1.0, 2.0]))
def test_costs_that_grow_with_the_distance_are_unchanged(r, power):
    ranks = np.arange(float(r))
    costs = np.abs(np.subtract.outer(ranks, ranks)) ** power
    assert_array_equal(costs_in_order(costs), costs)
