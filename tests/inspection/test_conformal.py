"""Coverage of prediction sets: over all rows, in each class, with groups and weights."""

import numpy as np
import pytest
from scipy.special import expit

from moselect.inspection.conformal import calibrate_sets, set_figures
from moselect.predictor import class_probabilities
from tests.without_features import samples_of

INTERCEPTS = np.array([-1.5, 0.5, 2.5])
CLASSES = np.arange(4)


def draw(n, rng):
    """Draw classes by proportional odds, and their true probabilities."""
    score = 1.5 * rng.normal(size=n)
    noise = rng.logistic(size=n)
    return np.digitize(score + noise, INTERCEPTS), class_probabilities(score, INTERCEPTS)


def is_covered(calibrated, codes, proba, by=None):
    lowest, highest = calibrated.ranges(proba, 0.9, by).T
    return (lowest <= codes) & (codes <= highest)


@pytest.mark.checks("Prediction sets", "coverage of new rows")
def test_coverage_over_all_rows_and_in_each_class():
    rng = np.random.default_rng(0)
    shares = []
    by_class = []
    for _ in range(20):
        codes, proba = draw(400, rng)
        calibrated = calibrate_sets(samples_of(codes, CLASSES), proba, (0.9,))
        new, new_proba = draw(4_000, rng)
        shares.append(is_covered(calibrated, new, new_proba).mean())
        covered = is_covered(calibrated, new, new_proba, by="class")
        by_class.append([covered[new == k].mean() for k in range(4)])
    # Coverage is marginal: it holds on average over calibration samples.
    assert np.mean(shares) == pytest.approx(0.9, abs=0.015)
    np.testing.assert_allclose(np.mean(by_class, axis=0), 0.9, atol=0.03)


@pytest.mark.checks("Prediction sets", "coverage of rows of new groups")
@pytest.mark.slow
def test_coverage_holds_for_rows_of_new_groups():
    # Rows of a group are equal: 30 groups of 20 rows carry the information of 30 samples.
    rng = np.random.default_rng(1)
    shares = []
    for _ in range(100):
        codes, proba = (np.repeat(part, 20, axis=0) for part in draw(30, rng))
        groups = np.repeat(np.arange(30), 20)
        calibrated = calibrate_sets(
            samples_of(codes, CLASSES, groups=groups), proba, (0.9,)
        )
        shares.append(is_covered(calibrated, *draw(2_000, rng)).mean())
    assert np.mean(shares) == pytest.approx(0.9, abs=0.02)


def test_coverage_holds_under_sample_weights():
    rng = np.random.default_rng(2)
    codes, proba = draw(20_000, rng)
    weights = np.array([1.0, 1.0, 1.0, 8.0])[codes]
    calibrated = calibrate_sets(
        samples_of(codes, CLASSES, weights=weights), proba, (0.9,)
    )
    new, new_proba = draw(20_000, rng)
    covered = is_covered(calibrated, new, new_proba)
    # The coverage holds in the weighted population.
    in_use = np.array([1.0, 1.0, 1.0, 8.0])[new]
    assert np.average(covered, weights=in_use) == pytest.approx(0.9, abs=0.01)


def test_figures_are_cross_validated():
    rng = np.random.default_rng(3)
    codes, proba = draw(2_000, rng)
    # Probabilities of other rows are uninformative.
    proba[:] = proba[rng.permutation(len(proba))]
    figures = set_figures(
        samples_of(codes, CLASSES), proba, np.arange(2_000) % 5, 0.9, None
    )
    assert figures.index.tolist() == ["all", 0, 1, 2, 3]
    assert figures["rows"].tolist() == [2_000, *np.bincount(codes)]
    assert abs(figures["coverage"]["all"] - 0.9) < 2.5 * figures["std_error"]["all"]
    assert figures["size"]["all"] > 2.5


def test_coverage_beyond_the_sample_size_includes_all_classes():
    codes, proba = draw(20, np.random.default_rng(4))
    calibrated = calibrate_sets(samples_of(codes, CLASSES), proba, (0.99,))
    new = expit(np.random.default_rng(5).normal(size=(50, 4)))
    assert (calibrated.ranges(new, 0.99) == [0, 3]).all()
