"""The ascent direction of a problem, against the smoothed objectives."""

from __future__ import annotations

import numpy as np
import pytest

from moselect.search import OrdinalProblem

STEP = 1e-7


def smoothed(scores, cuts, ranks, h):
    """Accuracy, 1 - MAE, U_cons, U_ovo and U_pairs if every step were a ramp of width 2 h."""
    r = len(cuts) + 1

    def over(difference):
        return np.clip((difference + h) / (2 * h), 0.0, 1.0)

    above = np.column_stack(
        [np.ones_like(scores), over(scores[:, None] - cuts), np.zeros_like(scores)]
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
def test_slopes_are_those_of_the_smoothed_objective(smooth, r, objective):
    X, ranks = smooth(seed=r, r=r, n=50, p=4)
    centred = X - X.mean(axis=0)
    problem = OrdinalProblem(X, ranks)
    rng = np.random.default_rng(objective)
    positions = rng.normal(size=(6, 4))
    mixtures, half_widths = np.arange(6), rng.uniform(0.1, 0.6, size=6)
    objective_weights = np.zeros((6, 6))
    objective_weights[:, objective] = 3.0
    slopes = problem.gradients(positions, mixtures, objective_weights, half_widths)
    index = [0, 1, 3, 4, 5].index(objective)
    for i, (weights, cuts) in enumerate(
        zip(*problem.models(positions, mixtures), strict=True)
    ):
        # thresholds stay where they are to the mean score
        cuts = cuts - weights @ X.mean(axis=0)

        def value(position, cuts=cuts, h=half_widths[i]):
            scores = centred @ problem.models(position[None])[0][0]
            return 3.0 * smoothed(scores, cuts, ranks, h)[index]

        for axis in np.eye(4):
            rise = value(positions[i] + STEP * axis) - value(positions[i] - STEP * axis)
            assert slopes[i] @ axis == pytest.approx(
                rise / (2 * STEP), rel=1e-5, abs=1e-6
            )


def test_slopes_of_vus_are_those_of_auc_if_there_are_two_classes(smooth):
    X, ranks = smooth(seed=0, r=2, n=60, p=3)
    problem = OrdinalProblem(X, ranks)
    positions, zeros = np.random.default_rng(0).normal(size=(5, 3)), np.zeros(5, int)
    of_vus, of_auc = (
        problem.gradients(
            positions, zeros, np.tile(np.eye(6)[j], (5, 1)), np.full(5, 0.2)
        )
        for j in (2, 4)
    )
    assert (np.abs(of_auc) > 1e-3).any()
    np.testing.assert_allclose(of_vus, of_auc, atol=1e-12)
