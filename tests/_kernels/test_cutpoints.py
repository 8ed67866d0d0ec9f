import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from moselect._kernels.cutpoints import (
    LANES,
    count_predictions,
    least_costs,
    positions_to_thresholds,
)

SEEDS = st.integers(0, 2**32 - 1)
COSTS = "convex", "many ties", "any"  # integers


@st.composite
def samples(draw):
    """Draw r, scores and classes: ties, and classes that are missing."""
    r, n_scores = draw(
        st.sampled_from([(2, 9), (3, 9), (4, 8), (5, 6), (6, 5), (11, 3), (40, 2)])
    )
    one = st.tuples(st.integers(0, n_scores - 1), st.integers(0, r - 1))
    ranks, labels = zip(*draw(st.lists(one, min_size=1, max_size=12)), strict=True)
    return r, [place - 3.0 for place in ranks], list(labels)


def slow_totals(scores, labels, cost, predicted, weights=None):
    """Total cost of every placement."""
    order = np.argsort(scores)
    w = np.ones(len(scores)) if weights is None else weights[order]
    return cost[np.array(labels)[order], predicted] @ w


def cost_matrices(rng, r, size, costs):
    if costs == "convex":
        distance = np.abs(np.subtract.outer(np.arange(r), np.arange(r)))
        return distance * rng.integers(1, 5, size=(size, r, 1))
    if costs == "many ties":
        return rng.integers(0, 2, size=(size, r, r))
    if costs == "real":
        return rng.normal(size=(size, r, r))
    return rng.integers(-5, 20, size=(size, r, r))


@pytest.mark.checks("Search and thresholds", "every placement of thresholds")
@pytest.mark.parametrize("costs", COSTS)
@given(samples(), SEEDS)
def test_least_costs_match_the_best_placement(rank, slow_placements, costs, drawn, seed):
    r, scores, labels = drawn
    lanes = cost_matrices(np.random.default_rng(seed), r, LANES, costs)
    packed = np.ascontiguousarray(np.stack(lanes, axis=-1).reshape(r, r * LANES))
    best = np.full(r * LANES, -7)
    least_costs(*rank(scores, labels, r).runs, packed, best)
    _, predicted = slow_placements(scores, r)
    expected = [slow_totals(scores, labels, cost, predicted).min() for cost in lanes]
    np.testing.assert_array_equal(best[-LANES:], expected)


@pytest.mark.parametrize("weighted", [False, True])
@given(samples(), SEEDS)
def test_prediction_counts_match_confusion_matrices(weighted, drawn, seed):
    r, scores, labels = drawn
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=len(labels)) if weighted else None
    particles = np.array([scores, scores[::-1]])
    # Half of the thresholds equal a score.
    thresholds = np.sort(rng.integers(-8, 14, size=(2, r - 1)) / 2.0)
    found = np.zeros((2, r, r))
    count_predictions(particles, thresholds, np.array(labels), weights, found)
    for row, row_thresholds, cells in zip(particles, thresholds, found, strict=True):
        expected = confusion_matrix(
            labels, classify(row, row_thresholds), labels=range(r), sample_weight=weights
        )
        np.testing.assert_allclose(cells, expected, rtol=1e-14)


def classify(scores, thresholds):
    return (thresholds < scores[:, None]).sum(axis=1)


@given(st.lists(st.floats(-(2.0**50), 2.0**50, width=32), min_size=1, max_size=6))
@pytest.mark.parametrize("r", [2, 4, 12])
def test_thresholds_realise_their_positions(slow_placements, r, numbers):
    all_positions, _ = slow_placements(numbers, r)
    scores = np.sort(numbers)
    for k in np.linspace(0, len(all_positions) - 1, 20).astype(int):
        positions = all_positions[k]
        thresholds = positions_to_thresholds(scores, positions)
        assert (np.diff(thresholds) >= 0).all()
        counts = np.bincount(classify(scores, thresholds), minlength=r)
        assert counts.cumsum()[:-1].tolist() == positions.tolist()
