import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict

import moselect
from moselect.models import OrdinalStacking, ProportionalOdds
from moselect.models.ensemble.base_models import BASE_MODELS
from moselect.models.ensemble.trees import BoostedRanks


def test_out_of_fold_columns_match_cross_val_predict(rng):
    X = pd.DataFrame(rng.normal(size=(240, 3)), columns=["a", "b", "c"])
    latent = X["a"] + 2 * (X["b"].abs() < 0.7) + 0.6 * rng.logistic(size=240)
    codes = np.digitize(latent, [0, 2])
    models = [("odds", ProportionalOdds()), ("boost", BoostedRanks())]
    fitted = OrdinalStacking(models, random_state=1).fit(X, codes)
    splits = PredefinedSplit(fitted.folds_)
    proba = cross_val_predict(
        ProportionalOdds(), X, codes, cv=splits, method="predict_proba"
    )
    assert_allclose(fitted.oof_ranks_[:, 0], proba @ [1, 2, 3], atol=1e-6)
    boost = clone(fitted.models_[1].estimator)
    ranks = cross_val_predict(boost, X, codes + 1.0, cv=splits)
    assert_allclose(fitted.oof_ranks_[:, 1], ranks)


@pytest.mark.slow
def test_a_class_of_one_sample_and_columns_constant_in_a_fold(rng):
    X = rng.normal(size=(60, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=60), [-0.5, 0.5])
    y[7] = 3  # in one fold only: absent from the training rows of its model
    X[:, 2] = 0.0
    X[7, 2] = 1.0
    X = np.column_stack([X, np.full(60, 5.0)])
    stacking = OrdinalStacking(random_state=0).fit(X, y)
    assert stacking.model_names_ == list(BASE_MODELS)
    assert np.isfinite(stacking.intercepts_).all()
    proba = stacking.predict_proba(X)
    assert proba.shape == (60, 4)
    assert_allclose(proba.sum(axis=1), 1.0)
    assert moselect.metrics.vus_score(y, stacking.decision_function(X)) > 0.4


class Raising(LinearRegression):
    """Fails with a message in the fold that omits the last row."""

    def fit(self, X, y):
        if X[:, 0].max() < 2.0:
            raise RuntimeError("where is it\n\nsecond paragraph")
        return super().fit(X, y)


class Returning(LinearRegression):
    """Predicts a value for all rows."""

    def __init__(self, value=2.0):
        super().__init__()
        self.value = value

    def predict(self, X):
        return np.full(len(X), self.value)


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (Raising(), "RuntimeError: where is it"),
        (Returning(np.nan), "ValueError: it gives ranks that are not finite"),
        (Returning(), "it gives all samples the same score"),
    ],
)
def test_a_failing_model_is_excluded_and_named(odd, reason, rng):
    X = rng.uniform(-1, 1, size=(60, 2))
    X[-1, 0] = 2.0
    y = np.digitize(X @ [2.0, 1.0] + 0.3 * rng.normal(size=60), [-0.5, 0.5])
    usable = [("odds", ProportionalOdds())]
    expected = OrdinalStacking(usable, random_state=0).fit(X, y).predict_proba(X)
    stacking = OrdinalStacking([("odd", odd), *usable], random_state=0)
    with pytest.warns(
        FitFailedWarning, match=f"model 'odd' is excluded: .*{reason}"
    ) as caught:
        stacking.fit(X, y)
    assert len(caught) == 1
    assert "\n" not in str(caught[0].message)
    assert stacking.model_names_ == ["odds"]
    assert list(stacking.excluded_) == ["odd"]
    assert_array_equal(stacking.predict_proba(X), expected)
