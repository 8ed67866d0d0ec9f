"""The estimator checks of scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from skordinal.classifiers import NNPOM, REDSVM

from moselect.models import (
    AdditiveOdds,
    CostSensitiveOrdinalClassifier,
    CostThresholdClassifier,
    ModelColumns,
    OrdinalStacking,
    ProportionalOdds,
    Scorecard,
    SkordinalClassifier,
    WrappedClassifier,
)
from moselect.models.ensemble.gaussian_process import GaussianProcessRanks
from moselect.models.ensemble.trees import BoostedClasses, BoostedRanks
from moselect.predictor.conversion import to_predictor
from moselect.preprocessing import SplineColumns
from tests.any_tables import ordinal_table
from tests.estimator_checks import (
    EXPECTED_FAILURES,
    RELATIVE_WEIGHTS,
    parametrize_with_checks,
)

# They draw rows or splits at random.
RANDOMISED = BoostedRanks, BoostedClasses, GaussianProcessRanks
OUT_OF_FOLD = "fit_transform gives out-of-fold columns"
FAILURES = {
    RANDOMISED: {
        "check_sample_weight_equivalence_on_dense_data": "repeated rows change the random draws"
    },
    (CostSensitiveOrdinalClassifier, CostThresholdClassifier): RELATIVE_WEIGHTS,
    ModelColumns: {
        "check_transformer_general": OUT_OF_FOLD,
        "check_transformer_data_not_an_array": OUT_OF_FOLD,
    },
}


def failures_of(estimator):
    failures = dict(EXPECTED_FAILURES)
    for classes, own in FAILURES.items():
        if isinstance(estimator, classes):
            failures |= own
    if not hasattr(estimator, "decision_function"):
        del failures["check_classifiers_train"]
    return failures


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:whole-number weights")
@parametrize_with_checks(
    [
        ProportionalOdds(),
        ProportionalOdds(alpha="cv"),
        AdditiveOdds(),
        BoostedRanks(random_state=0),
        GaussianProcessRanks(random_state=0),
        BoostedClasses(random_state=0),
        OrdinalStacking(
            [("odds", ProportionalOdds()), ("ridge", Ridge())], cv=2, random_state=0
        ),
        SkordinalClassifier(REDSVM()),
        WrappedClassifier(LogisticRegression()),
        CostSensitiveOrdinalClassifier(),
        CostThresholdClassifier(LogisticRegression(), cv=2),
        Scorecard(),
        SplineColumns(),
        ModelColumns([("odds", ProportionalOdds())], cv=2, random_state=0),
    ],
    expected_failed_checks=failures_of,
)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "model",
    [
        ProportionalOdds(),
        AdditiveOdds(),
        OrdinalStacking([("odds", ProportionalOdds())], cv=2, random_state=0),
        SkordinalClassifier(NNPOM(n_hidden=3, max_iter=2_000, random_state=0)),
    ],
)
def test_classes_without_samples_have_no_probability(model):
    X, codes = ordinal_table(150)
    labels = np.array(["none", "low", "none yet", "mid", "high", "never"])
    present = labels[[1, 3, 4]]
    model = clone(model).fit(X, codes)
    other = clone(model).set_params(labels=labels).fit(X, present[codes])
    assert other.classes_.tolist() == labels.tolist()
    proba = other.predict_proba(X)
    assert_array_equal(proba[:, [0, 2, 5]], 0.0)
    frozen = to_predictor(other).predict_proba(X)
    assert_allclose(frozen, proba, rtol=1e-9, atol=1e-15)
    rtol = 1e-12 if isinstance(model, ProportionalOdds | AdditiveOdds) else 0.0
    assert_allclose(proba[:, [1, 3, 4]], model.predict_proba(X), rtol=rtol)
    assert_array_equal(other.predict(X), present[model.predict(X)])
    if isinstance(model, ProportionalOdds):
        first, second = model.thresholds_
        assert other.thresholds_.tolist() == [-np.inf, first, first, second, np.inf]
