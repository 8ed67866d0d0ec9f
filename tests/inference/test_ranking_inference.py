"""Variances of ranking measures against brute force, and their intervals and p-values."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from scipy.special import expit, logit

from moselect.inference import ranking_inference
from tests.metrics.test_ranking import sequence_credit

MEASURES = ("vus", "u_cons", "u_ovo", "u_pairs")


def pair_weights(measure, counts):
    """Weight of the AUC of every two classes k < l in a measure of pairs."""
    r = len(counts)
    weights = np.zeros((r, r))
    for k, label in itertools.combinations(range(r), 2):
        if measure == "u_ovo":
            weights[k, label] = 2 / (r * (r - 1))
        elif measure == "u_pairs":
            weights[k, label] = counts[k] * counts[label]
        else:
            weights[k, label] = sum(
                counts[k] * counts[label] / (sum(counts[:cut]) * sum(counts[cut:]))
                for cut in range(k + 1, label + 1)
            )
    return weights / weights.sum()


def kernel(measure, chain_scores, weights, half_credit):
    """Contribution of one sequence (one sample of each class), whose mean is the measure."""
    if measure == "vus":
        return sequence_credit(chain_scores, half_credit)
    pairs = itertools.combinations(range(len(chain_scores)), 2)
    return sum(
        weights[k, m] * sequence_credit([chain_scores[k], chain_scores[m]], half_credit)
        for k, m in pairs
    )


def brute_force(codes, scores, measure, half_credit):
    """Estimates, DeLong's covariance and the unbiased one, over all pairs of sequences."""
    r = codes.max() + 1
    m = scores.shape[1]
    members = [np.flatnonzero(codes == k) for k in range(r)]
    counts = np.bincount(codes)
    weights = pair_weights(measure, counts)
    chains = list(itertools.product(*members))
    values = np.array(
        [
            [kernel(measure, scores[list(c), j], weights, half_credit) for c in chains]
            for j in range(m)
        ]
    )
    estimates = values.mean(axis=1)
    chains = np.array(chains)
    # DeLong: covariance of structural components, summed over classes.
    delong = np.zeros((m, m))
    for k in range(r):
        components = [values[:, chains[:, k] == i].mean(axis=1) for i in members[k]]
        delong += np.cov(np.array(components).T).reshape(m, m) / counts[k]
    # Unbiased estimate: products over pairs of chains without common samples.
    disjoint = (chains[:, None, :] != chains[None, :, :]).all(axis=2)
    product = values @ disjoint @ values.T / disjoint.sum()
    return estimates, delong, np.outer(estimates, estimates) - product


def make_sample(seed, r, digits=9):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.repeat(np.arange(r), 2), rng.integers(0, r, 5)])
    latent = codes + rng.normal(size=len(codes))
    scores = np.column_stack([latent, latent + rng.normal(size=len(codes)), -latent])
    return codes, np.round(scores, digits)


@pytest.mark.parametrize("ties", ["strict", "average"])
@pytest.mark.parametrize("digits", [0, 9], ids=["ties", "no ties"])
@pytest.mark.parametrize("r", [2, 3, 4])
@pytest.mark.parametrize("measure", MEASURES)
def test_definitions(measure, r, digits, ties):
    codes, scores = make_sample(r, r, digits)
    estimates, delong, exact = brute_force(codes, scores, measure, ties == "average")
    for method, expected in (("delong", delong), ("exact", exact)):
        if method == "exact" and measure != "vus":
            continue
        if measure == "vus" and ties == "average" and digits == 0:
            with pytest.raises(ValueError, match="no half credit"):
                ranking_inference(codes, scores, measure, method, ties=ties)
            continue
        found = ranking_inference(codes, scores, measure, method, ties=ties)
        assert_allclose(found.estimates, estimates, rtol=1e-12)
        assert_allclose(found.covariance, expected, rtol=1e-9, atol=1e-14)


def test_intervals_and_p_values(rng):
    y = rng.integers(0, 3, 300)
    latent = y + rng.normal(size=300)
    scores = np.column_stack([latent, rng.normal(size=300), latent])
    result = ranking_inference(y, scores, confidence_level=0.9)
    assert result.method == "exact"
    sizes = np.bincount(y)
    degrees = (1 / sizes).sum() ** 2 / (1 / (sizes**2 * (sizes - 1))).sum()
    slope = result.estimates * (1 - result.estimates)  # derivative of the logit
    half_width = stats.t.ppf(0.95, degrees) * result.standard_errors / slope
    ends = expit(logit(result.estimates) + np.array([-half_width, half_width]))
    assert_allclose(result.confidence_intervals.T, ends, rtol=1e-7)
    covariance = result.covariance
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    z = (result.estimates[0] - result.estimates[1]) / math.sqrt(variance)
    assert result.p_values[0, 1] == pytest.approx(
        2 * stats.t.sf(abs(z), degrees), rel=1e-9
    )
    assert result.p_values[1, 0] == result.p_values[0, 1] < 1e-6
    assert result.p_values[0, 2] == 1.0  # the same ranking twice
    assert_array_equal(np.diagonal(result.p_values), 1.0)


@pytest.mark.checks("Ranking inference", "draws with a class of five samples")
@pytest.mark.parametrize("measure", ["vus", "u_ovo"])
def test_intervals_cover_if_a_class_has_few_samples(measure):
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], [100, 100, 5])
    # Means of normal scores with a distance of 1.2
    many = np.repeat([0, 1, 2], 20_000)
    (true,) = ranking_inference(
        many, 1.2 * many + rng.normal(size=60_000), measure, "delong"
    ).estimates
    ends = [
        ranking_inference(y, 1.2 * y + rng.normal(size=205), measure, "delong")
        for _ in range(600)
    ]
    low, high = np.concatenate([each.confidence_intervals for each in ends]).T
    # three standard errors of .012 below .9, for a class of ten .91
    assert np.mean((low <= true) & (true <= high)) > 0.864


@pytest.mark.parametrize("method", ["exact", "delong"])
@pytest.mark.parametrize("sign", [1, -1])
def test_perfect_and_reversed_rankings(method, sign):
    y = np.repeat([1, 2, 3], [7, 8, 9])
    result = ranking_inference(y, sign * np.arange(24), method=method)
    known = stats.binomtest(7 if sign == 1 else 0, 7).proportion_ci(method="exact")
    assert_allclose(result.confidence_intervals[0], known, rtol=1e-9)
    assert result.standard_errors[0] == pytest.approx(0.0, abs=1e-7)
