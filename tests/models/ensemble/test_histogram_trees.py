"""Trial members of the ensemble, and cumulative boosting."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.budgets import ENSEMBLE
from moselect.io import read_model, write_model
from moselect.models import OrdinalStacking
from moselect.models.ensemble.trees import CumulativeBoosting


def parity(n):
    """Return one-hot categories; the class combines the parity of three with a fourth."""
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 3, (n, 8))
    codes = 2 * ((cells[:, :3] == 1).sum(axis=1) % 2) + (cells[:, 3] == 1)
    X = pd.get_dummies(pd.DataFrame(cells).astype(str)).astype(float)
    return X, codes


@pytest.mark.slow
def test_cumulative_boosting_joins_the_ensemble_where_it_helps():
    X, codes = parity(1_200)
    stacking = OrdinalStacking(cv=2, random_state=1).fit(X[:800], codes[:800])
    assert stacking.model_names_[-1] == "cumulative_boosting"
    other_names = [
        name for name in stacking.model_names_ if name != "cumulative_boosting"
    ]
    others = OrdinalStacking(other_names, cv=2, random_state=1).fit(X[:800], codes[:800])
    truth = codes[800:]
    errors = [
        np.abs(model.predict(X[800:]) - truth).mean() for model in (stacking, others)
    ]
    assert errors[0] <= errors[1]
    assert errors[0] < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("n", [ENSEMBLE.trial_rows - 1, 300])
def test_cumulative_boosting_is_dropped_for_linear_effects_or_few_rows(n):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    codes = np.digitize(X[:, 0] + 0.3 * rng.logistic(size=n), [-0.6, 0.6])
    names = OrdinalStacking(cv=2, random_state=1).fit(X, codes).model_names_
    assert "cumulative_boosting" not in names
    assert len(names) == 5


def test_cumulative_boosting_uses_categorical_features():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 12, 600)
    X = np.column_stack([rng.normal(size=600), codes])
    y = (codes % 3).astype(int)
    model = CumulativeBoosting(categorical_features=[1], random_state=0).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.99
    binary = CumulativeBoosting(random_state=0).fit(X, y > 0)
    assert binary.predict_proba(X).shape == (600, 2)


@pytest.mark.slow
def test_cumulative_boosting_is_restored_from_its_file(tmp_path):
    X, codes = parity(300)
    stacking = OrdinalStacking(["cumulative_boosting"], cv=2, random_state=0).fit(
        X, codes
    )
    path = Path(tmp_path / "model.npz")
    write_model(path, stacking)
    found = read_model(path).predict_proba(X)
    np.testing.assert_allclose(found, stacking.predict_proba(X), rtol=1e-9, atol=1e-12)
