import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from moselect._kernels import code_bits
from moselect._kernels.cutpoints import LANES, positions_to_thresholds
from moselect._kernels.objectives import (
    cheapest_positions_of_rows,
    least_costs_of_rows,
)
from moselect.search.scalarisations import (
    SCALARISATIONS,
    pack_scalarisations,
    unpack_totals,
)


def fast_objectives(rankings, labels, r):
    costs, lanes = pack_scalarisations(len(labels), r)
    keys = np.array([ranking.keys for ranking in rankings])
    totals = np.empty((len(keys), LANES), dtype=np.int64)
    least_costs_of_rows(keys, rankings[0].bits, costs.reshape(r, -1), totals)
    return unpack_totals(totals, lanes, len(labels))


def slow_errors(scores, labels, predicted):
    """(errors, total deviation) of every placement."""
    deviation = np.abs(labels[np.argsort(scores)] - predicted)
    errors = (deviation > 0).sum(axis=1)
    return list(zip(errors.tolist(), deviation.sum(axis=1).tolist(), strict=True))


def slow_lanes(outcomes):
    """The best outcome (errors, deviation) of every lane."""
    yield min(outcomes)
    for a, b in SCALARISATIONS:
        yield min(outcomes, key=lambda each: (a * each[0] + b * each[1], each[0]))
    yield min(outcomes, key=lambda outcome: outcome[::-1])


def draw_labels(rng, n, r):
    return rng.permutation(np.r_[np.arange(r), rng.integers(r, size=n - r)])


SIZES = [(2, 2), (2, 700), (3, 30), (5, 9), (11, 11), (40, 40)]
N_SCORES = {2: 700, 3: 30, 5: 8, 11: 3, 40: 2}  # keeps the brute force small


def draw_scores(rng, labels, r):
    noise = rng.normal(scale=rng.choice([0.5, 5.0]), size=len(labels))
    ranks = labels * N_SCORES[r] / r + noise
    return ranks.round().clip(0, N_SCORES[r] - 1) - 2.0


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("r", "n"), SIZES)
def test_each_scalarisation_has_its_optimal_thresholds(rank, slow_placements, r, n, seed):
    rng = np.random.default_rng(seed)
    labels = draw_labels(rng, n, r)
    particles = [draw_scores(rng, labels, r) for _ in range(3)]
    out = fast_objectives([rank(scores, labels, r) for scores in particles], labels, r)
    for scores, found in zip(particles, out, strict=True):
        _, predicted = slow_placements(scores.tolist(), r)
        best = slow_lanes(slow_errors(scores, labels, predicted))
        expected = [((n - errors) / n, 1 - deviation / n) for errors, deviation in best]
        assert_array_equal(found, expected)


@pytest.mark.parametrize("n", [12, 511, 512, 5000])
@pytest.mark.parametrize("r", [2, 12])
def test_packed_totals_do_not_overflow(rank, r, n, rng):
    # Labels at both ends of the scale: no single class has a small total deviation.
    labels = np.where(draw_labels(rng, n, r) < r / 2, 0, r - 1)
    labels[:r] = np.arange(r)
    ranking = rank(np.zeros(n), labels, r)
    outcomes = slow_errors(np.zeros(n), labels, np.arange(r)[:, None])
    expected = 1 - np.array([*slow_lanes(outcomes)]) / n
    found = fast_objectives([ranking], labels, r)[0]
    assert_allclose(found, expected, rtol=1e-12)


def solve(ranking, cost, weights=None):
    """Total cost and thresholds under one cost matrix."""
    sorted_weights = None if weights is None else weights[None, ranking.order]
    r = len(cost)
    positions = np.empty((1, 1, r - 1), dtype=np.int64)
    totals = np.empty((1, 1))
    filled = positions, totals, np.empty((0, 1, r, r))
    models = ranking.keys[None], sorted_weights, ranking.bits, cost[None, None]
    cheapest_positions_of_rows(*models, *filled)
    thresholds = positions_to_thresholds(ranking.keys, positions[0, 0], ranking.bits)
    return totals[0, 0], thresholds


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("r", [2, 5, 11])
def test_exact_thresholds_separate_adjacent_floats(rank, r, sign):
    labels = np.arange(r)
    # Adjacent values in the bits that keys keep.
    scores = sign * 1.5 + labels * 2.0 ** (code_bits(r) - 52)
    total, thresholds = solve(rank(scores, labels, r), 1 - np.eye(r))
    assert total == 0
    assert (thresholds < scores[:, None]).sum(axis=1).tolist() == labels.tolist()
