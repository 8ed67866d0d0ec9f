"""Unbiased covariance of ranking measures: product of estimates less its mean on disjoint samples.

Two samples that have no sample in common are independent, so the mean over all pairs of disjoint
samples (sequences of one sample of each class, or pairs of samples) estimates the product of the
expectations without bias.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from moselect._kernels.disjoint_chains import disjoint_chains
from moselect._kernels.pair_components import joint_right_pairs
from moselect._types import Floats
from moselect.metrics.uncertainty.covariance import RankedModels, delong_covariance


def exact_covariance(models: RankedModels) -> Floats:
    """Covariance (m, m) in O(r n^2) for VUS and O(r^2 n + n^2) for the measures of pairs."""
    if models.measure == "vus":
        estimates = models.estimates()
        return np.outer(estimates, estimates) - _each_pair(models, _disjoint_chains)
    return delong_covariance(models) + _each_pair(models, _correction)


def _each_pair(models: RankedModels, value: Callable[[RankedModels, int, int], float]) -> Floats:
    """Fill a symmetric matrix (m, m)."""
    m = len(models.rankings)
    matrix = np.empty((m, m))
    for i in range(m):
        for j in range(i, m):
            matrix[i, j] = matrix[j, i] = value(models, i, j)
    return matrix


def _disjoint_chains(models: RankedModels, i: int, j: int) -> float:
    """Share of ascending ones among the disjoint pairs of sequences, one for each model."""
    counts = models.samples.class_weights
    first, other = models.rankings[i], models.rankings[j]
    n = len(models.samples.codes)
    place_in_first, place_in_second = np.empty((2, n), dtype=np.int64)
    place_in_first[first.order] = np.arange(n)
    second = place_in_first[other.order]
    place_in_second[second] = np.arange(n)
    labels = models.samples.codes[first.order]
    by_class = np.argsort(labels, kind="stable")
    share = disjoint_chains(labels, second, place_in_second, by_class, 1.0 / counts)
    return float(share * np.prod(counts / (counts - 1.0)))


def _correction(models: RankedModels, i: int, j: int) -> float:
    """Unbiased covariance less DeLong's: they differ in pairs of classes with themselves."""
    factors = models.pair_factors()
    r = len(factors)
    total = 0.0
    for k in range(r):
        for label in range(k + 1, r):
            total += factors[k, label] ** 2 * _class_pair_correction(models, (i, j), k, label)
    return total


def _class_pair_correction(
    models: RankedModels, pair: tuple[int, int], k: int, label: int
) -> float:
    """Unbiased covariance of two models' right pairs of classes k and label, less DeLong's."""
    codes, counts = models.samples.codes, models.samples.class_weights
    only = np.zeros((len(counts), len(counts)))
    only[k, label] = only[label, k] = 1.0
    right = np.empty((2, len(codes)))
    for row, model in zip(right, pair, strict=True):
        models.fill_pair_components(model, only, row)
    lower, upper = codes == k, codes == label
    product = right[0, lower].sum() * right[1, lower].sum()
    scores = models.samples.rows[list(pair)]
    credit = 0.5 if models.half_credit else 0.0
    both = joint_right_pairs(
        np.ascontiguousarray(scores[:, lower]), np.ascontiguousarray(scores[:, upper]), credit
    )
    shared = [right[0, members] @ right[1, members] for members in (lower, upper)]
    sizes = counts[[k, label]]
    disjoint = (product - sum(shared) + both) * np.prod(sizes / (sizes - 1.0))
    delong = sum(
        (size * same - product) / (size - 1.0) for same, size in zip(shared, sizes, strict=True)
    )
    return float(product - disjoint - delong)
