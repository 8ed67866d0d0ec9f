from __future__ import annotations

import numpy as np
import pytest
from moselect.search.cheapest import cheapest_model

from moselect.decision import exact_thresholds
from moselect.models import OrdinalLinearClassifier
from moselect.search import OrdinalProblem


@pytest.mark.parametrize("seed", range(4))
def test_no_direction_with_any_thresholds_costs_less(smooth, seed):
    r = 2 + seed
    X, y = smooth(seed=seed, r=r, n=150, p=3)
    X, y = np.asarray(X), np.asarray(y)
    rng = np.random.default_rng(seed)
    weights, costs = rng.normal(size=(30, 3)), rng.exponential(size=(r, r))
    problem = OrdinalProblem(X, y)
    codes = np.searchsorted(problem.classes, y)
    best, thresholds, cost = cheapest_model(problem, weights, costs)
    alone = [exact_thresholds(X @ w, codes, costs)[1] for w in weights]
    assert cost == pytest.approx(min(alone), rel=1e-12)
    (place,) = np.flatnonzero((weights == best).all(axis=1))
    assert alone[place] == pytest.approx(min(alone), rel=1e-12)  # others may cost as little
    predicted = OrdinalLinearClassifier(best, thresholds, range(r)).predict(X)
    assert costs[codes, predicted].mean() == pytest.approx(cost, rel=1e-12)
