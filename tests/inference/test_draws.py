"""Weights and groups in inference, against repetition, brute force and statsmodels."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, logit
from scipy.stats import beta, t
from statsmodels.regression.linear_model import WLS

from moselect.inference import prediction_inference, ranking_inference
from moselect.metrics import u_ovo_score, vus_score

MEASURES = ("vus", "u_cons", "u_ovo", "u_pairs")


def make_sample(n=120, seed=0, size_of_group=4):
    """Return classes, scores of two models, predictions, real weights, and mixed groups."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3)
    group = rng.permutation(np.arange(n) // size_of_group)
    score = y + 0.7 * rng.normal(size=n)[group] + 0.5 * rng.normal(size=n)
    scores = np.round(np.column_stack([score, score + rng.normal(size=n)]), 1)
    predicted = np.clip(np.rint(score), 0, 2).astype(int)
    return y, scores, predicted, rng.exponential(size=n), group


@pytest.mark.checks(
    "Standard errors and intervals",
    "rows repeated as often as they count",
)
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("measure", MEASURES)
def test_integer_weights_equal_repeated_rows(measure, grouped, rng):
    y, scores, predicted, _, group = make_sample()
    counts = rng.integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), counts)
    counted = {
        "sample_weight": counts,
        "weight_type": "counts",
        "groups": group if grouped else None,
    }
    repeated = {"groups": group[rows] if grouped else None}
    found = ranking_inference(y, scores, measure, **counted)
    expected = ranking_inference(y[rows], scores[rows], measure, **repeated)
    if grouped:
        assert_allclose(found.covariance, expected.covariance, rtol=1e-12)
        assert_allclose(found.estimates, expected.estimates, rtol=1e-14)
    else:
        for name in ("estimates", "covariance", "confidence_intervals", "p_values"):
            assert_array_equal(getattr(found, name), getattr(expected, name))
        assert found.method == expected.method
    costs = [[0, 1, 3], [1, 0, 1], [9, 2, 0]]
    found = prediction_inference(y, predicted, cost_matrix=costs, **counted)
    expected = prediction_inference(
        y[rows], predicted[rows], cost_matrix=costs, **repeated
    )
    # The order in which groups are drawn depends on their first rows, also with weight 0.
    pd.testing.assert_frame_equal(found, expected, rtol=0.03 if grouped else 0.0)


@pytest.mark.checks("Standard errors and intervals", "the jackknife over rows and groups")
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(
    ("measure", "score"), [("vus", vus_score), ("u_ovo", u_ovo_score)]
)
def test_the_covariance_is_the_jackknife_of_influences(measure, score, grouped):
    """Influences are derivatives by the weight of a sample (infinitesimal jackknife)."""
    y, scores, _, weights, group = make_sample(60, seed=3)
    group = group if grouped else np.arange(60)
    # Central differences by the weight of each sample.
    step = 1e-6
    changes = [
        score(y, scores, sample_weight=weights + change)
        - score(y, scores, sample_weight=weights - change)
        for change in np.diag(step * weights)
    ]
    influences = np.array(changes) / (2 * step)
    for k in range(3):
        masses = np.bincount(group[y == k], weights[y == k])
        # Small-sample correction by the effective number of groups.
        effective = masses.sum() ** 2 / (masses**2).sum()
        influences[y == k] *= np.sqrt(effective / (effective - 1))
    of_group = pd.DataFrame(influences).groupby(group).sum().to_numpy()
    found = ranking_inference(y, scores, measure, sample_weight=weights, groups=group)
    assert found.method == "delong"
    assert_allclose(found.covariance, of_group.T @ of_group, rtol=1e-6)


@pytest.mark.checks("Standard errors and intervals", "statsmodels' cluster-robust errors")
@pytest.mark.parametrize("sampling", ["weights", "groups", "both"])
def test_interval_widths_match_clustered_regressions_of_statsmodels(sampling):
    n = 3_000
    y, _, predicted, weights, group = make_sample(n, seed=7)
    weights = weights if sampling != "groups" else np.ones(n)
    group = group if sampling != "weights" else np.arange(n)
    losses = {
        "accuracy": predicted == y,
        "mean_absolute_error": np.abs(predicted - y),
        "off_by_one_accuracy": np.abs(predicted - y) <= 1,
    }
    options = {"sample_weight": weights, "groups": group}
    table = prediction_inference(y, predicted, **options)
    for name, loss in losses.items():
        fit = WLS(loss.astype(float), np.ones(n), weights=weights)
        error = fit.fit(cov_type="cluster", cov_kwds={"groups": group}).bse[0]
        width = table.loc[name, "upper"] - table.loc[name, "lower"]
        assert table.loc[name, "estimate"] == pytest.approx(
            np.average(loss, weights=weights)
        )
        assert width == pytest.approx(2 * 1.96 * error, rel=0.08), name


def test_intervals_of_perfect_predictions_count_groups():
    # The other class has so many groups that it has no influence.
    y = np.repeat([0, 1], [200, 40_000])
    table = prediction_inference(y, y, groups=np.arange(len(y)) // 10)
    lower = beta(20.5, 0.5).ppf(0.025)
    assert table.loc["minimum_sensitivity", "lower"] == pytest.approx(lower, abs=0.01)
    assert table.loc["minimum_sensitivity", "upper"] == 1.0


def test_intervals_of_six_groups_have_quantiles_of_student():
    y, scores, _, _, group = make_sample(size_of_group=20)
    found = ranking_inference(y, scores, groups=group)
    slope = found.estimates * (1.0 - found.estimates)  # derivative of the logit
    half = t.ppf(0.975, 5) * found.standard_errors / slope
    limits = expit(logit(found.estimates) + np.array([-half, half]))
    assert_allclose(found.confidence_intervals.T, limits)


def test_intervals_of_perfect_rankings_count_groups():
    y = np.repeat([0, 1], 50)
    group = np.arange(100) // 10
    lower, upper = ranking_inference(y, y, groups=group).confidence_intervals[0]
    assert (lower, upper) == (pytest.approx(0.025 ** (1 / 5)), 1.0)


Y = [1, 1, 1, 2, 2, 2]
PAIRS = [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"method": "exact", "groups": PAIRS},
            "is for vus without real weights or groups",
        ),
        ({"groups": [1, 1, 1, 2, 2, 3]}, "two groups of every class: class 1 has one"),
    ],
)
def test_methods_and_groups_that_do_not_fit_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        ranking_inference(Y, [1, 3, 2, 4, 2.5, 6], **options)
