"""The article on ranking metrics, what it leaves out, and its curve against repetition."""

import numpy as np
import pytest

from experiments.ranking_metrics.curves import band_coverage


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
