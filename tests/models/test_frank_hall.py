from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import minimize
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from moselect.datasets import load_boston
from moselect.models import FrankHall
from moselect.models.cumulative import class_shares, descending

probabilities = arrays.arrays(
    np.float64, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.floats(0, 1, width=32)
)


@pytest.fixture(scope="module")
def data(draw_samples):
    return draw_samples(200, 3, 4)


@given(above=probabilities)
def test_what_descends_is_the_nearest(above):
    found = descending(above)
    assert (np.diff(found, axis=1) <= 1e-12).all()
    np.testing.assert_allclose(found.sum(axis=1), above.sum(axis=1), atol=1e-9)
    # By definition: each value is the greatest, over blocks to its right, of least block means.
    n_cuts = above.shape[1]
    for row, ours in zip(above, found, strict=True):
        for k in range(n_cuts):
            means = [[row[i : j + 1].mean() for i in range(k + 1)] for j in range(k, n_cuts)]
            assert ours[k] == pytest.approx(max(min(to_j) for to_j in means), abs=1e-9)
    shares = class_shares(found)
    assert (shares >= -1e-12).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_it_is_a_projection_and_not_a_running_minimum():
    above = np.array([[0.9, 0.2, 0.6, 0.1]])
    nearest = minimize(
        lambda row: ((row - above[0]) ** 2).sum(),
        np.linspace(1, 0, 4),
        constraints={"type": "ineq", "fun": lambda row: -np.diff(row)},
    ).x
    np.testing.assert_allclose(descending(above)[0], nearest, atol=1e-6)
    np.testing.assert_allclose(descending(above), [[0.9, 0.4, 0.4, 0.1]])
    np.testing.assert_allclose(class_shares(descending(above)), [[0.1, 0.5, 0.0, 0.3, 0.1]])


def test_each_cut_has_its_own_logistic_regression(data):
    X, y = data
    model = FrankHall().fit(X, y)
    scaled = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-10))
    above = np.column_stack([scaled.fit(X, y > k).predict_proba(X)[:, 1] for k in range(3)])
    assert (np.diff(above, axis=1) <= 0).all()  # so that there is nothing to mend
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba[:, 0], 1 - above[:, 0], atol=1e-5)
    np.testing.assert_allclose(proba[:, 1:3], above[:, :2] - above[:, 1:], atol=1e-5)
    np.testing.assert_allclose(proba[:, 3], above[:, 2], atol=1e-5)
    np.testing.assert_array_equal(model.predict(X), proba.argmax(axis=1))


def test_no_probability_is_negative_and_the_expected_class_stays(data):
    X, y = data
    model = FrankHall(DecisionTreeClassifier(max_depth=3, random_state=0)).fit(X, y)
    raw = np.column_stack([e.predict_proba(X)[:, 1] for e in model.estimators_])
    assert (np.diff(raw, axis=1) > 0.01).any()  # cuts contradict each other
    proba = model.predict_proba(X)
    assert proba.min() >= 0.0
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    np.testing.assert_allclose(model.decision_function(X), 1.0 + raw.sum(axis=1))


def test_two_classes_are_the_classifier_itself(data):
    X, y = data
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    model = FrankHall(tree).fit(X, y > 1)
    np.testing.assert_allclose(model.predict_proba(X), tree.fit(X, y > 1).predict_proba(X))


@pytest.mark.parametrize("binary", [None, LogisticRegression(solver="newton-cholesky", tol=1e-6)])
@settings(max_examples=8)
@given(counts=st.lists(st.integers(0, 3), min_size=40, max_size=40))
def test_weights_are_repetitions(draw_samples, binary, counts):
    X, y = draw_samples(40, 2, 3)
    counts = np.maximum(counts, np.arange(40) < 20)  # some object of each class
    weighted = FrankHall(binary).fit(X, y, sample_weight=counts)
    repeated = FrankHall(binary).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-5)


def test_a_class_whose_objects_have_no_weight_has_no_probability(data):
    X, y = data
    model = FrankHall().fit(X, y, sample_weight=(y != 1).astype(float))
    without = FrankHall(labels=[0, 1, 2, 3]).fit(X[y != 1], y[y != 1])
    np.testing.assert_array_equal(model.predict_proba(X), without.predict_proba(X))
    assert not model.predict_proba(X)[:, 1].any()
    assert len(model.estimators_) == 2
    assert model.decision_function(X).max() > 3.0  # of four classes, not of three


def test_text_labels_missing_values_and_a_search():
    X, y = load_boston()
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)
    names = np.array(["e", "d", "c", "b", "a"])
    model = FrankHall(HistGradientBoostingClassifier(max_iter=3), labels=list(names))
    folds = StratifiedKFold(2, shuffle=True, random_state=0)
    search = GridSearchCV(model, {"estimator__max_iter": [3]}, cv=folds).fit(X, names[y - 1])
    assert search.classes_.tolist() == list(names)
    assert search.best_estimator_.feature_names_in_.tolist() == list(X.columns)
    assert search.best_score_ > 0.5


@pytest.mark.parametrize(
    ("estimator", "weights", "error", "message"),
    [
        (LinearSVC(), None, TypeError, "LinearSVC has no predict_proba"),
        (
            make_pipeline(StandardScaler(), GaussianNB()),
            np.ones(200),
            ValueError,
            "Pipeline.fit takes no sample_weight.*put FrankHall into the pipeline",
        ),
        (GaussianNB(), np.ones(3), ValueError, "sample_weight has shape"),
    ],
)
def test_wrong_input(data, estimator, weights, error, message):
    with pytest.raises(error, match=message):
        FrankHall(estimator).fit(*data, sample_weight=weights)
