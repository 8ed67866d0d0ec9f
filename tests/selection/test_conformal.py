"""Coverage of prediction sets: over all rows, in each class, with groups and weights."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from moselect.predictor.class_probabilities import class_probabilities
from moselect.samples.samples import Samples
from moselect.selection.conformal import calibrate_sets, set_figures

CUTS = np.array([-1.5, 0.5, 2.5])
CLASSES = np.arange(4)


def draw(n, rng):
    """Draw classes by proportional odds, and their true probabilities."""
    score = 1.5 * rng.normal(size=n)
    noise = rng.logistic(size=n)
    return np.digitize(score + noise, CUTS), class_probabilities(score, CUTS)


def of(codes, **known):
    n = len(codes)
    known.setdefault("copy_groups", np.arange(n))
    return Samples(np.empty((n, 0)), codes, CLASSES, **known)


def covered(known, codes, proba, by=None):
    lowest, highest = known.ranges(proba, 0.9, by).T
    return (lowest <= codes) & (codes <= highest)


def test_coverage_over_all_rows_and_in_each_class():
    rng = np.random.default_rng(0)
    shares, by_class = [], []
    for _ in range(20):
        codes, proba = draw(400, rng)
        known = calibrate_sets(of(codes), proba, (0.9,))
        new, its_proba = draw(4_000, rng)
        shares.append(covered(known, new, its_proba).mean())
        held = covered(known, new, its_proba, by="class")
        by_class.append([held[new == k].mean() for k in range(4)])
    assert np.mean(shares) == pytest.approx(0.9, abs=0.015)
    np.testing.assert_allclose(np.mean(by_class, axis=0), 0.9, atol=0.03)


def test_rows_of_a_group_count_once():
    # All rows of a group are alike: 30 groups of 20 rows are 30 samples.
    rng = np.random.default_rng(1)
    shares = []
    for _ in range(100):
        codes, proba = (np.repeat(part, 20, axis=0) for part in draw(30, rng))
        groups = np.repeat(np.arange(30), 20)
        known = calibrate_sets(of(codes, groups=groups), proba, (0.9,))
        shares.append(covered(known, *draw(2_000, rng)).mean())
    assert np.mean(shares) == pytest.approx(0.9, abs=0.02)


def test_weights_are_shares_in_use():
    rng = np.random.default_rng(2)
    codes, proba = draw(20_000, rng)
    weights = np.array([1.0, 1.0, 1.0, 8.0])[codes]
    known = calibrate_sets(of(codes, weights=weights), proba, (0.9,))
    new, its_proba = draw(20_000, rng)
    held = covered(known, new, its_proba)
    in_use = np.array([1.0, 1.0, 1.0, 8.0])[new]
    assert np.average(held, weights=in_use) == pytest.approx(0.9, abs=0.01)


def test_figures_are_of_sets_that_other_folds_calibrated():
    rng = np.random.default_rng(3)
    codes, proba = draw(2_000, rng)
    proba[:] = proba[rng.permutation(len(proba))]  # nothing is known of a row
    figures = set_figures(of(codes), proba, np.arange(2_000) % 5, 0.9, None)
    assert figures.index.tolist() == ["all", 0, 1, 2, 3]
    assert figures["rows"].tolist() == [2_000, *np.bincount(codes)]
    assert abs(figures["coverage"]["all"] - 0.9) < 2.5 * figures["std_error"]["all"]
    assert figures["size"]["all"] > 2.5


def test_a_coverage_beyond_the_rows_takes_all_classes():
    codes, proba = draw(20, np.random.default_rng(4))
    known = calibrate_sets(of(codes), proba, (0.99,))
    new = expit(np.random.default_rng(5).normal(size=(50, 4)))
    assert (known.ranges(new, 0.99) == [0, 3]).all()
