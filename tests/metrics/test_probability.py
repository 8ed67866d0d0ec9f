"""Ranked probability score and expected class."""

import numpy as np
import pytest

from moselect.metrics import (
    ranked_probability_error,
)


@pytest.fixture
def sample():
    rng = np.random.default_rng(41)
    return rng.integers(1, 5, 50), rng.dirichlet(np.ones(4), 50), rng.integers(1, 4, 50)


def test_definition(sample):
    y, proba, weights = sample
    total = 0.0
    for i in range(50):
        for k in range(1, 5):
            total += weights[i] * (proba[i, :k].sum() - (y[i] <= k)) ** 2
    found = ranked_probability_error(y, proba, sample_weight=weights)
    assert found == pytest.approx(total / weights.sum(), rel=1e-12)
