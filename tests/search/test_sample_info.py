"""Weights, groups and times of samples, and subsamples of large tables."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from moselect import ParetoSearch, cost_matrix, expected_cost
from moselect.cli.results import record_of_selection
from moselect.costs import Costs
from moselect.export.summary import summarise
from moselect.preprocessing import Preparation
from moselect.report.figures import baseline_bars
from moselect.report.headline import headline
from moselect.samples.samples import Samples
from tests.any_tables import ordinal_table
from tests.selection.decisions import decide

SMALL = {"n_particles": 50, "n_iterations": 1, "random_state": 0}
COSTS = [1, 1, 5]
SHOWN = ["cost", "std_error"]


@pytest.mark.slow
def test_sampling_weights_remove_the_selection_bias(rng):
    """Inverse sampling rates as weights estimate the costs in the population."""
    X, y = ordinal_table(12_000, seed=2)
    share = np.where(X[:, 0] > 0.0, 0.2, 0.9)
    sampled = np.flatnonzero(rng.uniform(size=len(y)) < share)[:3_000]
    new_X, new_y = ordinal_table(100_000, seed=3)
    samples = Samples.from_table(X[sampled], y[sampled])

    costs = [5, 1, 1]

    def z(samples):
        model = decide(samples).select(Costs(costs), model="proportional odds")
        costs_by_class = cost_matrix(costs)[new_y]
        true = {
            "always one class": costs_by_class.mean(axis=0).min(),
            "proportional odds": expected_cost(new_y, model.predict(new_X), costs),
        }
        shown = model.evidence.candidates.loc[list(true), SHOWN]
        return (shown["cost"] - pd.Series(true)) / shown["std_error"]

    assert (z(samples.with_sample_info(1.0 / share[sampled])).abs() < 3.0).all()
    assert abs(z(samples)["always one class"]) > 5.0


@pytest.mark.slow
def test_a_subsample_with_a_rare_class_gives_unbiased_estimates(rng):
    def table(n):
        X = rng.normal(size=(n, 3))
        return X, X[:, 0] + X[:, 1] / 2.0 + rng.logistic(size=n)

    new_X, latent = table(200_000)
    thresholds = np.quantile(latent, [0.97, 0.98, 0.99])
    X, of_table = table(20_000)
    front = ParetoSearch(cv=2, **SMALL).fit(X, np.digitize(of_table, thresholds)).front_
    at = front.best("accuracy")
    true = (front[at].predict(new_X) == np.digitize(latent, thresholds)).mean()
    shown = front.expected["accuracy"].iloc[at]
    assert abs(shown - true) < 3.0 * front.expected_se["accuracy"].iloc[at] < 0.01


@pytest.mark.slow
def test_standard_errors_are_clustered_by_group(rng):
    X, y = ordinal_table(100)
    ten = np.repeat(np.arange(100), 10)
    X10 = X[ten] + 1e-9 * rng.normal(size=(1_000, 3))  # no duplicates
    alone = ParetoSearch(cv=3, **SMALL).fit(X, y)
    grouped_search = ParetoSearch(cv=3, **SMALL).fit(X10, y[ten], groups=ten)
    mixed = rng.permutation(1_000)  # in no order of the file
    with pytest.warns(UserWarning, match="MS108: 100% of rows have a near copy"):
        divided = ParetoSearch(cv=3, **SMALL).fit(X10[mixed], y[ten[mixed]])
    error, of_groups, of_rows = (
        each.select(COSTS, model="proportional odds")
        .evidence.candidates["std_error"]
        .loc[["proportional odds", "always one class"]]
        for each in (alone, grouped_search, divided)
    )
    # One more mistake, at the cost of 10, is one on a row, not on a group of rows.
    adjusted, adjusted_by_groups = (
        np.sqrt(each**2 - (10.0 / n) ** 2)
        for each, n in ((error, 100), (of_groups, 1_000))
    )
    assert_allclose(adjusted_by_groups, adjusted, rtol=0.2)
    assert (of_rows < 0.5 * error).all()
    of_groups = grouped_search.front_.expected_se
    of_rows = divided.front_.expected_se
    assert (of_groups > 2.0 * of_rows).all(axis=None)


def test_folds_and_holdout_are_later_in_time():
    X, y = ordinal_table(300)
    times = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(300)[::-1], unit="D")
    search = ParetoSearch(cv=3, **SMALL).fit(X, y, times=times)
    assert_array_equal(np.sort(search.holdout_rows_), np.arange(90))
    selector = search.selector_
    for train, test in selector.folds:
        assert selector.samples.times[train].max() < selector.samples.times[test].min()
    evidence = search.select(COSTS, model="proportional odds").evidence
    assert len(evidence.true) < 210
    basis = headline(evidence)[-2]
    assert f"{len(evidence.true)} cases, each by a model of earlier ones" in basis


@pytest.mark.parametrize("fades", [True, False])
def test_gradual_drift_shows_on_the_last_fold(fades):
    rng = np.random.default_rng(6)
    n = 1_000
    X = rng.normal(size=(1_200, 2))
    when = np.arange(1_200)
    signal = 3.0 * (1.0 - fades * when / 1_200) * X.sum(axis=1)
    y = np.digitize(signal + 0.7 * rng.logistic(size=1_200), [-1.0, 1.0])
    samples = Samples(X[:n], y[:n], np.arange(3)).with_sample_info(times=when[:n])
    model = decide(samples).select(Costs([1, 1, 1]), "proportional odds")
    mean, error = model.evidence.candidates.loc["proportional odds", SHOWN]
    next_rows = np.abs(model.predict(X[n:]) - y[n:]).mean()
    assert (abs(next_rows - mean) > 4.0 * error) == fades
    evidence = model.evidence
    assert abs(next_rows - evidence.expected) < 4.0 * evidence.expected_se


def test_steady_drift_makes_the_latest_rows_the_headline_and_the_reference(rng):
    n = 500
    X = rng.normal(size=(n, 3))
    level = 3.0 * np.arange(n) / n
    y = np.digitize(X[:, 0] + level + 0.6 * rng.logistic(size=n), [-1.0, 1.0])
    search = ParetoSearch(cv=None, **SMALL).fit(X, y, times=np.arange(n))
    model = search.select(class_costs=[1, 1, 1], model="proportional odds")
    evidence = model.evidence
    rows = search.holdout_rows_
    cost = np.abs(model.predict(X[rows]) - y[rows]).mean()
    assert evidence.expected == pytest.approx(cost)
    assert model.reference.cost == pytest.approx(cost)
    assert model.reference.n_rows == 150
    first = headline(evidence)[0].split("(")[1]
    assert float(first.split()[0]) == pytest.approx(cost, abs=0.005)
    assert "on the latest 150 cases" in first
    assert baseline_bars(evidence)[0].value == pytest.approx(cost)
    # Their cost is not that of the other rows in the sum over all tested ones.
    cost_of_tested = evidence.candidates.at["proportional odds", "cost"]
    assert evidence.sum == pytest.approx(len(evidence.samples) * cost_of_tested)
    assert "rows resemble those before them" in evidence.notes[0]
    assert record_of_selection(model, {})["notes"] == evidence.notes


@pytest.mark.parametrize(
    ("key", "prepare", "candidate"),
    [
        pytest.param("id", True, "scorecard", marks=pytest.mark.slow),
        ("name", Preparation(drop=["name"]), "additive"),
    ],
)
def test_duplicates_with_unique_keys_are_in_one_fold(key, prepare, candidate, rng):
    """On noise nothing beats always one class, unless folds divide duplicates."""
    once = pd.DataFrame(rng.normal(size=(50, 4)))
    X = pd.concat([once] * 3, ignore_index=True).add_prefix("x")
    X[key] = [f"r{i}" for i in range(150)]
    y = np.arange(150) % 50 % 2
    with pytest.warns(UserWarning, match="100 of 150 rows count as duplicates"):
        search = ParetoSearch(prepare=prepare, cv=2, **SMALL).fit(X, y)
    shown = search.select([1, 1], model=candidate).evidence.candidates["cost"]
    assert (
        shown[candidate] > 0.95 * shown["always one class"]
    )  # 0.87 if folds divide them


def test_few_groups_of_a_rare_class_give_finite_estimates():
    """Fish in eight tanks: no fish of one class in some folds."""
    # Four tanks of either diet.
    ranks = ["NM", "NSS", "MM", "SSS", "NNN", "SNN", "SNN", "NMN"]
    tanks = np.repeat(np.arange(8), [len(tank) for tank in ranks])
    y = pd.Categorical([*"".join(ranks)], ["N", "M", "S"], ordered=True)
    X = pd.DataFrame({"diet": np.where(tanks < 4, "FM", "IM")})
    with pytest.warns(UserWarning, match="class M has 3 groups"):
        search = ParetoSearch(**SMALL).fit(X, y, groups=tanks)
    assert search.front_.expected["accuracy"].between(0.0, 1.0).all()


def test_three_years_leave_one_fold_whose_sets_are_not_measured():
    X, y = ordinal_table(180)
    years = np.repeat([2007, 2008, 2009], 60)
    search = ParetoSearch(cv=None, **SMALL).fit(X, y, times=years)
    assert_array_equal(np.sort(search.holdout_rows_), np.arange(120, 180))
    model = search.select(class_costs=COSTS, model="proportional odds")
    assert set(model.evidence.splits.folds) == {0}
    with pytest.raises(ValueError, match="there is one only"):
        model.evidence.sets(0.9)
    card = summarise(model, predicts="level")
    titles = [section.title for section in card.sections + card.details]
    assert "How sure of a single case" not in titles


@pytest.mark.slow
@pytest.mark.parametrize("late", [0, 2, 3])
def test_classes_that_occur_late_exclude_no_candidate(late, rng):
    n = 240
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["a", "b"])
    codes = np.digitize(X["a"] + 0.5 * rng.logistic(size=n), [-1.0, 0.0, 1.0])
    # The first fold is trained on the first sixth of the earlier rows.
    codes[:60] = np.where(codes[:60] == late, 1, codes[:60])
    search = ParetoSearch(cv=None, **SMALL).fit(X, codes, times=np.arange(n))
    evidence = search.select(class_costs=[1, 2, 3, 4]).evidence
    assert evidence.excluded == {}
    assert evidence.notes[0].startswith(f"class {late} occurs late")
    # Rows of the class are mistakes of the first fold, which does not know it.
    linear = evidence.evaluations["linear"].out_of_fold.codes
    tested = evidence.samples.rows < 60
    assert late not in linear[tested]
