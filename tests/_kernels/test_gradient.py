import itertools

import numpy as np
import pytest

from moselect._kernels import code_bits
from moselect._kernels.score_gradients import score_gradients
from moselect._kernels.scores import score_keys
from moselect.metrics.class_pairs import passing_gains, weights_of_pairs

ACCURACY, MAE, VUS = range(3)
OBJECTIVES = ["accuracy", "one_minus_mae", "vus", "u_cons", "u_ovo", "u_pairs"]


def draw_samples(rng, r, n):
    """Draw labels, tied scores and their order; among ties, higher classes come first."""
    labels = rng.permutation(np.r_[np.arange(r), rng.integers(r, size=n - r)])
    scores = rng.integers(-4, 5, size=n) / 2.0 + labels // 2
    return scores, np.lexsort((rng.random(n), -labels, scores)), labels


def fast_gradient(
    scores, order, labels, weights, thresholds, objective_weights, half_width
):
    masses = np.bincount(labels, weights)
    r = len(masses)
    rows = order[None]
    bits = code_bits(r)
    keys = score_keys(scores[None], np.ones((1, 1)), r - 1 - labels, bits)
    gradients = np.empty((1, len(scores)))
    score_gradients(
        keys[:, order],
        scores[rows],
        weights,
        rows,
        bits,
        thresholds[None],
        objective_weights[None, VUS] / masses.prod(),
        passing_gains(masses, objective_weights[None, VUS:]),
        gains_of_passing(objective_weights, r, masses.sum())[None],
        np.array([half_width]),
        gradients,
    )
    return gradients[0]


def gains_of_passing(objective_weights, r, n):
    """Gains in accuracy and in MAE of a sample of each class that passes each threshold."""
    k = np.arange(r)[:, None]
    boundary = np.arange(r - 1)
    accuracy = 1.0 * (k == boundary + 1) - (k == boundary)
    mae = np.where(k > boundary, 1.0, -1.0)
    return objective_weights[:VUS, None, None] * [accuracy, mae] / n


def chains_between(i, classes, order, labels, w):
    """Weight of the ascending sequences of ``classes`` that contain sample ``i``."""
    rank_of = {int(j): rank for rank, j in enumerate(order)}
    parts = [
        [i] if labels[i] == k else np.flatnonzero(labels == k).tolist() for k in classes
    ]
    return sum(
        all(rank_of[a] < rank_of[b] for a, b in itertools.pairwise(chain))
        * w[list(chain)].prod()
        for chain in itertools.product(*parts)
    )


def slow_gradient(
    scores, order, labels, weights, thresholds, objective_weights, half_width
):
    n = len(scores)
    r = int(labels.max()) + 1
    w = np.ones(n) if weights is None else weights
    counts = np.bincount(labels, w)
    pair_weights = weights_of_pairs(objective_weights[VUS:], counts)
    chain_weight = objective_weights[VUS] / np.prod(counts)
    ending = [chains_between(i, range(labels[i] + 1), order, labels, w) for i in range(n)]
    onward = [chains_between(i, range(labels[i], r), order, labels, w) for i in range(n)]
    gradient = np.zeros(n)
    for i, k in enumerate(labels.tolist()):
        for j, other in enumerate(labels.tolist()):
            if abs(scores[i] - scores[j]) > half_width:
                continue
            if other < k:
                gradient[i] += w[i] * w[j] * pair_weights[k, other]
            if other > k:
                gradient[i] -= w[i] * w[j] * pair_weights[other, k]
            if other == k - 1:
                gradient[i] += chain_weight * ending[j] * onward[i]
            if other == k + 1:
                gradient[i] -= chain_weight * ending[i] * onward[j]
        for before, threshold in enumerate(thresholds):
            if abs(scores[i] - threshold) > half_width:
                continue
            after = before + 1
            accuracy = int(k == after) - int(k == before)
            mae = abs(k - before) - abs(k - after)
            gain = objective_weights[ACCURACY] * accuracy + objective_weights[MAE] * mae
            gradient[i] += gain * w[i] / w.sum()
    return gradient / (2 * half_width)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("objective", [*OBJECTIVES, "all"])
@pytest.mark.parametrize("r", [2, 3, 5])
def test_gradient_sums_the_weights_of_passed_samples(r, objective, weighted, rng):
    objective_weights = 1.0 * np.equal(OBJECTIVES, objective)
    if objective == "all":
        objective_weights = rng.exponential(size=6)
    for half_width in (0.25, 0.5, 1.75, 20.0):  # within the first, all pairs are ties
        scores, order, labels = draw_samples(rng, r, 12)
        thresholds = np.sort(rng.integers(-8, 9, size=r - 1) / 4.0)
        weights = rng.exponential(size=12) if weighted else None
        case = scores, order, labels, weights, thresholds, objective_weights, half_width
        np.testing.assert_allclose(fast_gradient(*case), slow_gradient(*case), atol=1e-13)
