"""The experiments on VUS: their measures against oracles, and a small run."""

from itertools import combinations, product
from math import factorial

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from experiments.waegeman2008.figures_3_to_5 import exact_values


@pytest.mark.parametrize("r", [2, 3, 4, 5])
@pytest.mark.parametrize("distance", [0.0, 0.7, 3.0])
def test_exact_values_are_normal_probabilities(r, distance):
    vus, u_cons, u_ovo, u_pairs = exact_values(r, distance)
    # The scores are in order if all steps between neighbours, jointly normal, are positive.
    steps = 2.0 * np.eye(r - 1) - np.eye(r - 1, k=1) - np.eye(r - 1, k=-1)
    in_order = multivariate_normal.cdf(
        np.full(r - 1, distance), cov=steps, abseps=1e-5, rng=np.random.default_rng(0)
    )
    assert vus == pytest.approx(in_order, abs=5e-5)

    def auc(pairs):
        return np.mean([norm.cdf((b - a) * distance / np.sqrt(2)) for a, b in pairs])

    splits = [auc(product(range(k), range(k, r))) for k in range(1, r)]
    assert u_cons == pytest.approx(np.mean(splits))
    assert u_ovo == u_pairs == pytest.approx(auc(combinations(range(r), 2)))
    if distance == 0.0:
        assert vus == pytest.approx(1.0 / factorial(r), abs=1e-8)
