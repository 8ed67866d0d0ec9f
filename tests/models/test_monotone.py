"""Every estimator keeps the monotone directions of its features, whatever the data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from moselect.models import (
    AdditiveOdds,
    CumulativeClassifier,
    OrdinalStacking,
    ProportionalOdds,
    WrappedClassifier,
    fit_proportional_odds,
)
from moselect.models.calibration import calibrate
from tests.models.monotone import TOLERANCE, grids, table, violation

SEEDS = st.integers(0, 10_000)
FAST = settings(max_examples=8, deadline=None)


@pytest.mark.parametrize(
    "estimator", [ProportionalOdds, pytest.param(AdditiveOdds, marks=pytest.mark.slow)]
)
@given(SEEDS)
@FAST
def test_cumulative_logit_models_keep_directions(estimator, seed):
    X, y, signs = table(seed)
    model = estimator(monotone=signs).fit(X, y)
    assert violation(model, X, grids(X, signs)) <= TOLERANCE


@pytest.mark.slow
@given(SEEDS)
@settings(max_examples=3, deadline=None)
def test_trees_keep_directions(seed):
    X, y, signs = table(seed)
    for model in (
        OrdinalStacking(["boosted_ranks"], monotone=signs, random_state=0),
        CumulativeClassifier(
            RandomForestClassifier(5, monotonic_cst=signs, random_state=0)
        ),
    ):
        assert violation(model.fit(X, y), X, grids(X, signs, 12)) <= TOLERANCE


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


def test_bounded_fits_maximise_the_likelihood_under_their_signs():
    """An inactive bound changes nothing; an active bound sets the coefficient to 0."""
    X, y, _ = table(3, 400, 2)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    free, *_ = fit_proportional_odds(Z, y, 4, 1.0)
    signs_of_the_free_fit = np.sign(free).astype(int)
    np.testing.assert_allclose(
        fit_proportional_odds(Z, y, 4, 1.0, signs=signs_of_the_free_fit)[0],
        free,
        atol=1e-4,
    )
    opposite_sign = np.array([-signs_of_the_free_fit[0], 0])
    bounded = fit_proportional_odds(Z, y, 4, 1.0, signs=opposite_sign)[0]
    alone = fit_proportional_odds(Z[:, 1:], y, 4, 1.0)[0]
    np.testing.assert_allclose(bounded, [0.0, alone[0]], atol=1e-4)


@given(SEEDS)
@FAST
def test_rising_calibrations_never_fall(seed):
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(size=120), 2)
    codes = rng.integers(0, 4, 120)
    calibration = calibrate(scores, codes, 4, rising=True)
    proba = calibration(np.linspace(-5.0, 5.0, 500))
    above = proba[:, :0:-1].cumsum(axis=1)
    assert (np.diff(above, axis=0) >= -TOLERANCE).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)


def test_an_inactive_constraint_hardly_changes_a_calibration():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=3_000)
    codes = np.digitize(scores + rng.logistic(size=3_000) / 3.0, [-1.0, 0.0, 1.0])
    at = np.linspace(-2.0, 2.0, 50)
    plain, rising = (calibrate(scores, codes, 4, rising=r)(at) for r in (False, True))
    np.testing.assert_allclose(rising, plain, atol=0.02)


def test_a_classifier_of_scikit_learn_keeps_directions_by_name():
    X, y, _ = table(4)
    model = WrappedClassifier(
        HistGradientBoostingClassifier(max_iter=20), monotone={"x0": 1, "gone": 1}
    ).fit(X, y)
    assert violation(model, X, grids(X, [1, 0, 0, 0])) <= TOLERANCE
    plain = WrappedClassifier(LogisticRegression(), monotone={"x0": 1}).fit(X, y)
    assert isinstance(plain.estimator_, LogisticRegression)
