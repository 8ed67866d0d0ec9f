import numpy as np
from numpy.testing import assert_allclose

from moselect.models.ensemble.trees import BoostedRanks
from moselect.operators.feature_graph import FeatureGraph


def test_sets_of_categories_are_converted_to_the_same_ranks(rng):
    codes = rng.integers(0, 12, 600)
    X = np.column_stack([rng.normal(size=600), codes])
    ranks = 1.0 + codes % 3
    model = BoostedRanks(categorical_features=[1], random_state=0).fit(X, ranks)
    assert_allclose(model.predict(X), ranks, atol=0.05)
    unseen = np.column_stack([X[:50, 0], rng.integers(-1, 20, 50)])
    graph = FeatureGraph.of(model.operators, 2)
    for rows in (X, unseen):
        assert_allclose(graph(rows)[:, 0], model.predict(rows), rtol=1e-12)
