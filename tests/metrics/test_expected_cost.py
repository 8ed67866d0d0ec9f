from __future__ import annotations

import numpy as np
import pytest

from moselect.metrics import (
    expected_cost,
)

COSTS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 5.0, 0.5]])


def draw(seed, n=50):
    rng = np.random.default_rng(seed)
    return rng.integers(1, 4, n), rng.integers(1, 4, n), rng.random(n)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_mean_of_the_costs_of_the_samples(seed):
    y, predicted, weights = draw(seed)
    each = [COSTS[a - 1, b - 1] for a, b in zip(y, predicted, strict=True)]
    assert expected_cost(y, predicted, COSTS) == pytest.approx(np.mean(each))
    found = expected_cost(y, predicted, COSTS, sample_weight=weights)
    assert found == pytest.approx(np.average(each, weights=weights))


@pytest.mark.parametrize("seed", range(5))
def test_priors_replace_the_shares_of_the_classes(seed):
    y, predicted, weights = draw(seed)
    priors = np.array([0.1, 0.0, 0.9])
    each = COSTS[y - 1, predicted - 1]
    means = [np.average(each[y == k], weights=weights[y == k]) for k in (1, 2, 3)]
    found = expected_cost(y, predicted, COSTS, sample_weight=weights, priors=priors)
    assert found == pytest.approx(0.1 * means[0] + 0.9 * means[2])
    shares = np.bincount(y)[1:] / len(y)
    assert expected_cost(y, predicted, COSTS, priors=shares) == pytest.approx(
        expected_cost(y, predicted, COSTS)
    )
