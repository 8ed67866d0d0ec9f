from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.metrics import accuracy_score, cohen_kappa_score, mean_absolute_error

from moselect.metrics import prediction_inference


def sample(counts):
    counts = np.asarray(counts)
    true, predicted = np.divmod(
        np.repeat(np.arange(counts.size), counts.ravel()), len(counts)
    )
    return true, predicted


COUNTS = np.array([[20, 5, 1], [4, 30, 6], [0, 3, 11]])


def test_estimates_are_the_measures():
    true, predicted = sample(COUNTS)
    table = prediction_inference(true, predicted, random_state=0)["estimate"]
    assert table["accuracy"] == pytest.approx(accuracy_score(true, predicted))
    assert table["mean_absolute_error"] == pytest.approx(
        mean_absolute_error(true, predicted)
    )
    assert table["off_by_one_accuracy"] == pytest.approx(79 / 80)
    assert table["minimum_sensitivity"] == pytest.approx(30 / 40)
    assert table["macro_mean_absolute_error"] == pytest.approx(
        (7 / 26 + 10 / 40 + 3 / 14) / 3
    )
    kappa = cohen_kappa_score(true, predicted, weights="linear")
    assert table["weighted_kappa"] == pytest.approx(kappa)


@pytest.mark.parametrize("right", [0, 1, 37, 50])
def test_of_two_classes_the_interval_of_a_sensitivity_is_that_of_jeffreys(right):
    # The other class is always predicted wrongly or rightly, by so many that it has no say.
    true, predicted = sample([[right, 50 - right], [0, 10**6]])
    table = prediction_inference(true, predicted, confidence_level=0.9, random_state=0)
    expected = beta(right + 0.5, 50 - right + 0.5).ppf([0.05, 0.95])
    if right in (0, 50):  # an end of the range is in the interval, as there
        expected[int(right > 0)] = right / 50
    found = table.loc["minimum_sensitivity", ["lower", "upper"]].to_numpy(float)
    assert found == pytest.approx(expected, abs=5e-3)


@pytest.mark.slow
def test_intervals_cover():
    rng = np.random.default_rng(0)
    rows = np.array([[0.7, 0.2, 0.1], [0.15, 0.7, 0.15], [0.02, 0.18, 0.8]])
    sizes = np.array([60, 40, 20])
    shares = sizes / sizes.sum()
    distance = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    truth = {
        "accuracy": shares @ np.diag(rows),
        "mean_absolute_error": shares @ (rows * distance).sum(axis=1),
        "macro_mean_absolute_error": (rows * distance).sum() / 3,
    }
    repetitions = 400
    covered = dict.fromkeys(truth, 0)
    for _ in range(repetitions):
        counts = [
            rng.multinomial(size, row) for size, row in zip(sizes, rows, strict=True)
        ]
        table = prediction_inference(*sample(counts), random_state=rng)
        for name, value in truth.items():
            covered[name] += table.loc[name, "lower"] <= value <= table.loc[name, "upper"]
    for name, count in covered.items():  # five standard errors of 0.011, and few draws
        assert count / repetitions >= 0.86, name
    assert sum(covered.values()) < 3 * 0.985 * repetitions


def test_text_labels_and_a_class_without_samples():
    true = ["low"] * 20 + ["mid"] * 20
    predicted = ["low"] * 18 + ["high"] * 2 + ["mid"] * 20
    table = prediction_inference(
        true, predicted, labels=["low", "mid", "high"], random_state=0
    )
    assert table.loc["mean_absolute_error", "estimate"] == pytest.approx(4 / 40)
    assert table.loc["macro_mean_absolute_error", "estimate"] == pytest.approx(4 / 20 / 2)
    assert np.isfinite(table.to_numpy()).all()
