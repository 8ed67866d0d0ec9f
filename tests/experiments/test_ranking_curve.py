"""The ranking curve against its definition by repetition; the experiment prints the figures."""

import numpy as np
import pytest

from experiments.ranking_metrics.ranking_curve import ranking_curve


@pytest.fixture
def sample():
    rng = np.random.default_rng(61)
    y = rng.normal(size=60)
    return y, y + rng.normal(size=60), rng.integers(1, 4, 60)


def test_whole_buckets(sample):
    y, scores, weights = sample
    ordered = y[np.argsort(scores)]
    curve = ranking_curve(y, scores, n_buckets=6)
    np.testing.assert_allclose(
        curve.values, ordered.reshape(6, -1).mean(axis=1), rtol=1e-12
    )
    np.testing.assert_array_equal(curve.positions, np.arange(1, 7))
    assert curve.lower is None
    assert curve.upper is None

    # 6: whole samples again
    repeated = np.repeat(ordered, weights[np.argsort(scores)] * 6)
    curve = ranking_curve(y, scores, n_buckets=6, sample_weight=weights)
    np.testing.assert_allclose(
        curve.values, repeated.reshape(6, -1).mean(axis=1), rtol=1e-12
    )


def test_ties_and_order(sample):
    y, scores, weights = sample
    scores = np.round(scores)

    def curve(y, scores, weights=None):
        return ranking_curve(y, scores, n_buckets=7, sample_weight=weights).values

    expected = curve(y, scores, weights)
    some = np.random.default_rng(62).permutation(60)
    np.testing.assert_allclose(
        curve(y[some], scores[some], weights[some]), expected, rtol=1e-12
    )
    repeated = curve(np.repeat(y, weights), np.repeat(scores, weights))
    np.testing.assert_allclose(repeated, expected, rtol=1e-12)
    np.testing.assert_allclose(
        curve(y, np.exp(scores), 2.5 * weights), expected, rtol=1e-12
    )
