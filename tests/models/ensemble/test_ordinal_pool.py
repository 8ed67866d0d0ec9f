from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import PredefinedSplit, cross_val_predict

import moselect
from moselect.models import OrdinalStacking, ProportionalOdds
from moselect.models.ensemble.base_models import OF_FEW_ROWS
from moselect.models.ensemble.boosting import BoostedRanks
from moselect.models.ensemble.ordinal_extra_trees import OrdinalExtraTrees

QUICK = [
    ("odds", ProportionalOdds()),
    ("trees", OrdinalExtraTrees(20)),
    ("boost", BoostedRanks(20)),
]
COSTS = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [9.0, 4.0, 0.0]])


def pool_of(models=QUICK, **settings):
    return OrdinalStacking(models, **{"random_state": 1} | settings)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(240, 3)), columns=["a", "b", "c"])
    latent = X["a"] + 2 * (X["b"].abs() < 0.7) + 0.6 * rng.logistic(size=240)
    return X, pd.cut(latent, [-99, 0, 2, 99], labels=["low", "mid", "high"])


@pytest.fixture(scope="module")
def fitted(data):
    return pool_of().fit(*data)


@pytest.mark.slow
def test_the_default_pool_is_better_than_its_lines(data):
    X, y = data
    train, test = np.arange(160), np.arange(160, 240)
    pool = OrdinalStacking(random_state=0).fit(X.iloc[train], y.iloc[train])
    assert pool.model_names_ == list(OF_FEW_ROWS)
    codes = y.cat.codes.iloc[test]

    def loss(model):
        return log_loss(codes, model.predict_proba(X.iloc[test]), labels=range(3))

    assert (
        loss(pool)
        < loss(ProportionalOdds(alpha="cv").fit(X.iloc[train], y.iloc[train])) - 0.05
    )


def test_probabilities_and_decisions(data, fitted):
    X, y = data
    proba = fitted.predict_proba(X)
    assert proba.min() >= 0.0
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert (fitted.predict(X) == fitted.classes_[proba.argmax(axis=1)]).all()
    least = [np.argmin([row @ COSTS[:, k] for k in range(3)]) for row in proba]
    assert (fitted.decide(X, COSTS) == fitted.classes_[least]).all()
    assert (fitted.decide(X, 1 - np.eye(3)) == fitted.predict(X)).all()
    assert moselect.metrics.vus_score(y, fitted.decision_function(X)) > 0.4


def test_out_of_fold_columns_are_those_of_cross_validation(data, fitted):
    X, y = data
    splits = PredefinedSplit(fitted.folds_)
    codes = y.cat.codes.to_numpy()
    proba = cross_val_predict(
        ProportionalOdds(), X, codes, cv=splits, method="predict_proba"
    )
    np.testing.assert_allclose(fitted.oof_ranks_[:, 0], proba @ [1, 2, 3], atol=1e-6)
    boost = clone(fitted.models_[2].estimator)
    ranks = cross_val_predict(boost, X, codes + 1.0, cv=splits)
    np.testing.assert_allclose(fitted.oof_ranks_[:, 2], ranks)


def test_no_class_of_a_fold_enters_what_is_said_about_it(data, fitted):
    """Other classes in one fold change all folds but this one."""
    X, y = data
    changed = y.copy()
    outside = fitted.folds_ == 2
    changed[outside] = np.random.default_rng(0).permutation(y[outside])
    again = pool_of(cv=PredefinedSplit(fitted.folds_)).fit(X, changed)
    np.testing.assert_array_equal(again.oof_ranks_[outside], fitted.oof_ranks_[outside])
    assert (again.oof_ranks_[~outside] != fitted.oof_ranks_[~outside]).any()


def test_a_class_of_one_sample_and_columns_constant_in_a_fold():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=60), [-0.5, 0.5])
    y[7] = 3  # in one fold only: the models of this fold never saw it
    X[:, 2] = 0.0
    X[7, 2] = 1.0
    X = np.column_stack([X, np.full(60, 5.0)])
    pool = OrdinalStacking(random_state=0).fit(X, y)
    assert pool.model_names_ == list(OF_FEW_ROWS)
    assert np.isfinite(pool.intercepts_).all()
    proba = pool.predict_proba(X)
    assert proba.shape == (60, 4)
    assert np.isfinite(proba).all()
