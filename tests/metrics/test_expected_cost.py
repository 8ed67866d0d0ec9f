import numpy as np
import pytest

from moselect.metrics import expected_cost

COSTS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 5.0, 0.5]])


@pytest.mark.parametrize("seed", range(5))
def test_expected_cost_is_the_mean_over_samples_or_over_classes_by_their_priors(seed):
    rng = np.random.default_rng(seed)
    y, predicted = rng.integers(1, 4, (2, 50))
    weights = rng.random(50)
    costs = COSTS[y - 1, predicted - 1]
    assert expected_cost(y, predicted, COSTS) == pytest.approx(costs.mean())
    found = expected_cost(y, predicted, COSTS, sample_weight=weights)
    assert found == pytest.approx(np.average(costs, weights=weights))
    priors = np.array([0.1, 0.0, 0.9])
    means = [np.average(costs[y == k], weights=weights[y == k]) for k in (1, 2, 3)]
    found = expected_cost(y, predicted, COSTS, sample_weight=weights, priors=priors)
    assert found == pytest.approx(priors @ means)
