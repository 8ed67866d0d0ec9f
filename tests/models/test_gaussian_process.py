from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from moselect.models.gaussian_process import OrdinalGaussianProcess

EXPECTED_FAILURES = {
    "check_classifiers_train": "decisions are one score with r - 1 thresholds, not a score a class",
    "check_classifiers_classes": "strings have no order until labels= gives it",
}


@parametrize_with_checks(
    [OrdinalGaussianProcess()], expected_failed_checks=lambda _: EXPECTED_FAILURES
)
def test_scikit_learn(estimator, check):
    check(estimator)
