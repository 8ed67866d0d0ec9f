"""Gradients of smoothed objectives, and misplaced samples."""

import numpy as np
import pytest

from moselect.search import OrdinalProblem
from moselect.search.moves import draw_misplaced, shifts_home
from tests.any_tables import ordinal_table

STEP = 1e-7


def smoothed(scores, thresholds, ranks, h):
    """Accuracy, 1 - MAE, U_cons, U_ovo and U_pairs if every step were a ramp of width 2 h."""
    r = len(thresholds) + 1

    def over(difference):
        return np.clip((difference + h) / (2 * h), 0.0, 1.0)

    above = np.column_stack(
        [np.ones_like(scores), over(scores[:, None] - thresholds), np.zeros_like(scores)]
    )
    hit = above[np.arange(len(scores)), ranks] - above[np.arange(len(scores)), ranks + 1]
    deviation = np.abs(above[:, 1:-1] - (ranks[:, None] > np.arange(r - 1))).sum(axis=1)

    def auc(low, high):
        return over(scores[high][:, None] - scores[low]).mean()

    couples = [(ranks == k, ranks == m) for k in range(r) for m in range(k + 1, r)]
    sizes = [low.sum() * high.sum() for low, high in couples]
    return np.array(
        [
            hit.mean(),
            1 - deviation.mean(),
            np.mean([auc(ranks < k, ranks >= k) for k in range(1, r)]),
            np.mean([auc(low, high) for low, high in couples]),
            np.average([auc(low, high) for low, high in couples], weights=sizes),
        ]
    )


@pytest.mark.parametrize("objective", [0, 1, 3, 4, 5])
@pytest.mark.parametrize("r", [2, 4])
def test_gradients_match_differences_of_the_smoothed_objective(r, objective, rng):
    X, ranks = ordinal_table(50, 4, r)
    problem = OrdinalProblem(X + 3.0, ranks)
    positions = rng.normal(size=(6, 4))
    scalarisations = np.arange(6)
    half_widths = rng.uniform(0.1, 0.6, size=6)
    objective_weights = np.zeros((6, 6))
    objective_weights[:, objective] = 3.0
    slopes = problem.gradients(positions, scalarisations, objective_weights, half_widths)
    index = [0, 1, 3, 4, 5].index(objective)
    for i, (weights, thresholds) in enumerate(
        zip(*problem.models(positions, scalarisations), strict=True)
    ):
        # thresholds stay where they are to the mean score
        thresholds = thresholds - 3.0 * weights.sum()

        def value(position, thresholds=thresholds, h=half_widths[i]):
            scores = X @ problem.models(position[None])[0][0]
            return 3.0 * smoothed(scores, thresholds, ranks, h)[index]

        for axis in np.eye(4):
            rise = value(positions[i] + STEP * axis) - value(positions[i] - STEP * axis)
            assert slopes[i] @ axis == pytest.approx(
                rise / (2 * STEP), rel=1e-5, abs=1e-6
            )


@pytest.mark.parametrize("seed", range(3))
def test_misplaced_samples_are_drawn_by_their_distance(seed):
    rng = np.random.default_rng(seed)
    r = int(rng.integers(2, 6))
    scores, labels = rng.normal(size=(60, 2)).round(seed % 3).T
    labels = np.clip(labels.round().astype(np.int64) + r // 2, 0, r - 1)
    thresholds = np.sort(rng.normal(size=r - 1))
    scale = float(np.exp(rng.normal() - 2.0))
    shifts = shifts_home(scores[None], labels, thresholds[None])[0]
    draws = (np.arange(20_000) + 0.5) / 20_000
    samples = draw_misplaced(np.tile(shifts, (20_000, 1)), np.full(20_000, scale), draws)
    predicted = (thresholds < scores[:, None]).sum(axis=1)
    at_end = (thresholds == scores[:, None]).any(axis=1)
    np.testing.assert_array_equal(
        (shifts == 0.0) | at_end, (predicted == labels) | at_end
    )
    for score, label, shift in zip(scores, labels, shifts, strict=True):
        if shift != 0.0:  # to the nearer end of the interval of its class
            ends = thresholds[max(label - 1, 0) : label + 1]
            assert shift == ends[np.abs(ends - score).argmin()] - score
    weights = np.where(shifts != 0.0, np.exp(-np.abs(shifts) / scale), 0.0)
    shares = np.bincount(samples, minlength=60) / len(draws)
    np.testing.assert_allclose(shares, weights / weights.sum(), atol=1e-4)
