import numpy as np
import pytest
from sklearn.base import ClassifierMixin
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from moselect import CostThresholdClassifier, compare
from moselect.metrics import get_scorer
from tests.any_tables import ordinal_table

LOGISTIC = make_pipeline(StandardScaler(), LogisticRegression())
FOR_COSTS = CostThresholdClassifier(GaussianNB(), class_costs=[1, 1, 9])
MEASURES = [
    "accuracy",
    "mean_absolute_error",
    "macro_mean_absolute_error",
    "vus",
    "u_ovo",
    "off_by_one_accuracy",
    "one_minus_mae",
]


class NearestClass(ClassifierMixin, LinearRegression):
    """Round a regression by hand."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return super().fit(X, y)

    def decision_function(self, X):
        return super().predict(X)

    def predict(self, X):
        return np.clip(np.round(super().predict(X)), 0, 2).astype(int)


@pytest.mark.parametrize(
    ("model", "oracle"),
    [
        (LOGISTIC, LOGISTIC),  # several decisions an object: the expected class
        (GaussianNB(), GaussianNB()),  # no decision function
        (SVC(), SVC()),  # neither a single decision nor probabilities
        (CostThresholdClassifier(GaussianNB()), FOR_COSTS),  # takes the costs
        (LinearRegression(), NearestClass()),
    ],
)
def test_measures_of_folds_match_cross_validate(model, oracle):
    X, codes = ordinal_table(90)
    cv = StratifiedKFold(4, shuffle=True, random_state=2)
    measures = [*MEASURES]
    if hasattr(model, "predict_proba"):
        measures.append("ranked_probability_error")
    scorers = {
        name: get_scorer(f"neg_{name}" if name.endswith("error") else name)
        for name in measures
    }
    found = compare({"model": model}, X, codes, cv=cv, costs=[1, 1, 9])
    values = found.fold_measures(measures).per_fold
    expected = cross_validate(
        oracle, X, codes, cv=cv, scoring=scorers, error_score="raise"
    )
    for name in measures:
        np.testing.assert_allclose(
            values[name], np.abs(expected[f"test_{name}"]), err_msg=name
        )
