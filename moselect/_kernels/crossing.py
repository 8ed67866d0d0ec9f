"""Wrongly classified samples, and how far their scores are from the interval of their class."""

from __future__ import annotations

import numpy as np

from moselect._kernels.compilation import kernel


@kernel(inline="always")
def _shift_home(score, label, thresholds):
    if label > 0 and score < thresholds[label - 1]:
        return thresholds[label - 1] - score
    if label < thresholds.shape[0] and score > thresholds[label]:
        return thresholds[label] - score
    return 0.0


@kernel
def draw_misplaced(scores, labels, thresholds, reach, draw):
    """Draw a sample whose score (n,) lies outside the interval of its class.

    Returns the sample and what its score lacks to the nearest end of that interval, or (0, 0.0)
    if all lie inside. A sample at distance s is drawn with weight exp(-s / reach); ``draw``, in
    [0, 1), decides. O(n).
    """
    n = scores.shape[0]
    nearest = np.inf  # weights are relative to the nearest one's: some must not vanish
    for i in range(n):
        distance = abs(_shift_home(scores[i], labels[i], thresholds))
        if 0.0 < distance < nearest:
            nearest = distance
    total = 0.0
    for i in range(n):
        distance = abs(_shift_home(scores[i], labels[i], thresholds))
        if distance > 0.0:
            total += np.exp((nearest - distance) / reach)
    passed = 0.0
    for i in range(n):
        shift = _shift_home(scores[i], labels[i], thresholds)
        if shift != 0.0:
            passed += np.exp((nearest - abs(shift)) / reach)
            if passed > draw * total:
                return i, shift
    return 0, 0.0
