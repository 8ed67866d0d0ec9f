from __future__ import annotations

import numpy as np
import pytest

from moselect.models import ModelColumns, ProportionalOdds
from moselect.models.ensemble.ordinal_extra_trees import OrdinalExtraTrees
from moselect.preprocessing import SplineColumns
from tests.estimator_checks import parametrize_with_checks

MODELS = [("odds", ProportionalOdds()), ("trees", OrdinalExtraTrees(20))]
HELD_OUT = (
    "fit_transform gives columns by models that were fitted without the sample's fold"
)


@parametrize_with_checks(
    [
        SplineColumns(),
        ModelColumns([("odds", ProportionalOdds())], cv=2, random_state=0),
    ],
    expected_failed_checks=lambda transformer: (
        {
            "check_transformer_general": HELD_OUT,
            "check_transformer_data_not_an_array": HELD_OUT,
        }
        if isinstance(transformer, ModelColumns)
        else {}
    ),
)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(0)
    return rng.normal(size=(150, 5)), rng.integers(0, 3, 150)


def test_noise_stays_noise(noise):
    """In-sample columns of trees would follow the classes, and tell nothing on new samples."""
    X, y = noise
    columns = ModelColumns(MODELS, random_state=0)
    held_out = columns.fit_transform(X, y)
    own = columns.transform(X)
    assert abs(np.corrcoef(held_out[:, 1], y)[0, 1]) < 0.25
    assert np.corrcoef(own[:, 1], y)[0, 1] > 0.6
