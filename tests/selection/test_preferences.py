"""Preferences: weights, losses and wrong input."""

import numpy as np
import pytest

from moselect.metrics import (
    OBJECTIVES,
    accuracy_score,
    mean_absolute_error,
    ranking_scores,
)
from moselect.models.objective_values import DEFAULT
from moselect.selection.criteria import preference_loss, preference_weights

TWO = (DEFAULT[0], DEFAULT[2])


def test_weights_add_up_and_default_to_equal_ones():
    assert preference_weights({"vus": 2, "accuracy": 1}, DEFAULT)["vus"] == pytest.approx(
        2 / 3
    )
    assert set(preference_weights(None, TWO).values()) == {0.5}


@pytest.mark.parametrize(
    ("preferences", "message"),
    [
        ({"u_ovo": 1}, "'u_ovo' was not searched"),
        ({"vus": -1}, "weight of 'vus' is -1"),
        ({"vus": 0, "accuracy": 0}, "all preferences are 0"),
    ],
)
def test_wrong_preferences_are_named(preferences, message):
    with pytest.raises(ValueError, match=message):
        preference_weights(preferences, TWO)


def test_the_utility_is_the_weighted_gain_in_units_of_the_best():
    rng = np.random.default_rng(0)
    codes = rng.permutation(np.repeat(np.arange(4), 10))
    scores = codes + rng.normal(size=40)
    predicted = np.clip(np.rint(scores), 0, 3).astype(int)
    gains = dict(zip(OBJECTIVES, [0.4, 0.6, 0.5, 0.3, 0.35, 0.3], strict=True))
    weights = dict(zip(OBJECTIVES, [0.1, 0.2, 0.3, 0.1, 0.2, 0.1], strict=True))
    decision_loss = preference_loss(weights, gains, DEFAULT, np.bincount(codes))
    loss, _ = decision_loss.losses(codes, predicted, scores, np.ones(40))
    objectives = [
        accuracy_score(codes, predicted),
        1.0 - mean_absolute_error(codes, predicted),
        *ranking_scores(codes, scores),
    ]
    expected = sum(
        weights[name] / gains[name] * (1.0 - value)
        for name, value in zip(OBJECTIVES, objectives, strict=True)
    )
    assert loss == pytest.approx(expected)
