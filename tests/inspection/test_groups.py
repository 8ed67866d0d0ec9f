"""Figures and limits by group, and the coverage of intervals of differences."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from moselect.costs import Costs
from moselect.inspection.group_members import group_labels, limits_in_groups
from moselect.inspection.groups import (
    differences_by_column,
    group_estimates,
    largest_difference,
)
from moselect.report.headline import group_sentences
from moselect.samples import Samples
from moselect.tables.features import ColumnContent
from tests.selection.decisions import decide, draw_groups
from tests.without_features import samples_of

COSTS = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [6.0, 3.0, 0.0]])
CLASSES = np.arange(3)


def draw(n, rng, errors=(0.2, 0.4)):
    """Draw classes, predictions that are often wrong in some groups, and the groups."""
    group = rng.integers(0, len(errors), n)
    codes = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    is_wrong = rng.random(n) < np.array(errors)[group]
    return codes, np.where(is_wrong, rng.integers(0, 3, n), codes), group


def test_figures_are_computed_within_each_group(rng):
    codes, predicted, group = draw(400, rng)
    weights = rng.random(400) + 0.5
    samples = samples_of(codes, weights=weights)
    found = group_estimates(pd.Series(group, name="g"), samples, predicted, COSTS)
    table = found.table
    assert table["rows"].tolist() == np.bincount(group).tolist()
    for k, row in enumerate(table.to_dict("records")):
        y, c, w = (each[group == k] for each in (codes, predicted, weights))
        expected = {
            "cost": np.average(COSTS[y, c], weights=w),
            "accuracy": np.average(y == c, weights=w),
            "mean_error": np.average(c - y, weights=w),
        }
        for label in (1, 2):
            above = y >= label
            missed = np.average(c[above] < label, weights=w[above])
            alarms = np.average(c[~above] >= label, weights=w[~above])
            expected |= {
                f"miss_rate {label}": missed,
                f"false_alarm_rate {label}": alarms,
            }
        assert {name: row[name] for name in expected} == pytest.approx(expected)
    low, high = found.differences.loc["cost", ["lowest", "highest"]]
    assert [low, high] == table["cost"].sort_values().index.tolist()
    assert found.overall["cost"] == pytest.approx(
        np.average(COSTS[codes, predicted], weights=weights)
    )


def test_dropped_columns_and_parts_of_cells_are_not_compared():
    samples = samples_of(np.arange(400) % 3)
    schema = {
        "used": ColumnContent("levels"),
        "left": ColumnContent("levels", excluded="dropped"),
        "year (1 of 2)": ColumnContent(),
    }
    samples = replace(samples, schema=schema, rows=np.arange(400))
    table = pd.DataFrame({name: [*"ab" * 200] for name in [*schema, "asked"]})
    table["year (1 of 2)"] = np.arange(400) % 2
    found = differences_by_column(table, samples, samples.codes, COSTS)
    assert {*found.index} == {"used", "asked"}


def test_numeric_bands_ascend_with_missing_values_last():
    codes = np.arange(400) % 3
    values = pd.Series([*np.linspace(-3.0, 200.0, 360), *[None] * 40], name="age")
    found = group_estimates(values, samples_of(codes), codes)
    *starts, last = found.table.index.str.split(" to ").str[0]
    assert starts == sorted(starts, key=float) != sorted(starts)
    assert last == "missing"


@pytest.mark.slow
def test_errors_and_the_largest_difference_cover(rng):
    errors = (0.1, 0.25, 0.25, 0.4)
    codes, predicted, group = draw(400_000, rng, errors)
    true_costs = pd.Series(COSTS[codes, predicted]).groupby(group).mean().to_numpy()
    z = []
    covered = []
    for _ in range(60):
        codes, predicted, group = draw(600, rng, errors)
        found = group_estimates(pd.Series(group), samples_of(codes), predicted, COSTS)
        z.append((found.table["cost"] - true_costs) / found.table["std_error"])
        low, high = found.differences.loc["cost", ["low", "high"]]
        covered.append(low <= np.ptp(true_costs) <= high)
    # Standardised errors have a standard deviation of about 1.
    assert np.std(z) < 1.2
    assert np.mean(covered) >= 0.92
    # The upper end is the largest upper bound over all pairs of groups.
    codes, predicted, _ = draw(20_000, rng)
    group = pd.Series(np.arange(20_000) % 4)
    found = group_estimates(group, samples_of(codes), predicted, COSTS)
    mean, error = found.table[["cost", "std_error"]].to_numpy().T
    half_width = 1.96 * np.hypot.outer(error, error)
    highest = (np.subtract.outer(mean, mean) + half_width).max()
    assert found.differences["high"]["cost"] == pytest.approx(highest, rel=0.02)


@pytest.mark.checks(
    "Comparisons and corrections",
    "repeated draws of groups without a difference",
)
@pytest.mark.slow
def test_small_groups_that_do_not_differ_are_seldom_found_to_differ(rng):
    """Of 30 tables at most 4 (.05 + 2.1 standard errors), in shares with few mistakes, too."""
    found = []
    for _ in range(30):
        codes, predicted, _ = draw(280, rng, (0.5,))
        group = pd.Series(np.repeat([*"abcdefgh"], 35))
        each = group_estimates(group, samples_of(codes), predicted, COSTS)
        found.append(each.differences["low"] > 0.0)
    assert pd.concat(found, axis=1).sum(axis=1).max() <= 4


def test_figures_of_few_rows_stay_possible():
    codes = np.array([0] * 30 + [1] * 30 + [2])
    predicted = np.where(np.arange(61) % 3 == 0, 0, codes)
    group = pd.Series([*"n" * 30, *"s" * 30, "isle"])
    found = group_estimates(group, samples_of(codes), predicted, COSTS)
    assert (found.table.filter(regex="accuracy|_rate").max() <= 1.0).all()
    assert found.table.loc["isle", "accuracy std_error"] <= 0.5
    shares = found.differences.drop(index=["cost", "mean_error"])
    assert (shares["high"] <= 1.0).all()
    assert found.differences.loc["cost", "high"] <= COSTS.max()


@pytest.mark.checks("Groups", "one cluster that has a third of the rows")
def test_standard_errors_hold_if_one_cluster_is_large(rng):
    z = []
    for _ in range(200):
        clusters = np.where(rng.random(300) < 0.33, 0, rng.integers(1, 25, 300))
        rates = rng.beta(2.0, 2.0, 25)[clusters]
        is_wrong = rng.random(300) < rates
        codes = rng.integers(0, 2, 300)
        group = pd.Series(rng.random(300) < 0.3)
        samples = samples_of(codes, groups=clusters)
        table = group_estimates(group, samples, codes ^ is_wrong, COSTS[:2, :2]).table
        z.extend((table["cost"] - 0.5) / table["std_error"])
    assert np.std(z) < 1.25
    assert np.mean(np.abs(z) < 1.96) > 0.92


def test_groups_are_text_bands_and_small_ones_merged():
    assert set(group_labels(pd.Series([True] * 40 + [False] * 40))) == {"True", "False"}
    years = group_labels(pd.Series([*range(20, 80), np.nan] * 3))
    assert years.value_counts().tolist() == [45] * 4 + [3]
    assert years[60] == "missing"
    # Eight rows are too few for a limit of their own.
    sexes = pd.Series([*"m" * 50, *"f" * 40, *"x" * 8], name="sex")
    limits = limits_in_groups(
        {"2<1 by sex": 0.2}, CLASSES, np.ones(3), 0.9, sexes.to_frame()
    )
    assert {(limit.column, limit.group): limit.members.sum() for limit in limits} == {
        ("sex", "m"): 50,
        ("sex", "others (2 groups)"): 48,
    }


def test_limits_hold_in_each_group():
    X, y, by = draw_groups(1_500, 3)
    decision = decide(Samples(X, y - 1, np.arange(1, 4)))
    costs = Costs([1, 1, 2])
    limits = {"3<2 by g": 0.06}
    evidence = decision.select(costs, "proportional odds", limits, by=by).evidence
    table = evidence.by("g")
    assert table.index.tolist() == ["North", "south"]
    worst = evidence.group_differences.loc["g"]  # the only column with few levels
    assert worst["difference"] == np.ptp(table["cost"])
    assert (worst["highest"], worst["low"] > 0.0) == ("North", True)
    assert "g = North" in group_sentences(evidence)[0]
    predicted = evidence.predicted["proportional odds"].to_numpy()
    for limit, name in zip(evidence.limits, table.index, strict=True):
        assert (limit.words, limit.met) == (f"3<2 by g: {name}", True)
        missed = predicted[(by["g"].to_numpy() == name) & (y == 3)] < 2
        # A row next to the threshold of its group counts as one mistake.
        shares = [(missed.sum() + more) / (len(missed) + more) for more in (0, 1)]
        assert any(limit.share == pytest.approx(share) for share in shares)
    with pytest.raises(ValueError, match="by has 10 rows"):
        evidence.by(by["g"][:10])
    with pytest.raises(ValueError, match="needs column 'age'"):
        decision.select(costs, "additive", {"3<2 by age": 0.1})
    with pytest.raises(ValueError, match="cut the numbers of 'a' into groups"):
        decision.select(costs, "additive", {"3<2 by a": 0.1})


def test_a_negative_estimate_of_the_variance_of_a_difference_is_no_warning():
    covariance = np.array([[1.0, 1.1, 0.0], [1.1, 1.0, 0.0], [0.0, 0.0, 1.0]])
    found = largest_difference(np.array([0.0, 0.5, 9.0]), covariance, 0.95)
    assert found[:3] == (0, 2, 9.0)
    assert 0.0 < found[3] < 9.0 < found[4]
