"""Directions of classical linear models, with which a search begins."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVR

from moselect.search import OrdinalProblem


def fit_logistic(Z, ranks):
    return LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000).fit(Z, ranks > 1).coef_[0]


def fit_absolute(Z, ranks):
    target = ranks - ranks.mean()
    return LinearSVR(epsilon=0.0, C=1.0, max_iter=100_000, random_state=0).fit(Z, target).coef_


@pytest.mark.parametrize(
    ("name", "fit"),
    [
        ("ordinal ridge, 1", lambda Z, ranks: Ridge(alpha=1.0).fit(Z, ranks).coef_),
        ("ordinal ridge, 100", lambda Z, ranks: Ridge(alpha=100.0).fit(Z, ranks).coef_),
        ("logistic, cut 2", fit_logistic),
        ("least absolute deviations", fit_absolute),
    ],
)
def test_ready_made_directions_are_the_fitted_models(awkward, name, fit):
    X, y = awkward(10, 4, n=150)
    problem = OrdinalProblem(X, y)
    Z = (X - X.mean()) / X.std(ddof=0).where(X.columns != "constant", 1.0)
    direction = problem.ready_made()[name]
    scores = X.to_numpy() @ problem.models(direction[None])[0][0]
    expected = Z.to_numpy() @ fit(Z.to_numpy(), y.to_numpy() - 1)
    assert np.corrcoef(scores, expected)[0, 1] == pytest.approx(1.0, abs=1e-6)
