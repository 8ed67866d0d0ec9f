"""Classifiers of other packages as ordinal classifiers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from moselect import cost_matrix
from moselect.models import WrappedClassifier

NAMES = np.array(["low", "mid", "high"])  # not in alphabetic order


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    return X, np.digitize(X[:, 0] + rng.normal(size=90), [-0.5, 0.8])


def test_predictions_equal_the_classifier_in_the_given_class_order(data):
    X, codes = data
    found = WrappedClassifier(LogisticRegression(), labels=NAMES).fit(X, NAMES[codes])
    classifier = LogisticRegression().fit(X, codes)
    np.testing.assert_array_equal(found.predict_proba(X), classifier.predict_proba(X))
    np.testing.assert_array_equal(found.predict(X), NAMES[classifier.predict(X)])
    costs = cost_matrix([1, 1, 9])
    cheapest = NAMES[(classifier.predict_proba(X) @ costs).argmin(axis=1)]
    np.testing.assert_array_equal(found.decide(X, costs), cheapest)


def test_weights_reach_the_classifier_or_a_warning_names_it(data):
    X, codes = data
    weights = np.random.default_rng(1).integers(1, 4, len(codes))
    repeated = np.repeat(np.arange(len(codes)), weights)
    found = WrappedClassifier(LogisticRegression(tol=1e-10)).fit(X, codes, weights)
    expected = LogisticRegression(tol=1e-10).fit(X[repeated], codes[repeated])
    np.testing.assert_allclose(
        found.predict_proba(X), expected.predict_proba(X), rtol=1e-6
    )
    with pytest.warns(UserWarning, match="takes no sample_weight"):
        WrappedClassifier(KNeighborsClassifier()).fit(X, codes, weights)
