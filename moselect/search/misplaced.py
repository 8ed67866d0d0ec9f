"""Steps that move a misclassified sample, drawn by its distance, to its threshold."""

from __future__ import annotations

import numpy as np

from moselect._types import Floats, Integers
from moselect.search.direction_problem import DirectionProblem


def shifts_home(scores: Floats, codes: Integers, thresholds: Floats) -> Floats:
    """Signed distance of each score (P, n) to the interval of its true class; 0 inside.

    ``codes`` (n,) are the classes of the samples, ``thresholds`` (P, r - 1) ascend.
    """
    ends = np.pad(thresholds, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
    home = np.maximum(scores, ends[:, codes])
    np.minimum(home, ends[:, 1:][:, codes], out=home)
    home -= scores
    return home


def draw_misplaced(shifts: Floats, scales: Floats, draws: Floats) -> Integers:
    """Draw a misclassified sample (P,) by shifts (P, n); the first sample if all are 0.

    A sample at distance s has weight exp(-s / scale), with ``scales`` (P,); ``draws``
    (P,) are uniform in [0, 1).
    """
    distances = np.abs(shifts)
    distances[shifts == 0.0] = np.inf
    # Distances relative to the nearest sample, so that not all weights underflow.
    nearest = distances.min(axis=1, keepdims=True)
    nearest[np.isinf(nearest)] = 0.0
    weights = np.subtract(nearest, distances, out=distances)
    weights /= scales[:, None]
    passed = np.cumsum(np.exp(weights, out=weights), axis=1)
    return (passed > draws[:, None] * passed[:, -1:]).argmax(axis=1)


def crossings(
    problem: DirectionProblem,
    positions: Floats,
    scalarisations: Integers,
    scales: Floats,
    draws: Floats,
) -> Floats:
    """Find the shortest steps (P, d) that move one misclassified sample to a threshold.

    It is the nearer threshold of the true class. Samples within ``scales`` (P,) of it,
    in standard deviations of the scores, are preferred; ``draws`` (P,), uniform in
    [0, 1), choose among them.
    """
    batch = problem.batch
    whitening = problem.whitening
    weights, thresholds = problem.models(positions, scalarisations)

    def draw(part: slice) -> tuple[Integers, Floats]:
        missing = shifts_home(batch.scores(weights[part]), batch.codes, thresholds[part])
        chosen = draw_misplaced(missing, scales[part], draws[part])
        return chosen, np.take_along_axis(missing, chosen[:, None], axis=1)[:, 0]

    chosen, shifts = batch.in_parts(len(positions), draw)
    # A step along the sample's own whitened features moves its score most for its
    # length.
    samples = batch.features[:, chosen].T - whitening.mean
    normals = whitening.pull_back(samples)
    square = (normals**2).sum(axis=1)
    # The step that brings the score to its threshold: shift / |normal|^2 times the
    # normal.
    lengths = np.divide(shifts, square, out=np.zeros_like(square), where=square > 0.0)
    return normals * lengths[:, None]
