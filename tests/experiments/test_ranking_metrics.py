"""The article on ranking metrics, what it leaves out, and its curve against repetition."""

import numpy as np
import pytest

from experiments.ranking_metrics.curves import band_coverage
from experiments.ranking_metrics.ranking_curve import ranking_curve


def test_every_printed_figure_is_found_but_the_mislabelled_ones(quick):
    judged, folder = quick("ranking_metrics")
    printed = judged[judged["paper"] != ""]
    differing = printed.index[printed["verdict"] == "differs"]
    assert len(printed) == 31
    assert differing.tolist() == ["MAE: y_score_1", "MAE: y_score_2", "MAE: y_score_3"]
    assert {path.name for path in folder.iterdir()} == {"curves.png", "weighted.png"}


def test_weights_repeat_objects_and_undo_a_bias(quick):
    judged, _ = quick("ranking_metrics")
    here = judged["here"]
    assert float(here["weights and repetition"]) < 1e-12
    assert float(here["biased sample: weighted"]) < 0.4 * float(
        here["biased sample: plain"]
    )


def test_bands_cover_about_as_often_as_they_say():
    coverage = band_coverage(lambda share: None, n_samples=25, n_large=200_000)
    assert 0.90 < coverage["band: coverage"] < 0.99  # of 250 buckets, hardly dependent


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
