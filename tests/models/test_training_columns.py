"""Training columns: user transformers, out-of-fold values, and the order of rows."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import PCA

from moselect.models import ModelColumns
from moselect.models.training_columns import (
    apply_columns,
    columns_transformer,
    fit_columns,
    fit_training_columns,
)
from moselect.preprocessing.preparation import schema_of
from moselect.samples import Samples
from moselect.samples.folds import Folds

X = np.random.default_rng(0).normal(size=(40, 3))
Y = np.digitize(X[:, 0], [0.0])
SAMPLES = Samples(X, Y, np.arange(2))


class Returning(TransformerMixin, BaseEstimator):
    """Return the first rows of the input, with one value replaced."""

    def __init__(self, rows=40, value=0.0):
        self.rows = rows
        self.value = value

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return np.where(X[: self.rows] == X[0], self.value, X[: self.rows])


def test_a_user_transformer_is_cloned_and_used():
    pca = PCA(2)
    own = columns_transformer(SAMPLES, pca, True, 0).steps[-1][1]
    assert_allclose(fit_columns(SAMPLES, own).X, PCA(2).fit_transform(X))
    assert_allclose(apply_columns(own, X[:5]), own.transform(X[:5]))
    assert own is not pca
    assert not hasattr(pca, "components_")


@pytest.mark.parametrize(
    ("transformer", "message"),
    [
        (Returning(rows=39), r"Returning returns shape \(39, 3\) for 40 rows"),
        (
            Returning(value=np.nan),
            "Returning returns values that are missing or infinite",
        ),
    ],
)
def test_transformers_with_invalid_output_are_refused(transformer, message):
    with pytest.raises(ValueError, match=message):
        fit_columns(SAMPLES, transformer)
    with pytest.raises(ValueError, match=message):
        apply_columns(transformer, X)


@pytest.mark.slow
def test_training_columns_do_not_depend_on_the_label_of_the_row(rng):
    """Target encoding of many levels precedes the model columns and is out-of-fold as well."""
    places = [f"p{i}" for i in rng.integers(0, 40, 120)]
    table = pd.DataFrame({"place": places, "age": rng.normal(size=120)})
    codes = rng.integers(0, 3, 120)
    folds = np.arange(120) % 4
    models = ModelColumns(["proportional_odds"], random_state=0)

    def columns_for(codes):
        samples = Samples(table, codes, np.array([1, 2, 3]), schema=schema_of(table))
        transformer = columns_transformer(samples, models, True, 0)
        return fit_training_columns(samples, transformer, Folds.from_index(folds)).X

    # Change the labels of one fold at a time.
    columns = columns_for(codes)
    for fold in range(4):
        is_held_out = folds == fold
        relabelled = columns_for(np.where(is_held_out, 2 - codes, codes))
        assert_array_equal(columns[is_held_out], relabelled[is_held_out])
        assert (columns[~is_held_out] != relabelled[~is_held_out]).any()
