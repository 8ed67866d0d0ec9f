"""Classifiers of other packages as ordinal classifiers."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

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


def test_ignored_weights_are_warned_about(data):
    X, codes = data
    with pytest.warns(UserWarning, match="takes no sample_weight"):
        WrappedClassifier(KNeighborsClassifier()).fit(X, codes, 1.0 + codes)
