"""Every estimator keeps the monotone directions of its features, whatever the data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from moselect.models import AdditiveOdds, OrdinalStacking, ProportionalOdds
from moselect.models.calibration import calibrate
from tests.models.monotone import TOLERANCE, grids, table, violation

SEEDS = st.integers(0, 10_000)
FAST = settings(max_examples=5)


@pytest.mark.parametrize(
    "model",
    [
        ProportionalOdds(),
        pytest.param(AdditiveOdds(), marks=pytest.mark.slow),
        pytest.param(
            OrdinalStacking(["boosted_ranks"], random_state=0), marks=pytest.mark.slow
        ),
    ],
)
@given(SEEDS)
@FAST
def test_models_keep_directions(model, seed):
    X, y, signs = table(seed)
    model.set_params(monotone=signs).fit(X, y)
    assert violation(model, X, grids(X, signs)) <= TOLERANCE


def test_members_without_monotone_support_are_excluded_and_named():
    X, y, _ = table(1)
    model = OrdinalStacking(
        ["proportional_odds", "gaussian_process", ("free", LogisticRegression())],
        monotone=[1, 0, 0, 0],
    ).fit(X, y)
    assert model.model_names_ == ["proportional_odds"]
    assert set(model.excluded_.values()) == {"it cannot keep directions"}
    with pytest.raises(ValueError, match="it cannot keep directions"):
        OrdinalStacking(["gaussian_process"], monotone=[1, 0, 0, 0]).fit(X, y)


@given(SEEDS)
@FAST
def test_rising_calibrations_never_fall(seed):
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(size=120), 2)
    calibration = calibrate(scores, rng.integers(0, 4, 120), 4, rising=True)
    proba = calibration(np.linspace(-5.0, 5.0, 500))
    assert (np.diff(proba[:, :0:-1].cumsum(axis=1), axis=0) >= -TOLERANCE).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
