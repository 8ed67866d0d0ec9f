from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from moselect import CostSensitiveOrdinalClassifier, ParetoSearch
from moselect.features import INVERTIBLE, check_feature_scale, warn_of_exhausted_digits
from moselect.models import AdditiveOdds, ProportionalOdds, SplineColumns

rng = np.random.default_rng(0)
Y = np.arange(60) % 3
X = pd.DataFrame({"a": Y + rng.normal(size=60), "b": rng.normal(size=60)})
ESTIMATORS = [
    ParetoSearch(n_particles=10, n_iterations=2, cv=None, random_state=0),
    CostSensitiveOrdinalClassifier(),
    ProportionalOdds(),
    ProportionalOdds(alpha="cv"),
    AdditiveOdds(),
    SplineColumns(),
]
each_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)


@each_estimator
@pytest.mark.parametrize(("factor", "said"), [(1e-200, "too small"), (1e200, "too large")])
def test_features_that_cannot_be_computed_with(estimator, factor, said):
    with pytest.raises(ValueError, match=rf"columns are {said} .*: a; rescale"):
        estimator.fit(X.assign(a=X["a"] * factor), Y)


@pytest.mark.parametrize("columns", ["features", "splines"])
@pytest.mark.parametrize("estimator", ESTIMATORS[:2], ids=lambda e: type(e).__name__)
def test_exhausted_digits_are_told(estimator, columns):
    with pytest.warns(UserWarning, match="columns differ in their last digits only: a;"):
        clone(estimator).set_params(columns=columns).fit(X.assign(a=X["a"] + 1e13), Y)


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e10])
@pytest.mark.parametrize("factor", [1e-290, 1e-138, 1e-12, 1.0, 1e130])
def test_other_features_are_taken(offset, factor):
    values = (X.to_numpy() + offset) * factor
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if factor < 1e-140:
            check_feature_scale(values, smallest=INVERTIBLE)
        else:
            check_feature_scale(values)
        warn_of_exhausted_digits(values)


def test_constant_columns_and_empty_tables_are_no_concern_here():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for values in (np.full((5, 2), 1e20), np.zeros((5, 2)), np.empty((0, 3))):
            check_feature_scale(values)
            warn_of_exhausted_digits(values)
