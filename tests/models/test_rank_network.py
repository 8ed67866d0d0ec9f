from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold, cross_val_predict

from moselect.datasets import load_boston
from moselect.metrics import expected_class
from moselect.models import FrankHall, ProportionalOdds, RankNetwork


@pytest.fixture(scope="module")
def data(draw_samples):
    X, codes = draw_samples(200, 3, 4)
    return X * [1.0, 1e4, 1e-4], codes


@pytest.fixture(scope="module")
def fitted(data):
    # So little penalty that some outputs do not descend.
    return RankNetwork((8,), alpha=1e-3, max_iter=3000, random_state=0).fit(*data)


def outputs(model, X):
    """Run through the network by hand."""
    scaler, network = model.network_
    layer = (X - scaler.mean_) / scaler.scale_
    for weights, bias in zip(network.coefs_, network.intercepts_, strict=True):
        layer = expit(layer @ weights + bias)
    return layer


def test_predictions_count_leading_outputs(data, fitted):
    X = 3.0 * data[0]
    above = outputs(fitted, X)
    assert above.shape == (200, 3)  # an output for each cut, and no softmax over them
    counts = [next((k for k, out in enumerate(row) if out < 0.5), 3) for row in above]
    assert (counts != (above >= 0.5).sum(axis=1)).any()
    np.testing.assert_array_equal(fitted.predict(X), counts)
    np.testing.assert_allclose(fitted.decision_function(X), 1.0 + above.sum(axis=1))


def test_the_score_is_the_expected_class(data, fitted):
    X, _ = data
    proba = fitted.predict_proba(X)
    assert proba.min() >= 0.0
    np.testing.assert_allclose(expected_class(proba), fitted.decision_function(X))


def test_without_a_bend_each_output_is_a_logistic_regression(data):
    """One linear hidden neuron a feature and no penalty: cross-entropy cut by cut."""
    X, y = data
    model = RankNetwork(
        (3,), activation="identity", alpha=0.0, tol=1e-9, max_iter=5000, random_state=0
    ).fit(X, y)
    logistic = FrankHall(ProportionalOdds(alpha=0.0)).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), logistic.predict_proba(X), atol=2e-3)


def test_two_classes(data):
    X, y = data
    model = RankNetwork(random_state=0).fit(X, y > 1)
    assert outputs(model, X).shape == (200, 1)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba[:, 1], outputs(model, X)[:, 0])
    np.testing.assert_array_equal(model.predict(X), proba[:, 1] >= 0.5)


def test_units_do_not_matter_and_seeds_do(data):
    X, y = data
    model = RankNetwork((4,), random_state=0)
    proba = clone(model).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(clone(model).fit(X, y).predict_proba(X), proba)
    scaled = clone(model).fit(X * 8.0, y).predict_proba(X * 8.0)
    np.testing.assert_allclose(scaled, proba, atol=1e-6)
    other = clone(model).set_params(random_state=1).fit(X, y).predict_proba(X)
    assert np.abs(other - proba).max() > 1e-4


def test_a_class_without_objects_has_no_probability(data):
    X, y = data
    model = RankNetwork((4,), random_state=0, labels=range(-1, 6))
    model.fit(X[y != 1], y[y != 1])
    assert model.classes_.tolist() == [-1, 0, 1, 2, 3, 4, 5]
    proba = model.predict_proba(X)
    assert not proba[:, [0, 2, 5, 6]].any()
    assert set(model.predict(X)) <= {0, 2, 3}
    np.testing.assert_allclose(expected_class(proba), model.decision_function(X))


@pytest.mark.slow
def test_the_accuracy_of_the_thesis_on_boston():
    """Table 3.1 prints 75 % and 0.26 for one split with classes of equal width."""
    X, y = load_boston(binning="uniform")
    folds = KFold(4, shuffle=True, random_state=0)
    predicted = cross_val_predict(RankNetwork(random_state=0), X, y, cv=folds)
    assert 0.68 < np.mean(predicted == y) < 0.82
    assert np.abs(predicted - y).mean() < 0.34


def test_too_few_iterations_are_told(data):
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        RankNetwork(max_iter=2, random_state=0).fit(*data)
