"""What scikit-learn asks of every estimator."""

from __future__ import annotations

import numpy as np
import pytest
from skordinal.classifiers import NNPOM, ORBoost

from moselect.models import (
    AdditiveOdds,
    OrdinalGaussianProcess,
    OrdinalPool,
    ProportionalOdds,
    SkordinalClassifier,
)
from moselect.models.pool.ordinal_extra_trees import OrdinalExtraTrees
from moselect.models.pool.rank_regressors import BoostedRanks, GaussianProcessRanks
from tests.estimator_checks import parametrize_with_checks

EXPECTED_FAILURES = {
    "check_classifiers_train": "decisions are one score with r - 1 thresholds, not a score a class",
    "check_classifiers_classes": "strings have no order until labels= gives it",
}
DRAWN = (BoostedRanks, GaussianProcessRanks, OrdinalExtraTrees)  # rows or splits at random
REPETITIONS = {
    "check_sample_weight_equivalence_on_dense_data": "a row that is there twice is drawn otherwise"
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        ProportionalOdds(),
        ProportionalOdds(alpha="cv"),
        AdditiveOdds(),
        OrdinalGaussianProcess(),
        BoostedRanks(random_state=0),
        GaussianProcessRanks(random_state=0),
        OrdinalExtraTrees(20, random_state=0),
        OrdinalPool(
            [("odds", ProportionalOdds()), "splines"], cv=2, max_seconds=None, random_state=0
        ),
        SkordinalClassifier("redsvm"),
        # Without a limit they are fitted in this process, which need not change what is checked.
        SkordinalClassifier("svor_implicit", max_seconds=None),
        SkordinalClassifier(NNPOM(n_hidden=3, max_iter=50), max_seconds=None),
        SkordinalClassifier(ORBoost(n_estimators=10), max_seconds=None),
    ],
    expected_failed_checks=lambda estimator: (
        EXPECTED_FAILURES | (REPETITIONS if isinstance(estimator, DRAWN) else {})
    ),
)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "model",
    [
        ProportionalOdds(),
        ProportionalOdds(alpha="cv"),
        AdditiveOdds(),
        OrdinalExtraTrees(20, random_state=0),
        OrdinalGaussianProcess(),
        OrdinalPool([("odds", ProportionalOdds()), "splines"], cv=2, max_seconds=None),
        SkordinalClassifier("redsvm"),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_what_a_mask_hides_is_not_used(model):
    y = np.arange(60) % 3
    X = np.column_stack([y, np.arange(60) % 7]) + np.random.default_rng(0).normal(size=(60, 2))
    hidden = np.ma.array(X, mask=X > 6.0)
    with pytest.raises(ValueError, match=r"X\[\d+, 1\] is masked"):
        model.fit(hidden, y)
    with pytest.raises(ValueError, match=r"X\[\d+, 1\] is masked"):
        model.fit(X, y).predict(hidden)
