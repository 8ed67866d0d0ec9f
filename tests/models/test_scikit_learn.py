"""What scikit-learn asks of every estimator."""

from __future__ import annotations

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks
from skordinal.classifiers import NNPOM, ORBoost

from moselect.models import FrankHall, ProportionalOdds, RankNetwork, SkordinalClassifier

EXPECTED_FAILURES = {
    "check_classifiers_train": "decisions are one score with r - 1 thresholds, not a score a class",
    "check_classifiers_classes": "strings have no order until labels= gives it",
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        ProportionalOdds(),
        ProportionalOdds(link="probit"),
        FrankHall(),
        FrankHall(LogisticRegression()),
        RankNetwork(hidden_layer_sizes=(3,), max_iter=100, random_state=0),
        SkordinalClassifier("redsvm"),
        # Without a limit they are fitted in this process, which need not change what is checked.
        SkordinalClassifier("svor_implicit", max_seconds=None),
        SkordinalClassifier(NNPOM(n_hidden=3, max_iter=50), max_seconds=None),
        SkordinalClassifier(ORBoost(n_estimators=10), max_seconds=None),
    ],
    expected_failed_checks=lambda _: EXPECTED_FAILURES,
)
def test_scikit_learn(estimator, check):
    check(estimator)
