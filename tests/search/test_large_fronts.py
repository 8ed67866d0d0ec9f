"""Fronts of Boston: their hypervolume, and classical linear models within them."""

import numpy as np
import pytest
from sklearn.linear_model import QuantileRegressor, Ridge

from moselect import ParetoSearch
from moselect.costs import exact_thresholds
from moselect.models import fit_proportional_odds

MODELS = {
    "proportional odds": lambda Z, ranks: fit_proportional_odds(Z, ranks, 5, 1e-6)[0],
    "least absolute deviations": lambda Z, ranks: (
        QuantileRegressor(quantile=0.5, alpha=0.0).fit(Z, ranks).coef_
    ),
    "ordinal ridge": lambda Z, ranks: Ridge(alpha=50.0).fit(Z, ranks).coef_,
}


@pytest.fixture(scope="module")
def front(boston):
    return ParetoSearch(n_iterations=40, cv=None, random_state=0).fit(*boston).front_


@pytest.mark.parametrize("model", MODELS)
def test_no_ready_made_model_lies_outside_the_front(boston, front, plain_measures, model):
    X = boston[0].to_numpy()
    ranks = boston[1].to_numpy() - 1
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    scores = Z @ MODELS[model](Z, ranks)
    distance = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    for costs in (1.0 * (distance > 0), 1.0 * distance):  # for accuracy and for MAE
        thresholds, _ = exact_thresholds(scores, ranks, costs)
        values = plain_measures(scores, thresholds, ranks)
        assert (front.objectives.to_numpy() >= values - 1e-12).all(axis=1).any()


@pytest.mark.slow
def test_the_front_of_a_default_search_is_large(boston):
    # Ready-made models with exact thresholds cover 0.145, the published search 0.153.
    searches = [ParetoSearch(cv=None, random_state=seed) for seed in range(3)]
    found = [search.fit(*boston).front_.hypervolume for search in searches]
    assert np.median(found) >= 0.192
