"""Reordered costs: decisions rise with the class probabilities and change little."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from moselect.samples.class_values import costs_in_order


def draw_costs_and_probabilities(seed, r):
    """Draw costs and two sets of class probabilities; P(y > k) is greater in the second."""
    rng = np.random.default_rng(seed)
    costs = rng.exponential(size=(r, r)) * (1.0 - np.eye(r))
    above = np.sort(rng.random((2, 50, r - 1)), axis=2)[..., ::-1]
    low = np.minimum(*above)
    high = np.maximum(*above)
    shares = [-np.diff(a, axis=1, prepend=1.0, append=0.0) for a in (low, high)]
    return costs, *shares


@given(st.integers(0, 10_000), st.integers(2, 7))
@settings(max_examples=60, deadline=None)
def test_decisions_never_fall_as_probabilities_rise(seed, r):
    costs, low, high = draw_costs_and_probabilities(seed, r)
    ordered = costs_in_order(costs)
    assert ((low @ ordered).argmin(axis=1) <= (high @ ordered).argmin(axis=1)).all()
    assert (ordered >= 0.0).all()


def test_costs_without_order_are_reordered():
    costs = np.abs(np.subtract.outer(range(3), range(3))) * [[1.0], [100.0], [1.0]]
    low = np.array([0.4, 0.0, 0.6])
    high = np.array([0.3, 0.1, 0.6])
    assert (low @ costs).argmin() > (high @ costs).argmin()
    ordered = costs_in_order(costs)
    assert (low @ ordered).argmin() <= (high @ ordered).argmin()


@given(st.integers(2, 8), st.sampled_from([1.0, 2.0]))
def test_costs_that_grow_with_the_distance_are_unchanged(r, power):
    ranks = np.arange(float(r))
    costs = np.abs(np.subtract.outer(ranks, ranks)) ** power
    np.testing.assert_array_equal(costs_in_order(costs), costs)


def test_costs_of_two_classes_are_unchanged():
    costs = np.array([[0.0, 1.0], [9.0, 0.0]])
    np.testing.assert_array_equal(costs_in_order(costs), costs)


def test_decisions_at_a_boundary_change_little():
    """Where two adjacent classes are likely, reordered costs mostly give the same class."""
    costs = np.abs(np.subtract.outer(range(5), range(5))) * np.array([[1, 1, 1, 5, 5]]).T
    share = np.linspace(0.05, 0.95, 50)
    for k in range(4):
        proba = np.zeros((50, 5))
        proba[:, k], proba[:, k + 1] = 1.0 - share, share
        decision = (proba @ costs).argmin(axis=1)
        is_changed = (proba @ costs_in_order(costs)).argmin(axis=1) != decision
        assert is_changed.mean() < 0.25


def test_a_referral_keeps_its_column():
    costs = np.column_stack([1.0 - np.eye(4), np.full(4, 0.3)])
    ordered = costs_in_order(costs)
    assert ordered.shape == (4, 5)
    np.testing.assert_array_equal(ordered[:, -1], costs[:, -1])
    np.testing.assert_array_equal(ordered.diagonal(), 0.0)
