"""scikit-learn's checks of estimators, most of them slow: there are fifty for every class."""

import re
import warnings

import pytest
from sklearn.utils import estimator_checks

# One check of each thing that an estimator of ours may have of its own.
QUICK = {
    "check_dict_unchanged",
    "check_dont_overwrite_parameters",
    "check_estimators_nan_inf",
    "check_estimators_pickle",
    "check_estimators_unfitted",
    "check_fit_idempotent",
    "check_methods_sample_order_invariance",
    "check_n_features_in_after_fitting",
    "check_parameters_default_constructible",
    "check_readonly_memmap_input",
    "check_sample_weights_list",
    "check_supervised_y_no_nan",
}
EXPECTED_FAILURES = {
    "check_classifiers_train": "decisions are one score with r - 1 thresholds, not a score a class",
    "check_classifiers_classes": "strings have no order until labels= gives it",
}
RELATIVE = (
    "whole-number weights are relative unless weight_type says that they are counts"
)
RELATIVE_WEIGHTS = {
    f"check_sample_weight_equivalence_on_{kind}_data": RELATIVE
    for kind in ("dense", "sparse")
}


def parametrize_with_checks(estimators, **options):
    """Mark a test with scikit-learn's checks of some estimators, all but a few of them slow.

    The first estimator of a class has all of them, others have those that are quick.
    """
    with warnings.catch_warnings():
        # Steps of preprocessing follow the protocol without its base class.
        warnings.filterwarnings("ignore", ".*does not inherit from `sklearn.base")
        mark = estimator_checks.parametrize_with_checks(estimators, **options)
    names, cases = mark.args
    marked = []
    first = {type(estimator): estimator for estimator in reversed(estimators)}
    for case in cases:
        marks = getattr(case, "marks", ())  # of checks that are expected to fail
        values = getattr(case, "values", case)
        check = re.search(r"check_\w+", str(values[1]))[0]
        if check not in QUICK and values[0] is not first[type(values[0])]:
            continue
        slow = () if check in QUICK else (pytest.mark.slow,)
        marked.append(pytest.param(*values, marks=(*marks, *slow)))
    return pytest.mark.parametrize(names, marked, **mark.kwargs)
