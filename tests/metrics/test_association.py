"""Rank association against its definitions, scipy, and the printed figures of the article."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from moselect.metrics import (
    bubble_sort_coefficient,
    kendall_tau_b_score,
    regression_roc_auc_score,
    somers_d_score,
    spearman_score,
)


def brute_pairs(y, scores, weights):
    """Weights of concordant, discordant, score-tied and target-tied pairs."""
    by_target = np.sign(np.subtract.outer(y, y))
    by_score = np.sign(np.subtract.outer(scores, scores))
    # Each pair is counted twice.
    masses = np.outer(weights, weights) / 2.0
    return (
        masses[by_target * by_score > 0].sum(),
        masses[by_target * by_score < 0].sum(),
        masses[(by_target != 0) & (by_score == 0)].sum(),
        masses[(by_target == 0) & (by_score != 0)].sum(),
    )


@st.composite
def data(draw):
    n = draw(st.integers(2, 25))
    numbers = st.lists(st.integers(-4, 4), min_size=n, max_size=n)
    y = np.array(draw(numbers))
    scores = np.array(draw(numbers))
    weights = draw(st.lists(st.sampled_from([1, 2, 0.25]), min_size=n, max_size=n))
    return y, scores, np.array(weights)


@given(data())
def test_definitions(sample):
    y, scores, weights = sample
    concordant, discordant, tied, tied_targets = brute_pairs(y, scores, weights)
    targets = concordant + discordant + tied
    different = concordant + discordant + tied_targets
    if targets == 0 or different == 0:
        return
    expected = {
        bubble_sort_coefficient: 1 - discordant / targets,
        kendall_tau_b_score: (concordant - discordant) / math.sqrt(targets * different),
        somers_d_score: (concordant - discordant) / targets,
        regression_roc_auc_score: concordant / targets,
    }
    for measure, value in expected.items():
        found = measure(y, scores, sample_weight=weights)
        assert found == pytest.approx(value, rel=1e-12, abs=1e-12), measure.__name__
    half = regression_roc_auc_score(y, scores, sample_weight=weights, ties="average")
    assert half == pytest.approx((concordant + tied / 2) / targets, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_spearman_equals_scipy(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 6, 200)
    scores = np.round(y + 2 * rng.normal(size=200))
    assert spearman_score(y, scores) == pytest.approx(stats.spearmanr(y, scores)[0])


@pytest.mark.parametrize(
    ("measure", "printed"),
    [
        (spearman_score, [0.99759, 0.94718, 0.01447]),
        (kendall_tau_b_score, [0.96163, 0.80227, 0.00976]),
        (regression_roc_auc_score, [0.98081, 0.90113, 0.50488]),
    ],
)
def test_printed_figures(article, measure, printed):
    y, scores = article
    np.testing.assert_allclose(measure(y, np.column_stack(scores)), printed, atol=5e-6)
