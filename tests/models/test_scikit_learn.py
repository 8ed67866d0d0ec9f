"""What scikit-learn asks of every estimator."""

from __future__ import annotations

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
