from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import PCA
from sklearn.preprocessing import OneHotEncoder

from moselect.columns import ModelColumns, apply_columns, fit_columns, make_columns
from moselect.models import SplineColumns

X = np.random.default_rng(0).normal(size=(40, 3))
Y = np.digitize(X[:, 0], [0.0])


class Returning(TransformerMixin, BaseEstimator):
    """It returns what it was given for the first so many rows."""

    def __init__(self, rows=40, value=0.0):
        self.rows = rows
        self.value = value

    def fit(self, X, y=None, sample_weight=None):
        self.weights_ = sample_weight
        return self

    def transform(self, X):
        return np.where(X[: self.rows] == X[0], self.value, X[: self.rows])


def test_names():
    assert isinstance(make_columns("splines", labels=[0, 1]), SplineColumns)
    models = make_columns("models", cv=3, n_jobs=2, random_state=5, labels=[0, 1])
    assert isinstance(models, ModelColumns)
    assert (models.cv, models.n_jobs, models.random_state, models.labels) == (3, 2, 5, [0, 1])


def test_features_are_the_features():
    features = make_columns("features")
    np.testing.assert_array_equal(fit_columns(features, X, Y), X)
    np.testing.assert_array_equal(apply_columns(features, X[:3]), X[:3])
    table = pd.DataFrame(X, columns=list("abc"))
    fit_columns(features, table, Y)
    assert features.get_feature_names_out().tolist() == ["a", "b", "c"]


def test_a_transformer_of_ones_own_is_cloned_and_used():
    pca = PCA(2)
    own = make_columns(pca)
    np.testing.assert_allclose(fit_columns(own, X, Y), PCA(2).fit_transform(X))
    np.testing.assert_allclose(apply_columns(own, X[:5]), own.transform(X[:5]))
    assert own is not pca
    assert not hasattr(pca, "components_")


def test_sparse_columns_become_numbers():
    encoder = make_columns(OneHotEncoder(handle_unknown="ignore"))
    columns = fit_columns(encoder, Y[:, None], Y)
    np.testing.assert_array_equal(columns, np.eye(2)[Y])


def test_weights_go_to_transformers_that_take_them():
    own = make_columns(Returning())
    fit_columns(own, X, Y, np.ones(40))
    assert own.weights_ is not None
    fit_columns(make_columns(PCA(2)), X, Y, np.ones(40))  # and to no others


@pytest.mark.parametrize(
    ("transformer", "message"),
    [
        (Returning(rows=39), r"Returning returns shape \(39, 3\) for 40 rows"),
        (Returning(value=np.nan), "Returning returns values that are missing or infinite"),
        (Returning(value=np.inf), "Returning returns values that are missing or infinite"),
    ],
)
def test_transformers_that_return_something_else_are_refused(transformer, message):
    own = make_columns(transformer)
    with pytest.raises(ValueError, match=message):
        fit_columns(own, X, Y)
    with pytest.raises(ValueError, match=message):
        apply_columns(own, X)


def test_other_choices_are_refused():
    with pytest.raises(ValueError, match="columns must be 'features', 'splines', 'models'"):
        make_columns("spline")
    for wrong in (3, PCA, None):
        with pytest.raises(TypeError, match="must be 'features', 'splines', 'models' or a trans"):
            make_columns(wrong)
