import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from moselect.metrics import cost_matrix
from moselect.models.calibration import calibrate
from moselect.selection.thresholds import (
    averaged_thresholds,
    exact_thresholds,
    smooth_thresholds,
)

SCORES = st.integers(-3, 3).map(float) | st.floats(-1e9, 1e9, width=32)
BASES = [3.0, -3.0, 0.1, -0.1, 1.0, 2.0**40, -1e-300, 0.0]


def assert_exact(scores, codes, costs, weights=None):
    """Compare with all placements of thresholds, for costs (r, r) or (n, r, r)."""
    n = len(scores)
    r = costs.shape[-1]
    row_costs = np.broadcast_to(costs, (n, r, r))[np.arange(n), codes]

    def mean_cost(thresholds):
        # The class is the number of thresholds strictly below the score.
        predicted = np.searchsorted(thresholds, scores)
        return np.average(row_costs[np.arange(n), predicted], weights=weights)

    thresholds, cost = exact_thresholds(np.array(scores), np.array(codes), costs, weights)
    assert thresholds.shape == (r - 1,)
    assert (np.diff(thresholds) >= 0).all()
    candidates = [-math.inf, *np.unique(scores)]
    placements = itertools.combinations_with_replacement(candidates, r - 1)
    least = min(map(mean_cost, placements))
    assert cost == pytest.approx(least, rel=1e-12, abs=1e-300)
    assert mean_cost(thresholds) == pytest.approx(least, rel=1e-12, abs=1e-300)


@st.composite
def problems(draw, scores):
    r = draw(st.integers(2, 4))
    objects = draw(
        st.lists(st.tuples(scores, st.integers(0, r - 1)), min_size=1, max_size=8)
    )
    entries = st.just(0.0) | st.sampled_from([1.0, 2.0]) | st.floats(1e-3, 1e3)
    costs = draw(hnp.arrays(np.float64, (r, r), elements=entries))
    return [s for s, _ in objects], [y for _, y in objects], costs


@given(problems(SCORES))
def test_exact_thresholds_have_the_least_cost(problem):
    assert_exact(*problem)


@pytest.mark.parametrize("base", BASES)
@given(problems(st.integers(0, 4)))
def test_adjacent_floats_are_separated(base, problem):
    places, codes, costs = problem
    neighbours = [base]
    for _ in range(4):
        neighbours.append(float(np.nextafter(neighbours[-1], math.inf)))
    assert_exact([neighbours[i] for i in places], codes, costs)


def test_signed_zeros_are_one_score():
    costs = np.array([[0.0, 1.0], [3.0, 0.0]])
    thresholds, cost = exact_thresholds(np.array([-0.0, 0.0]), np.array([0, 1]), costs)
    assert cost == 0.5
    assert thresholds[0] < 0.0


@pytest.mark.parametrize("r", [3, 4])
def test_exact_thresholds_have_the_least_weighted_sum_of_row_costs(r):
    rng = np.random.default_rng(r)
    for _ in range(60):
        codes = rng.permutation(np.arange(9) % r)
        scores = rng.integers(0, 6, 9)
        costs = rng.lognormal(0.0, 1.5, (9, r, r))
        assert_exact(scores.astype(float), codes, costs, rng.uniform(0.5, 2.0, 9))


def test_smooth_thresholds_of_integer_weights_equal_repeated_samples():
    rng = np.random.default_rng(3)
    codes = rng.integers(3, size=60)
    counts = rng.integers(1, 4, size=60)
    scores = np.round(codes + rng.normal(size=60), 1)
    costs = rng.random((3, 3))
    np.testing.assert_allclose(
        smooth_thresholds(scores, codes, costs, counts.astype(float)),
        smooth_thresholds(np.repeat(scores, counts), np.repeat(codes, counts), costs),
    )


@pytest.mark.parametrize("seed", range(6))
def test_smooth_thresholds_have_the_least_expected_cost(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=14)
    scores = np.round(codes + rng.normal(size=14), 1)
    costs = rng.random((3, 3))
    z = (scores - scores.mean()) / scores.std()
    expected = calibrate(z, codes, 3)(z) @ costs

    def cost(thresholds):
        return expected[np.arange(14), np.searchsorted(thresholds, scores)].sum()

    places = [-math.inf, *sorted(set(scores))]
    least = min(map(cost, itertools.combinations_with_replacement(places, 2)))
    assert cost(smooth_thresholds(scores, codes, costs)) == pytest.approx(least)


def test_averaged_thresholds_move_with_the_scores():
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 3, 120)
    scores = codes + rng.normal(scale=0.6, size=120)
    costs = cost_matrix(np.ones(3))
    thresholds = averaged_thresholds(scores, codes, costs)
    moved = averaged_thresholds(4.0 * scores + 32.0, codes, costs)
    np.testing.assert_allclose(moved, 4.0 * thresholds + 32.0, rtol=1e-6)
