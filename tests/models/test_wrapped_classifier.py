"""Classifiers of other packages as ordinal classifiers."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from skordinal.classifiers import NNOP, NNPOM, REDSVM, SVOR, ORBoost

from moselect.metrics import expected_class, u_pairs_score
from moselect.metrics.scorers import ordinal_scores
from moselect.models import SkordinalClassifier, WrappedClassifier
from tests.any_tables import ordinal_table

NAMES = np.array(["low", "medium", "high", "best"])  # not in alphabetic order
X, CODES = ordinal_table(100, r=4)
X = X * [1.0, 1e4, 1e-4] + 7.0
SMALL_NETWORK = {"n_hidden": 4, "max_iter": 1000, "random_state": 3}
CLASSIFIERS = {
    "svor_explicit": SVOR(constraints="explicit"),
    "svor_implicit": SVOR(constraints="implicit"),
    "redsvm": REDSVM(),
    "nnop": NNOP(**SMALL_NETWORK),
    "nnpom": NNPOM(**SMALL_NETWORK),
    "orboost": ORBoost(),
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_the_wrapper_equals_skordinal_on_scaled_features_with_a_score(name):
    model = SkordinalClassifier(CLASSIFIERS[name]).fit(X, CODES)
    Z = StandardScaler().fit_transform(X)
    oracle = CLASSIFIERS[name].fit(Z, CODES + 1)
    assert_array_equal(model.predict(X), oracle.predict(Z) - 1)
    assert hasattr(model, "predict_proba") == hasattr(oracle, "predict_proba")
    scores = ordinal_scores(model, X, model.classes_)
    assert u_pairs_score(CODES, scores) > 0.7
    if hasattr(oracle, "predict_proba"):
        proba = model.predict_proba(X)
        assert_array_equal(proba, oracle.predict_proba(Z))
        by_expected_class = u_pairs_score(CODES, expected_class(proba))
        assert by_expected_class == pytest.approx(u_pairs_score(CODES, scores), abs=0.01)
    if name != "nnop":  # classes are intervals of the score
        assert (np.diff(model.predict(X)[np.argsort(scores, kind="stable")]) >= 0).all()


def test_predictions_equal_the_classifier_in_the_given_class_order():
    found = WrappedClassifier(GaussianNB(), labels=NAMES).fit(X, NAMES[CODES])
    classifier = GaussianNB().fit(X, CODES)
    assert_array_equal(found.predict_proba(X), classifier.predict_proba(X))
    assert_array_equal(found.predict(X), NAMES[classifier.predict(X)])


def test_ignored_weights_are_warned_about():
    with pytest.warns(UserWarning, match="takes no sample_weight"):
        WrappedClassifier(KNeighborsClassifier()).fit(X, CODES, 1.0 + CODES)
