"""Paired evidence against the bootstrap and against scipy."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

from moselect.decision.differences import loss_difference, verdict


def difference(paid, rival, *, by_cost=True):
    """Compare what two rules pay for the same samples."""
    return loss_difference(
        (paid.mean(), paid - paid.mean()), (rival.mean(), rival - rival.mean()), by_cost
    )


def test_the_error_of_a_saving_is_that_of_the_bootstrap():
    rng = np.random.default_rng(0)
    rival = rng.exponential(size=400)
    paid = 0.8 * rival + 0.2 * rng.exponential(size=400)
    saving = difference(paid, rival)
    draws = rng.integers(0, 400, (4000, 400))
    resampled = 1.0 - paid[draws].mean(axis=1) / rival[draws].mean(axis=1)
    assert saving.standard_error == pytest.approx(resampled.std(), rel=0.05)


def test_the_interval_of_a_gain_is_that_of_the_paired_t_test():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=30), rng.normal(size=30) + 0.3
    gain = difference(a, b, by_cost=False)
    interval = ttest_rel(b, a).confidence_interval()
    assert (gain.low, gain.high) == pytest.approx((interval.low, interval.high))


def test_words_say_which_costs_more():
    dear, cheap = np.tile([2.0, 3.0], 50), np.tile([1.0, 1.5], 50)
    assert verdict(difference(cheap, dear), "X", in_percent=True) == (
        "saves 50 % against X (50 to 50 %)"
    )
    assert verdict(difference(dear, cheap), "X", in_percent=True) == (
        "costs 100 % more than X (100 to 100 %)"
    )


def test_against_a_rival_that_costs_nothing_there_is_nothing_to_save():
    assert difference(np.ones(3), np.zeros(3)) is None
