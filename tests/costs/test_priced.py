"""Decision losses and smooth rankings against definitions and brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from moselect.costs.losses import CostLoss
from moselect.inference.covariance import ranking_utility
from moselect.metrics import ranking_scores
from moselect.metrics.class_pairs import weights_of_pairs
from moselect.models.linear.smoothed_ranking import smoothed_ranking
from tests.without_features import samples_of

RANKINGS = np.vstack([np.eye(4), [0.3, 0.1, 0.4, 0.2]])


def draw(seed, n=30, r=3, decimals=1):
    """Draw scores with ties, class codes and integer weights; every class occurs."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.concatenate([np.arange(r), rng.integers(0, r, n - r)]))
    scores = np.round(0.5 * codes + rng.normal(size=n), decimals)
    return codes, scores, rng.integers(1, 4, n).astype(float)


def slow_smoothed(scores, codes, weights, ranking, scale):
    """Sum over all pairs and all chains of one sample a class."""

    difference = np.subtract.outer(scores, scores)
    tail = 0.5 * np.exp(-np.abs(difference) / scale)
    above = np.where(difference > 0.0, 1.0 - tail, tail)
    r = codes.max() + 1
    pair_weights = weights_of_pairs(ranking, np.bincount(codes, weights))
    of_pairs = np.tril(pair_weights, -1)[np.ix_(codes, codes)]
    value = weights @ (of_pairs * above) @ weights
    members = [np.flatnonzero(codes == k) for k in range(r)]
    # VUS counts ascending chains of one sample from each class.
    chains = 0.0
    for chain in itertools.product(*members):
        steps = [above[b, a] for a, b in itertools.pairwise(chain)]
        chains += np.prod(weights[list(chain)]) * np.prod(steps)
    return value + ranking[0] * chains / np.prod([weights[m].sum() for m in members])


@pytest.mark.parametrize("r", [2, 3, 5])
@pytest.mark.parametrize("ranking", RANKINGS)
def test_ranking_utility_equals_the_measures_of_repeated_samples(r, ranking):
    codes, scores, weights = draw(r, n=40, r=r)
    utility, _ = ranking_utility(ranking, codes, r, scores, weights)
    times = weights.astype(int)
    measures = ranking_scores(np.repeat(codes, times), np.repeat(scores, times))
    assert utility == pytest.approx(ranking @ measures, abs=1e-12)


def fast_smoothed(scores, codes, weights, ranking, scale):
    """Return the value and its gradient by scores."""
    pair_weights = weights_of_pairs(ranking, np.bincount(codes, weights))
    return smoothed_ranking(scores, codes, weights, pair_weights, ranking[0], scale)


@pytest.mark.parametrize("r", [2, 3, 4])
@pytest.mark.parametrize("ranking", RANKINGS)
def test_smoothed_ranking_against_all_pairs_and_chains(r, ranking):
    codes, scores, weights = draw(10 + r, n=12, r=r)
    given = scores, codes, weights, ranking, 2.0
    assert fast_smoothed(*given)[0] == pytest.approx(slow_smoothed(*given), abs=1e-12)


@given(st.integers(0, 1000), st.integers(2, 5))
def test_smoothed_gradient_matches_finite_differences(seed, r):
    codes, scores, weights = draw(seed, n=15, r=r, decimals=8)
    given = codes, weights, RANKINGS[-1], 2.0
    _, gradient = fast_smoothed(scores, *given)
    differences = approx_fprime(scores, lambda f: fast_smoothed(f, *given)[0], 1e-7)
    np.testing.assert_allclose(gradient, differences, atol=1e-5)


def test_classes_without_samples_contribute_nothing():
    codes = np.array([0, 0, 2, 2])
    scores = np.arange(4.0)
    ones = np.ones(4)
    value, _ = fast_smoothed(scores, codes, ones, ones, 0.01)
    assert value == pytest.approx(ranking_utility(ones, codes, 3, scores, ones)[0])


@pytest.mark.parametrize("ranking", RANKINGS)
def test_chance_loss_is_the_mean_over_all_rankings_with_the_cheapest_class(ranking):
    samples = samples_of(np.array([0, 0, 1, 1, 2, 2]), np.arange(3))
    costs = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [10.0, 5.0, 0.0]])
    loss = CostLoss(ranking)
    losses = [
        loss.estimate(costs, samples, np.full(6, 2), np.array(scores, dtype=float))[0]
        for scores in itertools.permutations(range(6))
    ]
    assert loss.of_constant(costs, samples.class_weights) == pytest.approx(
        np.mean(losses), abs=1e-12
    )
