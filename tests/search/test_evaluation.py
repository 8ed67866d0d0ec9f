"""Expected values under simulated laws with known parameters."""

import numpy as np

from moselect.search.evaluation import expected_objective

UNKNOWN = np.full(5, np.nan)  # sampling variances


def draw_folds(rng):
    """Draw members of five folds, with held-out values on a line and some scatter."""
    for _ in range(5):
        training = rng.normal(0.8, 0.05, 30)
        lost = rng.normal(0.1, 0.02)
        on_line = training.mean() - lost + 0.5 * (training - training.mean())
        yield training, on_line + rng.normal(0.0, 0.01, 30)


def test_standard_errors_match_the_spread_of_errors(rng):
    front = np.array([0.75, 0.8, 0.85])
    errors = []
    for _ in range(200):
        values, se = expected_objective(front, [*draw_folds(rng)], UNKNOWN)
        truth = 0.7 + 0.5 * (front - 0.8) + rng.normal(0.0, 0.01, front.shape)
        errors.append((values - truth) / se)
    assert 0.8 < np.std(errors) < 1.3


def test_the_slope_is_clipped_to_0_and_1():
    front = np.array([0.6, 0.8])
    upside_down = expected_objective(front, [(front, front[::-1])] * 3, UNKNOWN)[0]
    np.testing.assert_allclose(upside_down, 0.7)
    steeper = expected_objective(front, [(front, 2.0 * front - 0.7)] * 3, UNKNOWN)[0]
    np.testing.assert_allclose(steeper, front)


def test_folds_without_a_class_are_excluded():
    front = np.array([0.6, 0.8])
    unknown = np.full(2, np.nan)
    known = front, front - 0.1
    values, _ = expected_objective(front, [known, known, (front, unknown)], UNKNOWN)
    np.testing.assert_allclose(values, front - 0.1)
    assert np.isnan(
        expected_objective(front, [known, *[(front, unknown)] * 2], UNKNOWN)
    ).all()


def test_expected_values_of_nonnegative_measures_are_nonnegative():
    front = np.array([0.7])
    none = np.array([0.0])
    values, _ = expected_objective(front, [(front + 0.2, none)] * 3, UNKNOWN)
    assert values == 0.0
    values, _ = expected_objective(front, [(front + 0.2, none - 0.4)] * 3, UNKNOWN)
    np.testing.assert_allclose(values, -0.6)
