from __future__ import annotations

import numpy as np
import pytest

from moselect.search.direction_problem import draw_misplaced, shifts_home


def draw_case(seed):
    rng = np.random.default_rng(seed)
    r = int(rng.integers(2, 6))
    scores, labels = rng.normal(size=(60, 2)).round(seed % 3).T
    labels = np.clip(labels.round().astype(np.int64) + r // 2, 0, r - 1)
    return (
        scores,
        labels,
        np.sort(rng.normal(size=r - 1)),
        float(np.exp(rng.normal() - 2.0)),
    )


def draw(scores, labels, thresholds, reach, draws):
    """Draw as often as there are draws; returns samples and what each lacks."""
    shifts = shifts_home(scores[None], labels, thresholds[None])[0]
    each = np.broadcast_to(shifts, (len(draws), len(scores)))
    return draw_misplaced(each, np.full(len(draws), reach), draws), shifts


@pytest.mark.parametrize("seed", range(6))
def test_misplaced_samples_are_drawn_by_their_distance(seed):
    scores, labels, thresholds, reach = draw_case(seed)
    draws = (np.arange(20_000) + 0.5) / 20_000
    samples, shifts = draw(scores, labels, thresholds, reach, draws)
    predicted = (thresholds < scores[:, None]).sum(axis=1)
    at_end = (thresholds == scores[:, None]).any(axis=1)
    np.testing.assert_array_equal(
        (shifts == 0.0) | at_end, (predicted == labels) | at_end
    )
    for score, label, shift in zip(scores, labels, shifts, strict=True):
        if shift != 0.0:  # to the nearer end of the interval of its class
            ends = thresholds[max(label - 1, 0) : label + 1]
            assert shift == ends[np.abs(ends - score).argmin()] - score
    weights = np.where(shifts != 0.0, np.exp(-np.abs(shifts) / reach), 0.0)
    shares = np.bincount(samples, minlength=60) / len(draws)
    np.testing.assert_allclose(shares, weights / weights.sum(), atol=1e-4)
