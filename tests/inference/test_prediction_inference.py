import numpy as np
import pytest
from scipy.stats import beta
from sklearn.metrics import accuracy_score, cohen_kappa_score, mean_absolute_error

from experiments.coverage.predicted_classes import coverage, law_of
from moselect.inference import prediction_inference


def labels_of(counts):
    counts = np.asarray(counts, dtype=int)
    true, predicted = np.divmod(
        np.repeat(np.arange(counts.size), counts.ravel()), len(counts)
    )
    return true, predicted


COUNTS = np.array([[20, 5, 1], [4, 30, 6], [0, 3, 11]])


def test_estimates_equal_the_measures():
    true, predicted = labels_of(COUNTS)
    expected = {
        "accuracy": accuracy_score(true, predicted),
        "mean_absolute_error": mean_absolute_error(true, predicted),
        "off_by_one_accuracy": 79 / 80,
        "minimum_sensitivity": 30 / 40,
        "macro_mean_absolute_error": (7 / 26 + 10 / 40 + 3 / 14) / 3,
        "linear_kappa": cohen_kappa_score(true, predicted, weights="linear"),
    }
    found = prediction_inference(true, predicted).loc[[*expected], "estimate"]
    assert found.to_dict() == pytest.approx(expected)


@pytest.mark.checks(
    "Standard errors and intervals",
    "scipy's beta distribution (Jeffreys)",
)
@pytest.mark.parametrize("n_correct", [0, 1, 37, 50])
def test_interval_of_a_sensitivity_is_that_of_jeffreys(n_correct):
    # The other class has so many samples that it has no influence.
    true, predicted = labels_of([[n_correct, 50 - n_correct], [0, 10**6]])
    table = prediction_inference(true, predicted, confidence_level=0.9)
    expected = beta(n_correct + 0.5, 50 - n_correct + 0.5).ppf([0.05, 0.95])
    if n_correct in (0, 50):  # the interval includes 0 or 1 at the end of the range
        expected[int(n_correct > 0)] = n_correct / 50
    found = table.loc["minimum_sensitivity", ["lower", "upper"]].to_numpy(float)
    assert found == pytest.approx(expected, abs=5e-3)


def test_an_accuracy_is_a_share_of_random_rows():
    # The top class is never predicted: 50 of 200 rows are wrong.
    counts = np.diag([50, 52, 48, 0])
    counts[3, 2] = 50
    table = prediction_inference(*labels_of(counts))
    ends = beta(150.5, 50.5).ppf([0.025, 0.975])
    for name, expected in (("accuracy", ends), ("mean_absolute_error", 1 - ends[::-1])):
        found = table.loc[name, ["lower", "upper"]].to_numpy(float)
        # A further error may be farther than one class.
        assert found == pytest.approx(expected, abs=1e-3)


def test_a_confusion_matrix_with_weights_is_a_table_of_counts():
    cells = np.divmod(np.arange(9), 3)
    with pytest.warns(UserWarning, match="are counts: 9 rows count as 80"):
        found = prediction_inference(*cells, sample_weight=COUNTS.ravel())
    expected = prediction_inference(*labels_of(COUNTS))
    assert found.to_numpy() == pytest.approx(expected.to_numpy())


@pytest.mark.checks("Standard errors and intervals", "repeated draws of a known law")
@pytest.mark.parametrize(
    ("sizes", "accuracy", "farther"),
    [
        ((20,) * 5, 0.8, 0.0),
        pytest.param((30,) * 10, 0.9, 0.5, marks=pytest.mark.slow),
    ],
)
def test_intervals_cover_the_expected_measures(sizes, accuracy, farther, rng):
    found = coverage(np.array(sizes), law_of(len(sizes), accuracy, farther), 150, rng)
    assert (found >= 0.896).all(), found  # three standard errors of .018 below .95
    assert (found.drop("minimum_sensitivity") <= 0.99).all(), found
