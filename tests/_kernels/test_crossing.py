from __future__ import annotations

import numpy as np
import pytest

from moselect._kernels.crossing import draw_misplaced


def draw_case(seed):
    rng = np.random.default_rng(seed)
    r = int(rng.integers(2, 6))
    scores, labels = rng.normal(size=(60, 2)).round(seed % 3).T
    labels = np.clip(labels.round().astype(np.int64) + r // 2, 0, r - 1)
    return scores, labels, np.sort(rng.normal(size=r - 1)), float(np.exp(rng.normal() - 2.0))


def shifts_home(scores, labels, thresholds):
    """What each score lacks to the interval of its class."""
    ends = np.r_[-np.inf, thresholds, np.inf]
    return np.clip(scores, ends[labels], ends[labels + 1]) - scores


@pytest.mark.parametrize("seed", range(20))
def test_misplaced_samples_are_drawn_by_their_distance(seed):
    scores, labels, thresholds, reach = draw_case(seed)
    shifts = shifts_home(scores, labels, thresholds)
    weights = np.where(shifts != 0.0, np.exp(-np.abs(shifts) / reach), 0.0)
    draws = (np.arange(20_000) + 0.5) / 20_000
    drawn = [draw_misplaced(scores, labels, thresholds, reach, draw) for draw in draws]
    samples = np.array([i for i, _ in drawn])
    np.testing.assert_array_equal([shift for _, shift in drawn], shifts[samples])
    shares = np.bincount(samples, minlength=60) / len(draws)
    np.testing.assert_allclose(shares, weights / weights.sum(), atol=1e-4)


def test_nobody_is_drawn_if_all_are_at_home():
    scores, labels = np.array([0.0, 1.0, 2.0, 3.0]), np.array([0, 0, 1, 2])
    assert draw_misplaced(scores, labels, np.array([1.0, 2.5]), 0.1, 0.5) == (0, 0.0)
