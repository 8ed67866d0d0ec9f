import struct

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from moselect._kernels import code_bits
from moselect._kernels.scores import TILE, keys_to_scores, linear_scores, score_keys
from moselect.predictor.scorers import score_rows

SEEDS = range(5)


def slow_score(row, weights, bits):
    total = 0.0
    for x, w in zip(row.tolist(), weights.tolist(), strict=True):
        total += w * x
    (pattern,) = struct.unpack("<Q", struct.pack("<d", total))
    (cleared,) = struct.unpack("<d", struct.pack("<Q", pattern >> bits << bits))
    return 0.0 if cleared == 0.0 else cleared


def draw_numbers(rng, shape, numbers):
    if numbers == "plain":
        return rng.normal(size=shape)
    if numbers == "ratings":
        return rng.integers(-2, 3, size=shape).astype(float)
    values = rng.normal(size=shape) * 10.0 ** rng.integers(-150, 150, size=shape)
    return np.where(rng.random(shape) < 0.2, -0.0, values)


def assert_same_bits(actual, expected):
    assert_array_equal(actual.view(np.int64), expected.view(np.int64))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("numbers", ["plain", "ratings", "magnitudes"])
def test_scores_are_sums_in_feature_order(numbers, seed):
    rng = np.random.default_rng(seed)
    p = rng.integers(1, 30)
    bits = int(rng.integers(1, 7))
    n = int(rng.choice([1, 2, 60, TILE - 1, TILE, TILE + 1, 2 * TILE + 3]))
    features = draw_numbers(rng, (p, n), numbers)
    weights = draw_numbers(rng, (3, p), numbers)
    scores = linear_scores(features, weights, bits)
    for w, found in zip(weights, scores, strict=True):
        expected = np.array([slow_score(row, w, bits) for row in features.T])
        assert_same_bits(found, expected)
        assert_same_bits(score_rows(features.T, w, 2**bits), expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("numbers", ["plain", "ratings", "magnitudes"])
@pytest.mark.parametrize("n_classes", [2, 5, 8, 40])
def test_keys_sort_by_score_and_then_from_the_highest_class_down(
    n_classes, numbers, seed
):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 2, TILE + 40]))
    bits = code_bits(n_classes)
    features = draw_numbers(rng, (2, n), numbers)
    weights = draw_numbers(rng, (2, 2), numbers)
    labels = rng.integers(n_classes, size=n)
    all_scores = linear_scores(features, weights, bits)
    all_keys = score_keys(features, weights, n_classes - 1 - labels, bits)
    for scores, keys in zip(all_scores, all_keys, strict=True):
        pairs = np.column_stack([scores, -labels])
        order = np.lexsort((-labels, scores))
        assert_array_equal(pairs[np.argsort(keys)], pairs[order])
        assert len(np.unique(keys)) == len(np.unique(pairs, axis=0))
        # The scores are restored from the keys bit for bit.
        assert_same_bits(keys_to_scores(np.sort(keys), bits), np.sort(scores))
