import numpy as np
import pytest

from moselect.models import ModelColumns, ProportionalOdds
from moselect.models.ensemble.exact_trees import OrdinalExtraTrees
from moselect.preprocessing import SplineColumns
from tests.estimator_checks import EXPECTED_FAILURES, parametrize_with_checks

MODELS = [("odds", ProportionalOdds()), ("trees", OrdinalExtraTrees(20))]
OUT_OF_FOLD = "fit_transform gives out-of-fold columns"


@parametrize_with_checks(
    [
        SplineColumns(),
        ModelColumns([("odds", ProportionalOdds())], cv=2, random_state=0),
    ],
    expected_failed_checks=lambda transformer: (
        EXPECTED_FAILURES
        | {
            "check_transformer_general": OUT_OF_FOLD,
            "check_transformer_data_not_an_array": OUT_OF_FOLD,
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


def test_model_columns_are_out_of_fold(noise):
    """In-sample columns of trees follow even random classes; out-of-fold columns do not."""
    X, y = noise
    columns = ModelColumns(MODELS, random_state=0)
    out_of_fold = columns.fit_transform(X, y)
    in_sample = columns.transform(X)
    assert abs(np.corrcoef(out_of_fold[:, 1], y)[0, 1]) < 0.25
    assert np.corrcoef(in_sample[:, 1], y)[0, 1] > 0.6
