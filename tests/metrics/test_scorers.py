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
X, Y = ordinal_table(120)
REQUIRED = {"neg_expected_cost": {"cost_matrix": [[0, 1, 3], [2, 0, 1], [4, 2, 0]]}}


def get_scorer(name, **options):
    return metrics.get_scorer(name, **REQUIRED.get(name, {}), **options)


@pytest.mark.parametrize("name", get_scorer_names())
def test_string_labels_score_like_ranks(name):
    plain = get_scorer(name)(LogisticRegression().fit(X, Y), X, Y)
    model = LogisticRegression().fit(X, NAMES[Y])  # classes_: high, low, mid
    assert get_scorer(name, labels=NAMES)(model, X, NAMES[Y]) == pytest.approx(
        plain, abs=1e-3
    )
    ordered = pd.Series(pd.Categorical(NAMES[Y], categories=NAMES, ordered=True))
    assert get_scorer(name)(model, X, ordered) == pytest.approx(plain, abs=1e-3)


def test_scorers_equal_their_measures(rng):
    model = LogisticRegression().fit(X, Y)
    weights = rng.random(120)
    expected = metrics.vus_score(
        Y, metrics.expected_class(model.predict_proba(X)), sample_weight=weights
    )
    assert get_scorer("vus")(model, X, Y, sample_weight=weights) == expected
    expected = metrics.mean_absolute_error(Y, model.predict(X))
    assert get_scorer("neg_mean_absolute_error")(model, X, Y) == -expected
    assert get_scorer("one_minus_mae")(model, X, Y) == pytest.approx(1 - expected)
    expected = metrics.ranked_probability_error(Y, model.predict_proba(X))
    assert get_scorer("neg_ranked_probability_error")(model, X, Y) == -expected


def test_two_classes_whose_order_is_not_alphabetical():
    labels = np.where(Y > 0, "high", "low")
    model = RidgeClassifier().fit(X, labels)  # decisions favour "low"
    found = get_scorer("vus", labels=["low", "high"])(model, X, labels)
    assert found == metrics.vus_score(Y > 0, -model.decision_function(X))
    assert found > 0.8


def test_metadata_routing_passes_sample_weights(rng):
    weights = rng.uniform(0.1, 5.0, len(Y))
    scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
    model = LogisticRegression()
    with config_context(enable_metadata_routing=True):
        model.set_fit_request(sample_weight=False)
        routed = cross_val_score(
            model, X, Y, scoring=scorer, cv=KFold(3), params={"sample_weight": weights}
        )
    expected = [
        model.fit(X[train], Y[train]).score(X[test], Y[test], weights[test])
        for train, test in KFold(3).split(X)
    ]
    np.testing.assert_allclose(routed, expected)
