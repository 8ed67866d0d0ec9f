from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from moselect.plots.line_ends import spread

PLACES = st.lists(st.floats(-0.5, 1.5), min_size=1, max_size=8)


@given(PLACES, st.floats(0.01, 0.4))
def test_places_are_apart_in_range_and_in_order(places, gap):
    moved = spread(places, gap)
    least = min(gap, 1.0 / max(1, len(places) - 1))
    assert (np.diff(np.sort(moved)) >= least - 1e-9).all()
    assert moved.min() >= -1e-9
    assert moved.max() <= 1.0 + 1e-9
    assert (np.diff(moved[np.argsort(np.clip(places, 0, 1), kind="stable")]) > 0.0).all()


@pytest.mark.parametrize("seed", range(5))
def test_moves_are_the_least(seed):
    places = np.sort(np.random.default_rng(seed).random(5))
    best = minimize(
        lambda moved: ((moved - places) ** 2).sum(),
        np.linspace(0, 1, 5),
        bounds=[(0, 1)] * 5,
        constraints={"type": "ineq", "fun": lambda moved: np.diff(moved) - 0.15},
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    np.testing.assert_allclose(spread(places, 0.15), best.x, atol=1e-5)


def test_places_far_apart_stay():
    np.testing.assert_allclose(spread([0.9, 0.1, 0.5], 0.2), [0.9, 0.1, 0.5])
