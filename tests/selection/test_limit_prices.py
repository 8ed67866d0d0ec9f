"""Limits that the rows can show, and prices of limited mistakes by group."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

from moselect import Costs, ParetoSearch
from moselect.costs import cost_matrix
from moselect.costs.limits import read_limit, rows_needed
from moselect.evaluation.rules import limit_prices
from moselect.io import read_model, write_model
from moselect.predictor import predict_table
from moselect.samples import Samples
from tests.selection.decisions import decide, draw_groups
from tests.without_features import samples_of

CLASSES = np.array([1, 2, 3])
ODDS = "proportional odds"
COSTS = Costs([1, 1, 2])


@pytest.mark.parametrize(
    ("most", "needed"), [(0.4, 5), (0.3, 7), (0.2, 11), (0.1, 22), (0.05, 46)]
)
@pytest.mark.parametrize("weight", [1.0, 2.5])
def test_fewer_rows_than_needed_show_no_limit(most, needed, weight):
    limit = read_limit("3<3", most, CLASSES)
    for n in range(1, 60):
        codes = np.array([0] * 20 + [2] * n)
        samples = samples_of(codes, CLASSES, weights=np.full(len(codes), weight))
        found = limit.reached(samples, codes)  # no mistakes
        assert found.met == (found.too_few is None) == (n >= needed)
        assert found.holds
    assert rows_needed(most) == needed


def thresholds_by_hand(limits, samples, proba):
    """Return decisions by the highest threshold of P(y = 2) at most 1/2 that meets each limit."""
    codes = np.empty(len(samples), dtype=np.int64)
    for limit in limits:
        rows = np.flatnonzero(limit.members)
        part = samples.take(rows)
        overall = replace(limit, members=None)
        thresholds = np.append(0.5, np.sort(proba[rows, 1])[::-1])
        for threshold in thresholds[thresholds <= 0.5]:
            codes[rows] = proba[rows, 1] >= threshold
            if overall.reached(part, codes[rows]).met:
                break
    return codes


@pytest.mark.checks("Limits, referral and trade-off", "every threshold in each group")
@pytest.mark.parametrize("seed", range(4))
def test_each_group_has_the_threshold_that_it_needs(seed):
    rng = np.random.default_rng(seed)
    n = 300
    codes = rng.integers(2, size=n)
    group = rng.choice(3, size=n, p=[0.2, 0.3, 0.5])
    score = (2.0 * codes - 1.0) * np.array([0.3, 1.0, 2.0])[group] + rng.logistic(size=n)
    proba = 1.0 / (1.0 + np.exp(np.column_stack([score, -score])))
    weights = rng.uniform(0.5, 1.5, n) if seed % 2 else None
    samples = samples_of(codes, CLASSES[:2], rows=np.arange(n), weights=weights)
    limit = read_limit("2<2", 0.3, CLASSES[:2])
    limits = [replace(limit, members=group == k) for k in range(3)]
    costs = cost_matrix([1, 1])

    def decided(prices, limits):
        priced = np.broadcast_to(costs, (n, 2, 2)).copy()
        for price, each in zip(prices, limits, strict=True):
            priced[each.rows_of(samples)] += price * each.mistakes
        return np.einsum("nc,ncm->nm", proba, priced).argmin(axis=1)

    prices = limit_prices(limits, costs, samples, proba)
    by_group = decided(prices, limits)
    expected = thresholds_by_hand(limits, samples, proba)
    assert_array_equal(by_group, expected)
    # One price for all rows costs more.
    assert (by_group != codes).sum() < (decided([prices.max()], [limit]) != codes).sum()


def without(y, rows, least):
    """Mark all rows but those of class 3 among ``rows`` beyond the first ``least``."""
    return ~np.isin(np.arange(len(y)), np.flatnonzero(rows & (y == 3))[least:])


def test_a_limit_that_too_few_rows_can_show_is_refused():
    X, y, by = draw_groups(400, 0)
    kept = without(y, np.ones(400, dtype=bool), 8)
    decision = decide(Samples.from_table(X[kept], y[kept]))
    with pytest.raises(
        ValueError,
        match=r"8 rows of class 3 cannot show 20 % .* 11 are needed; .* 24\.8 %",
    ):  # before anything is fitted
        decision.select(COSTS, "mine", {"3<3": 0.2}, {"mine": LogisticRegression(C=-1)})
    assert decision.select(COSTS, ODDS, {"3<3": 0.248}).evidence.limits[0].met
    with pytest.raises(ValueError, match=r"the most in a group of 'g',.*or merge groups"):
        decision.select(COSTS, ODDS, {"3<3 by g": 0.2}, by=by[kept])


def test_a_higher_confidence_costs_more():
    X, y, _ = draw_groups(400, 0)
    decision = decide(Samples.from_table(X, y))
    free = decision.select(COSTS, ODDS).evidence
    found = [
        decision.select(COSTS, ODDS, {"3<3": 0.15}, confidence=c).evidence
        for c in (0.5, 0.8, 0.9, 0.99)
    ]
    n = (y == 3).sum()
    misses = [n - evidence.confusion.loc[3, 3] for evidence in found]
    for evidence, missed in zip(found, misses, strict=True):
        # As large as the confidence allows, by one row.
        error = np.sqrt((missed + 1) * (n - missed + 1) / n) / (n + 2)
        margin = (0.15 - missed / n) / error
        assert margin >= norm.ppf(evidence.limits[0].confidence)
    costs = [evidence.candidates["cost"][ODDS] for evidence in (free, *found)]
    assert (np.diff(costs) > 0.0).all()
    # At .5 there is no margin, and any row shows a limit.
    assert misses[0] == np.floor(0.15 * n)
    assert rows_needed(0.05, 0.5) == 1
    for confidence in (0.4, 1.0, np.nan):
        with pytest.raises(ValueError, match="confidence is"):
            decision.select(COSTS, ODDS, {"3<3": 0.15}, confidence=confidence)


def test_a_small_group_does_not_change_the_decisions_of_others():
    X, y, by = draw_groups(500, 1)
    north = (by["g"] == "North").to_numpy()
    kept = without(y, north, 4)
    X, y, by, north = X[kept], y[kept], by[kept].reset_index(drop=True), north[kept]
    decision = decide(Samples.from_table(X, y))
    free, limited = (
        decision.select(COSTS, ODDS, limits, by=by).evidence
        for limits in ({}, {"3<3 by g": 0.4})
    )
    small, large = limited.limits
    assert str(small).startswith("3<3 by g: North: not shown by 4 rows, 5 are needed")
    assert (small.met, small.share <= 0.4, large.met) == (False, True, True)
    assert limited.candidates.loc[ODDS, "within limits"]
    costs = [each.candidates.loc[ODDS, "cost"] for each in (free, limited)]
    assert costs[1] < 1.1 * costs[0]


@pytest.mark.parametrize(
    "settings",
    [
        {"class_costs": [1, 1, 2]},
        pytest.param({"metric": "kappa"}, marks=pytest.mark.slow),
    ],
)
def test_decisions_by_group_are_deployed(tmp_path, settings):
    X, y, by = draw_groups(600, 2)
    search = ParetoSearch(n_iterations=2, cv=None, holdout=0.2, n_jobs=1, random_state=0)
    limits = {"3<3 by g": 0.4}
    model = search.fit(X, y).select(**settings, model=ODDS, limits=limits, by=by)
    increases = model.row_costs.groups["g"]
    assert np.max(increases["North"]) > np.max(increases["south"])
    X, y, by = draw_groups(4_000, 3)
    by.iloc[:1_000] = by.iloc[:1_000].apply(lambda column: column.str.upper())
    expected = np.empty(len(y), dtype=np.int64)
    proba = model.predict_proba(X)
    for name, raised in increases.items():
        costs = model.row_costs(X.assign(g=name))[0]
        rows = (by["g"].str.lower() == name.lower()).to_numpy()
        expected[rows] = 1 + (proba[rows] @ costs).argmin(axis=1)
        assert (costs >= np.array(raised)).all()
    assert_array_equal(model.predict(X.join(by)), expected)
    write_model(tmp_path / "model.json", model)
    known = read_model(tmp_path / "model.json")
    assert_array_equal(known.predict(X.join(by)), expected)
    new = X.join(by)[:3].assign(g=["North", "east", None])
    assert predict_table(known, new).reasons.tolist() == [
        "",
        *["its 'g' is no group of the limits"] * 2,
    ]
    with pytest.raises(ValueError, match="need the column 'g'"):
        known.predict(X)
