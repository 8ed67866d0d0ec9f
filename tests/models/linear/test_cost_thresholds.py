import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    KFold,
    LeaveOneGroupOut,
    StratifiedKFold,
    TunedThresholdClassifierCV,
)
from sklearn.neighbors import KNeighborsRegressor

from moselect import CostThresholdClassifier, cost_matrix, expected_cost
from moselect.models import ProportionalOdds, smooth_thresholds
from tests.any_tables import ordinal_table

COSTS = cost_matrix([1, 2, 6])
X, Y = ordinal_table(240)


def tuned(estimator, *data, **settings):
    return CostThresholdClassifier(estimator, cost_matrix=COSTS, **settings).fit(*data)


@pytest.mark.parametrize(("weight", "atol"), [(1.0, 0.05), (20.5, 0.15)])
def test_a_frozen_estimator_is_not_refitted(weight, atol):
    """Its scores do not depend on sample weights, because it is not refitted."""
    ridge = Ridge().fit(X, Y)
    weights = np.where(Y == 2, weight, 1.0)
    model = tuned(FrozenEstimator(ridge), X, Y, weights)
    expected = smooth_thresholds(ridge.predict(X), Y, COSTS, weights)
    assert_allclose(model.thresholds_, expected, atol=atol)
    below = (model.thresholds_ < ridge.predict(X)[:, None]).sum(axis=1)
    assert_array_equal(model.predict(X), below)


def test_scores_are_cross_validated():
    """Out-of-fold scores are rescaled to the location and spread of the full model."""
    folds = list(StratifiedKFold(4).split(X, Y))
    model = tuned(Ridge(50.0), X, Y, cv=folds)
    in_sample = Ridge(50.0).fit(X, Y + 1.0).predict(X)
    scores = np.empty(len(Y))
    for train, test in folds:
        fold_model = Ridge(50.0).fit(X[train], Y[train] + 1.0)
        in_fold = fold_model.predict(X[train])
        scores[test] = (
            in_sample.mean()
            + (fold_model.predict(X[test]) - in_fold.mean())
            * in_sample.std()
            / in_fold.std()
        )
    assert_allclose(model.thresholds_, smooth_thresholds(scores, Y, COSTS))
    for (_, test), found in zip(folds, model.thresholds_per_fold_, strict=True):
        assert_allclose(found, smooth_thresholds(scores[test], Y[test], COSTS))


@pytest.mark.slow
def test_two_classes_are_tuned_as_scikit_learn_does():
    X, y = ordinal_table(2_000, r=2)
    costs = np.array([[0.0, 1.0], [4.0, 0.0]])
    scoring = make_scorer(expected_cost, greater_is_better=False, cost_matrix=costs)
    tuned_by_scikit_learn = TunedThresholdClassifierCV(
        LogisticRegression(), scoring=scoring, thresholds=500
    )
    model = CostThresholdClassifier(LogisticRegression(), cost_matrix=costs)
    new, _ = ordinal_table(5_000, r=2, seed=1)
    found, expected = (
        each.fit(X, y).predict(new) for each in (model, tuned_by_scikit_learn)
    )
    assert (found == expected).mean() > 0.98


def test_weights_count_in_thresholds_and_estimator():
    weights = np.where(Y == 2, 20.0, 1.0)
    for estimator in (Ridge(), KNeighborsRegressor()):  # the second takes no weights
        plain = CostThresholdClassifier(estimator).fit(X, Y)
        heavy = CostThresholdClassifier(estimator).fit(
            X, Y, weights, weight_type="counts"
        )
        assert (heavy.predict(X) == 2).mean() > (plain.predict(X) == 2).mean() + 0.1


def test_tables_of_any_library_have_the_same_folds(rng):
    """Duplicates share a fold."""
    rows = np.tile(rng.normal(size=(60, 2)), (3, 1))
    y = (rows.sum(axis=1) + rng.normal(size=180) > 0).astype(int)
    table = pd.DataFrame(rows, columns=["a", "b"])
    expected, *others = (
        CostThresholdClassifier(ProportionalOdds(), class_costs=[1, 5]).fit(X, y)
        for X in (table, rows, pl.from_pandas(table))
    )
    for other in others:
        assert_array_equal(other.thresholds_, expected.thresholds_)


def test_a_class_missing_in_a_fold():
    # One fold leaves out all of class 2.
    groups = np.where(Y == 2, 0, 1 + np.arange(len(Y)) % 3)
    splits = list(LeaveOneGroupOut().split(X, Y, groups))
    labels = np.array(["low", "mid", "high"])
    model = CostThresholdClassifier(LogisticRegression(), cv=splits, labels=labels)
    with pytest.raises(ValueError, match=r"fold 0 of cv .* fitted without class high"):
        model.fit(X, labels[Y])
    CostThresholdClassifier(Ridge(), cv=splits).fit(
        X, Y
    )  # regressors need not see every class
    held_out = CostThresholdClassifier(Ridge(), cv=KFold(3)).fit(
        X[np.argsort(Y)], np.sort(Y)
    )
    assert np.isfinite(held_out.thresholds_per_fold_).all()  # calibrations neither


def test_scores_that_are_not_finite():
    class Broken(Ridge):
        def predict(self, X):
            return np.full(len(X), np.nan)

    with pytest.raises(ValueError, match="Broken gives scores that are not finite"):
        CostThresholdClassifier(Broken()).fit(X, Y)
