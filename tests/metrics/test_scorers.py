"""Scorers of scikit-learn's interface."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import KFold, cross_val_score

from moselect import metrics
from moselect.metrics import get_scorer_names
from tests.any_tables import ordinal_table

NAMES = np.array(["low", "mid", "high"])
REQUIRED = {"neg_expected_cost": {"cost_matrix": [[0, 1, 3], [2, 0, 1], [4, 2, 0]]}}


def get_scorer(name, **options):
    return metrics.get_scorer(name, **REQUIRED.get(name, {}), **options)


@pytest.fixture(scope="module")
def data():
    return ordinal_table(120)


@pytest.mark.parametrize("name", get_scorer_names())
def test_string_labels_score_like_ranks(data, name):
    X, y = data
    plain = get_scorer(name)(LogisticRegression().fit(X, y), X, y)
    model = LogisticRegression().fit(X, NAMES[y])  # classes_: high, low, mid
    assert get_scorer(name, labels=NAMES)(model, X, NAMES[y]) == pytest.approx(
        plain, abs=1e-3
    )
    ordered = pd.Series(pd.Categorical(NAMES[y], categories=NAMES, ordered=True))
    assert get_scorer(name)(model, X, ordered) == pytest.approx(plain, abs=1e-3)


def test_scorers_equal_their_measures(data, rng):
    X, y = data
    model = LogisticRegression().fit(X, y)
    weights = rng.random(120)
    expected = metrics.vus_score(
        y, metrics.expected_class(model.predict_proba(X)), sample_weight=weights
    )
    assert get_scorer("vus")(model, X, y, sample_weight=weights) == expected
    expected = metrics.mean_absolute_error(y, model.predict(X))
    assert get_scorer("neg_mean_absolute_error")(model, X, y) == -expected
    assert get_scorer("one_minus_mae")(model, X, y) == pytest.approx(1 - expected)
    expected = metrics.ranked_probability_error(y, model.predict_proba(X))
    assert get_scorer("neg_ranked_probability_error")(model, X, y) == -expected


def test_two_classes_whose_order_is_not_alphabetical(data):
    X, y = data
    labels = np.where(y > 0, "high", "low")
    model = RidgeClassifier().fit(X, labels)  # decisions favour "low"
    found = get_scorer("vus", labels=["low", "high"])(model, X, labels)
    assert found == metrics.vus_score(y > 0, -model.decision_function(X))
    assert found > 0.8


def test_metadata_routing_passes_sample_weights(data, rng):
    X, y = data
    weights = rng.uniform(0.1, 5.0, len(y))
    scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
    model = LogisticRegression()
    with config_context(enable_metadata_routing=True):
        model.set_fit_request(sample_weight=False)
        routed = cross_val_score(
            model, X, y, scoring=scorer, cv=KFold(3), params={"sample_weight": weights}
        )
    expected = [
        model.fit(X[train], y[train]).score(X[test], y[test], weights[test])
        for train, test in KFold(3).split(X)
    ]
    np.testing.assert_allclose(routed, expected)
