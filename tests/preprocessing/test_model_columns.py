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


def test_new_samples_are_scored_by_models_of_all_samples(noise):
    X, y = noise
    columns = ModelColumns(MODELS, random_state=0).fit(X, y)
    odds = ProportionalOdds().fit(X, y)
    new = X[:7] + 0.1
    np.testing.assert_allclose(
        columns.transform(new)[:, 0], odds.predict_proba(new) @ [1, 2, 3]
    )
    assert columns.get_feature_names_out().tolist() == ["odds", "trees"]
    assert columns.set_output(transform="pandas").transform(new).shape == (7, 2)


def test_folds_that_are_given_are_those_of_one_fit(noise):
    """Another one, of a clone or of other samples, divides them as the constructor says."""
    X, y = noise
    columns = ModelColumns(MODELS[:1], cv=3, random_state=0)
    columns.fit(X, y, folds=np.arange(150) % 5)
    assert (columns.cv, columns.folds_.max()) == (3, 4)
    assert columns.fit(X[:90], y[:90]).folds_.max() == 2
