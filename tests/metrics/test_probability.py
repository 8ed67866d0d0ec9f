"""Ranked probability score."""

import numpy as np
import pytest

from moselect.metrics import ranked_probability_error


def test_definition(rng):
    y = rng.integers(1, 5, 50)
    proba = rng.dirichlet(np.ones(4), 50)
    weights = rng.integers(1, 4, 50)
    is_at_most = y[:, None] <= np.arange(1, 5)
    squares = ((proba.cumsum(axis=1) - is_at_most) ** 2).sum(axis=1)
    found = ranked_probability_error(y, proba, sample_weight=weights)
    assert found == pytest.approx(np.average(squares, weights=weights), rel=1e-12)
