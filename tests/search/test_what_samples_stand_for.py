"""Weights, groups and times of samples, and parts of large tables, from search to model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import TimeSeriesSplit

from moselect import ParetoSearch, cost_matrix
from moselect.metrics import Costs
from moselect.preprocessing import Preparation
from moselect.samples.samples import Samples
from moselect.selection import Decision
from moselect.selection.candidates import CandidateFactory

SMALL = {"n_particles": 50, "n_iterations": 1, "random_state": 0}
COSTS = [1, 1, 5]
SHOWN = ["cost", "std_error"]


def draw(n=240, seed=0, p=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    latent = X[:, 0] + 0.5 * X[:, 1] + rng.logistic(size=n)
    return X, np.digitize(latent, [0.3, 1.8])


def rules(search, kind="proportional odds"):
    return search.select(COSTS, model=kind).evidence.candidates


def test_weights_undo_the_choice_of_rows():
    """Rows of high scores were asked one time in five: weights say what holds for all."""
    rng = np.random.default_rng(0)
    X, y = draw(12_000, seed=2)
    share = np.where(X[:, 0] > 0.0, 0.2, 0.9)
    asked = np.flatnonzero(rng.uniform(size=len(y)) < share)[:3_000]
    new_X, new_y = draw(100_000, seed=3)
    samples = Samples.from_table(X[asked], y[asked])

    costs = [5, 1, 1]

    def z(samples):
        decision = Decision(samples, CandidateFactory(samples.schema, random_state=0))
        model = decision.select(Costs(costs), model="proportional odds")
        paid = cost_matrix(costs)[new_y]
        own = paid[np.arange(len(new_y)), model.predict(new_X)].mean()
        true = {"always one class": paid.mean(axis=0).min(), "proportional odds": own}
        shown = model.evidence.candidates.loc[list(true), SHOWN]
        return (shown["cost"] - pd.Series(true)) / shown["std_error"]

    assert (z(samples.with_sample_info(1.0 / share[asked])).abs() < 3.0).all()
    assert abs(z(samples)["always one class"]) > 5.0


def test_a_part_of_a_table_with_a_rare_class_stands_for_the_whole():
    rng = np.random.default_rng(0)

    def table(n):
        X = rng.normal(size=(n, 3))
        return X, X[:, 0] + X[:, 1] / 2.0 + rng.logistic(size=n)

    new_X, latent = table(200_000)
    cuts = np.quantile(latent, [0.97, 0.98, 0.99])
    X, of_table = table(20_000)
    front = ParetoSearch(cv=2, **SMALL).fit(X, np.digitize(of_table, cuts)).front_
    at = front.best("accuracy")
    true = (front[at].predict(new_X) == np.digitize(latent, cuts)).mean()
    shown, error = (
        front.expected["accuracy"].iloc[at],
        front.expected_se["accuracy"].iloc[at],
    )
    assert abs(shown - true) < 3.0 * error < 0.01


@pytest.mark.slow
def test_no_fold_divides_a_group_and_errors_are_those_of_groups():
    X, y = draw(100)
    ten = np.repeat(np.arange(100), 10)
    X10 = X[ten] + 1e-9 * np.random.default_rng(0).normal(size=(1_000, 3))  # no copies
    alone = ParetoSearch(cv=3, **SMALL).fit(X, y)
    grouped = ParetoSearch(cv=3, holdout=0.3, **SMALL).fit(X10, y[ten], groups=ten)
    held_out = set(ten[grouped.holdout_rows_])
    assert len(held_out) == 30
    selector = grouped.selector_
    for train, test in selector.folds:
        assert not set(selector.samples.groups[train]) & set(
            selector.samples.groups[test]
        )
    whole = ParetoSearch(cv=3, **SMALL).fit(X10, y[ten], groups=ten)
    divided = ParetoSearch(cv=3, **SMALL).fit(X10, y[ten])
    for kind in ("proportional odds", "always one class"):
        error, of_groups, of_rows = (
            rules(each).loc[kind, "std_error"] for each in (alone, whole, divided)
        )
        # One more mistake, at the cost of 10, is one on a row, not on a group of rows.
        seen, seen_by_groups = (
            np.sqrt(each**2 - (10.0 / n) ** 2)
            for each, n in ((error, 100), (of_groups, 1_000))
        )
        assert seen_by_groups == pytest.approx(seen, rel=0.2)
        assert of_rows < 0.5 * error
    of_groups, of_rows = whole.front_.expected_se, divided.front_.expected_se
    assert (of_groups > 2.0 * of_rows).all(axis=None)


def test_evidence_is_for_later_rows_and_the_last_are_held_out():
    X, y = draw(300)
    times = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(300)[::-1], unit="D")
    search = ParetoSearch(cv=3, **SMALL).fit(X, y, times=times)
    np.testing.assert_array_equal(np.sort(search.holdout_rows_), np.arange(90))
    selector = search.selector_
    for train, test in selector.folds:
        assert selector.samples.times[train].max() < selector.samples.times[test].min()
    evidence = search.select(COSTS, model="additive").evidence
    assert len(evidence.true) < 210
    assert evidence.shuffled is None
    assert not evidence.latest.differs
    np.testing.assert_array_equal(evidence.true, y[evidence.predicted.index])


def test_where_rows_change_with_time_both_figures_are_shown():
    X, y = draw(600, seed=4)
    X[:, 0] *= np.where(np.arange(600) < 200, 1.0, -1.0)
    search = ParetoSearch(cv=2, holdout=0.1, **SMALL).fit(X, y, times=np.arange(600))
    evidence = search.select(COSTS, model="proportional odds").evidence
    shown, error = evidence.candidates.loc["proportional odds", SHOWN]
    shuffled, shuffled_error = evidence.shuffled
    assert shown - shuffled > 2.0 * np.hypot(error, shuffled_error)


@pytest.mark.parametrize("fades", [True, False])
def test_steady_drift_shows_on_the_last_fold(fades):
    rng, n, costs = np.random.default_rng(6), 1_000, cost_matrix([1, 1, 1])
    X, when = rng.normal(size=(1_200, 2)), np.arange(1_200)
    signal = 3.0 * (1.0 - fades * when / 1_200) * X.sum(axis=1)
    y = np.digitize(signal + 0.7 * rng.logistic(size=1_200), [-1.0, 1.0])
    samples = Samples(X[:n], y[:n], np.arange(3)).with_sample_info(times=when[:n])
    decision = Decision(samples, CandidateFactory(random_state=0, n_jobs=1))
    model = decision.select(Costs([1, 1, 1]), "proportional odds")
    mean, error = model.evidence.candidates.loc["proportional odds", SHOWN]
    next_rows = costs[y[n:], model.predict(X[n:])].mean()
    value, its_error, differs = model.evidence.latest
    assert differs == fades
    assert (abs(next_rows - mean) > 4.0 * error) == fades
    assert abs(next_rows - value) < 4.0 * its_error


def test_a_splitter_says_how_samples_are_held_out():
    X, y = draw()
    search = ParetoSearch(cv=TimeSeriesSplit(3), **SMALL).fit(X, y)
    assert search.selector_.folds.goes_forward
    assert len(search.select(COSTS, model="additive").evidence.true) == 180


def thrice(key):
    """Return noise, each row three times, with a key of its own each time."""
    rng = np.random.default_rng(0)
    once = pd.DataFrame(rng.normal(size=(50, 4)), columns=list("abcd"))
    table = pd.concat([once] * 3, ignore_index=True)
    return table.assign(**{key: [f"r{i}" for i in range(150)]}), np.arange(150) % 50 % 2


@pytest.mark.parametrize(
    ("prepare", "kind"), [(True, "scorecard"), (Preparation(drop=["name"]), "additive")]
)
def test_copies_with_a_key_of_their_own_are_held_out_together(prepare, kind):
    """Of noise nothing beats always one class, unless folds divide copies."""
    table = thrice("id" if prepare is True else "name")
    with pytest.warns(UserWarning, match="100 of 150 rows count as duplicates"):
        search = ParetoSearch(prepare=prepare, cv=2, **SMALL).fit(*table)
    shown = search.select([1, 1], model=kind).evidence.candidates["cost"]
    assert shown[kind] > 0.95 * shown["always one class"]  # divided, they reach 0.87


def test_few_groups_of_a_rare_class_give_figures_without_warnings_of_numpy():
    """Fish in eight tanks: no fish of one class in some folds."""
    ranks = [
        "NM",
        "NSS",
        "MM",
        "SSS",
        "NNN",
        "SNN",
        "SNN",
        "NMN",
    ]  # four tanks of either diet
    tanks = np.repeat(np.arange(8), [len(tank) for tank in ranks])
    y = pd.Categorical([*"".join(ranks)], ["N", "M", "S"], ordered=True)
    X = pd.DataFrame({"diet": np.where(tanks < 4, "FM", "IM")})
    with pytest.warns(UserWarning, match="class M has 3 groups"):
        search = ParetoSearch(**SMALL).fit(X, y, groups=tanks)
    assert search.front_.expected["accuracy"].between(0.0, 1.0).all()
