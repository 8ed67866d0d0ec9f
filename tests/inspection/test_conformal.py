"""Coverage of prediction sets: over all rows, in each class, with groups and weights."""

import numpy as np
import pytest
from scipy.special import expit, logit

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


def is_covered(drawn, new, by=None, **info):
    """Return which classes of new rows are in their sets, calibrated on drawn rows."""
    codes, proba = drawn
    calibrated = calibrate_sets(samples_of(codes, CLASSES, **info), proba, (0.9,))
    new_codes, new_proba = new
    lowest, highest = calibrated.ranges(new_proba, 0.9, by).T
    return (lowest <= new_codes) & (new_codes <= highest)


@pytest.mark.checks("Prediction sets", "coverage of new rows")
def test_coverage_over_all_rows_and_in_each_class(rng):
    shares = []
    by_class = []
    for _ in range(20):
        drawn = draw(400, rng)
        new = draw(4_000, rng)
        shares.append(is_covered(drawn, new).mean())
        covered = is_covered(drawn, new, by="class")
        by_class.append([covered[new[0] == k].mean() for k in range(4)])
    # Coverage is marginal: it holds on average over calibration samples.
    assert np.mean(shares) == pytest.approx(0.9, abs=0.015)
    np.testing.assert_allclose(np.mean(by_class, axis=0), 0.9, atol=0.03)


@pytest.mark.checks("Prediction sets", "coverage of rows of new groups")
@pytest.mark.slow
def test_coverage_holds_for_rows_of_new_groups(rng):
    # Rows of a group are equal: 30 groups of 20 rows carry the information of 30 samples.
    shares = []
    groups = np.repeat(np.arange(30), 20)
    for _ in range(100):
        drawn = (np.repeat(part, 20, axis=0) for part in draw(30, rng))
        shares.append(is_covered(drawn, draw(2_000, rng), groups=groups).mean())
    assert np.mean(shares) == pytest.approx(0.9, abs=0.02)


def test_coverage_holds_under_sample_weights(rng):
    drawn, new = draw(20_000, rng), draw(20_000, rng)
    weights, new_weights = (np.where(codes == 3, 8.0, 1.0) for codes, _ in (drawn, new))
    covered = is_covered(drawn, new, weights=weights)
    # The coverage holds in the weighted population.
    assert np.average(covered, weights=new_weights) == pytest.approx(0.9, abs=0.01)


def test_figures_are_cross_validated(rng):
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


def test_errors_of_sets_of_forward_folds_include_the_variation_between_their_models(rng):
    """The log-odds of five models of two classes are too far apart, or not far enough."""
    n_rows = 300
    z = []
    for _ in range(60):
        # each is fitted to one more part of the rows
        spread = np.exp(rng.normal(0.0, 0.8, 6) / np.sqrt(np.arange(1, 7)))
        x, new = (1.5 * rng.normal(size=n) for n in (n_rows, 5_000))
        folds = np.arange(n_rows) * 5 // n_rows
        codes, truth = (rng.random(len(v)) < expit(v) for v in (x, new))
        high, deployed = expit(spread[folds] * x), expit(spread[5] * new)
        samples = samples_of(codes.astype(int), times=np.arange(n_rows))
        proba = np.column_stack([1.0 - high, high])
        shown = set_figures(samples, proba, folds, 0.8, None).loc["all"]
        ranges = calibrate_sets(samples, proba).ranges(
            np.column_stack([1.0 - deployed, deployed]), 0.8
        )
        covered = (ranges[:, 0] <= truth) & (truth <= ranges[:, 1])
        z.append((covered.mean() - shown["coverage"]) / shown["std_error"])
    assert 0.7 < np.std(z) < 1.25


def test_sets_of_classes_of_few_samples_have_about_the_size_that_is_shown(rng):
    intercepts = 2.2 * logit([0.2, 0.4, 0.6, 0.8])
    excess = []
    for _ in range(20):  # some 20 samples of each of five classes
        score, new = 1.5 * rng.normal(size=100), 1.5 * rng.normal(size=5_000)
        codes = np.digitize(score + rng.logistic(size=100), intercepts)
        proba = class_probabilities(score, intercepts)
        samples = samples_of(codes, np.arange(5))
        shown = set_figures(samples, proba, np.arange(100) % 5, 0.9, "class")
        lowest, highest = (
            calibrate_sets(samples, proba, (0.9,))
            .ranges(class_probabilities(new, intercepts), 0.9, "class")
            .T
        )
        excess.append(shown["size"]["all"] - np.mean(highest - lowest + 1))
    # Sets that are calibrated by four fifths of the samples are .5 larger.
    assert -0.15 < np.mean(excess) < 0.3


def test_coverage_beyond_the_sample_size_includes_all_classes(rng):
    codes, proba = draw(20, rng)
    calibrated = calibrate_sets(samples_of(codes, CLASSES), proba, (0.99,))
    assert (calibrated.ranges(expit(rng.normal(size=(50, 4))), 0.99) == [0, 3]).all()


def test_errors_of_sets_include_that_models_decide_alike_for_rows_of_a_level(rng):
    z = []
    for _ in range(40):
        shifts = rng.normal(0.0, 0.15, (5, 5))  # of the log-odds, by model and level
        level, new = rng.integers(0, 5, 300), rng.integers(0, 5, 5_000)
        folds = np.arange(300) % 5
        codes, truth = (rng.random(len(v)) < expit(v - 2.0) for v in (level, new))
        high = expit(level - 2.0 + shifts[folds, level])
        samples = samples_of(codes.astype(int)).with_features(level[:, None], None)
        proba = np.column_stack([1.0 - high, high])
        shown = set_figures(samples, proba, folds, 0.9, None).loc["all"]
        deployed = expit(new - 2.0 + shifts.mean(axis=0)[new])
        sets = calibrate_sets(samples, proba).ranges(
            np.column_stack([1.0 - deployed, deployed]), 0.9
        )
        covered = (sets[:, 0] <= truth) & (truth <= sets[:, 1])
        z.append((covered.mean() - shown["coverage"]) / shown["std_error"])
    assert np.std(z) < 1.6  # 2.5 by independent rows


def test_sets_in_each_class_meet_every_coverage_where_probabilities_hardly_vary(rng):
    codes = rng.choice(3, 150, p=[0.25, 0.5, 0.25])
    proba = np.array([0.25, 0.5, 0.25]) + rng.normal(0.0, 0.004, (150, 3))
    calibrated = calibrate_sets(samples_of(codes), proba)
    for coverage in calibrated.coverages:
        lowest, highest = calibrated.ranges(proba, coverage, "class").T
        covered = (lowest <= codes) & (codes <= highest)
        assert min(covered[codes == k].mean() for k in range(3)) > coverage - 0.1
