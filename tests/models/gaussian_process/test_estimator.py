from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from scipy.stats import spearmanr
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from threadpoolctl import threadpool_limits

from moselect import OrdinalGaussianProcess
from moselect.models.gaussian_process.estimator import stratified_rows


def draw(n=150, r=4, seed=0, noise=0.2):
    """Draw objects whose classes follow a curved function of two of three features."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * [1.0, 10.0, 0.1] + [0.0, 50.0, 3.0]
    latent = np.sin(1.5 * X[:, 0]) + 0.06 * (X[:, 1] - 50.0) + noise * rng.normal(size=n)
    return X, np.searchsorted(np.quantile(latent, np.arange(1, r) / r), latent), latent


@pytest.fixture(scope="module")
def data():
    return draw()


@pytest.fixture(scope="module")
def fitted(data):
    return OrdinalGaussianProcess().fit(*data[:2])


def test_new_objects_are_ordered_and_classified(fitted):
    X_new, codes, latent = draw(seed=1)
    assert spearmanr(fitted.decision_function(X_new), latent).statistic > 0.95
    assert (fitted.predict(X_new) == codes).mean() > 0.7
    chances = fitted.predict_proba(X_new)
    above = 1.0 - np.cumsum(chances, axis=1)[:, :-1]  # calibrated: their means are the shares
    np.testing.assert_allclose(above.mean(axis=0), [(codes > k).mean() for k in range(3)], atol=0.1)


def test_probabilities_are_differences_of_distribution_functions(fitted):
    """Of normals about the score, whose spread grows away from the objects up to the prior's."""
    X_new = np.vstack([draw(seed=1)[0], [[1e6, 0.0, 0.0]]])
    chances = fitted.predict_proba(X_new)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0, rtol=1e-12)
    assert (chances >= 0.0).all()
    np.testing.assert_array_equal(fitted.predict(X_new), chances.argmax(axis=1))
    far = ndtr(fitted.thresholds_ / np.hypot(1.0, fitted.noise_))
    np.testing.assert_allclose(chances[-1], np.diff([0.0, *far, 1.0]), rtol=1e-10)
    assert fitted.decision_function(X_new[-1:]) == 0.0
    below = np.cumsum(chances, axis=1)[:, :-1].clip(1e-12, 1.0 - 1e-12)
    sure = ((below > 1e-9) & (below < 1.0 - 1e-9)).all(axis=1)
    z = ndtri(below[sure])  # the same spread by every threshold
    spread = (fitted.thresholds_ - fitted.decision_function(X_new)[sure, None]) / z
    np.testing.assert_allclose(spread, spread[:, :1] * np.ones(3), rtol=1e-5)
    assert (spread > fitted.noise_).all()
    assert (spread <= np.hypot(1.0, fitted.noise_) * (1.0 + 1e-6)).all()
    assert sure.sum() > 30


def test_labels_upside_down(data, fitted):
    X, y, _ = data
    mirrored = OrdinalGaussianProcess().fit(X, 3 - y)
    np.testing.assert_allclose(mirrored.log_evidence_, fitted.log_evidence_, atol=0.02)
    scores = mirrored.decision_function(X), -fitted.decision_function(X)
    np.testing.assert_allclose(*scores, atol=0.03)
    chances = mirrored.predict_proba(X)[:, ::-1], fitted.predict_proba(X)
    np.testing.assert_allclose(*chances, atol=0.02)


def test_units_do_not_matter(data, fitted):
    X, y, _ = data
    same = OrdinalGaussianProcess().fit(X * [2.0, -0.25, 1024.0], y)
    np.testing.assert_allclose(same.log_evidence_, fitted.log_evidence_, rtol=1e-8)
    np.testing.assert_allclose(same.thresholds_, fitted.thresholds_, rtol=1e-4, atol=1e-4)


def test_two_classes_are_close_to_a_logistic_process():
    X, y, _ = draw(120, 2, noise=0.5)
    X_new = draw(200, seed=1)[0]
    ours = OrdinalGaussianProcess().fit(X, y)
    centre, scale = X.mean(axis=0), X.std(axis=0)
    kernel = 4.0 * RBF(1.0)
    theirs = GaussianProcessClassifier(kernel).fit((X - centre) / scale, y)
    chances = theirs.predict_proba((X_new - centre) / scale)[:, 1]
    assert spearmanr(ours.decision_function(X_new), chances).statistic > 0.98
    np.testing.assert_allclose(ours.predict_proba(X_new)[:, 1], chances, atol=0.1)
    np.testing.assert_allclose(
        ndtr(ours.decision_function(X_new)), ours.predict_proba(X_new)[:, 1], rtol=1e-9
    )


def test_more_objects_than_are_used(data):
    X, y, _ = data
    y = np.where(np.arange(len(y)) == 7, 4, y)  # a class of one object
    model = OrdinalGaussianProcess(max_samples=60, random_state=3).fit(X, y)
    assert len(model.rows_) == 60
    assert 7 in model.rows_
    np.testing.assert_array_equal(model.classes_, range(5))
    alone = OrdinalGaussianProcess().fit(X[model.rows_], y[model.rows_])
    np.testing.assert_array_equal(alone.predict_proba(X), model.predict_proba(X))
    again = OrdinalGaussianProcess(max_samples=60, random_state=3).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    other = OrdinalGaussianProcess(max_samples=60, random_state=4).fit(X, y)
    assert set(other.rows_) != set(model.rows_)


def test_number_of_threads_does_not_matter(data, fitted):
    for n_threads in (1, 2):
        with threadpool_limits(n_threads, "blas"):
            again = OrdinalGaussianProcess().fit(*data[:2])
            np.testing.assert_array_equal(again.thresholds_, fitted.thresholds_)
            np.testing.assert_array_equal(
                again.predict_proba(data[0]), fitted.predict_proba(data[0])
            )


def test_equal_rows_have_equal_scores(fitted):
    X_new = draw(1_200, seed=2)[0]
    scores = fitted.decision_function(np.vstack([X_new, X_new[::-1]]))
    np.testing.assert_array_equal(scores[:1_200], scores[1_200:][::-1])
    np.testing.assert_array_equal(fitted.decision_function(X_new[5:6]), scores[5:6])


def test_fewer_samples_than_classes_are_refused(data):
    with pytest.raises(ValueError, match="max_samples is 3: give as many"):
        OrdinalGaussianProcess(max_samples=3).fit(*data[:2])


@given(st.lists(st.integers(1, 60), min_size=2, max_size=8), st.integers(0, 200), st.integers(0, 9))
def test_every_class_has_its_share(sizes, more, seed):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    codes = np.random.default_rng(seed).permutation(codes)
    size = len(sizes) + more
    rows = stratified_rows(codes, size, np.random.default_rng(seed))
    assert len(rows) == min(size, len(codes))
    assert (np.diff(rows) > 0).all()
    drawn = np.bincount(codes[rows], minlength=len(sizes))
    assert (drawn >= 1).all()
    share = len(rows) / len(codes)
    assert (drawn >= np.array(sizes) * share - len(sizes)).all()
    again = stratified_rows(codes, size, np.random.default_rng(seed))
    np.testing.assert_array_equal(rows, again)
