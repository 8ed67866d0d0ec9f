"""`Scorecard` on tables of any columns."""

import re
from itertools import groupby

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pandas.testing import assert_frame_equal

from moselect import Scorecard
from moselect.export import export_model
from moselect.models.scorecard.sheet import points_by_column, sheet_of
from moselect.predictor import ModelCard
from moselect.preprocessing import Preparation


@pytest.fixture(scope="module")
def claims():
    """A table of numbers with gaps, text, booleans and dates; and three classes."""
    rng = np.random.default_rng(3)
    n = 400
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "speed": rng.gamma(4.0, 15.0, n).round(1),
            "vehicle": rng.choice(["car", "van", "lorry"], n),
            "night": rng.random(n) < 0.3,
            "day": pd.Timestamp("2021-03-05")
            + pd.to_timedelta(rng.integers(0, 700, n), unit="D"),
        }
    )
    score = table["age"] / 15 + table["speed"] / 20 + 2 * (table["vehicle"] == "lorry")
    score += 2 * (table["day"] > "2022-01-01") + 2 * table["night"] + rng.logistic(size=n)
    table.loc[rng.random(n) < 0.1, "speed"] = np.nan
    labels = np.array(["slight", "serious", "fatal"])
    y = labels[np.searchsorted(score.quantile([0.5, 0.85]), score)]
    return table, pd.Categorical(y, labels, ordered=True)


@pytest.fixture(scope="module")
def fitted(claims):
    return Scorecard(5).fit(*claims)


def test_predictions_follow_from_the_sum_of_points(claims, fitted):
    X, y = claims
    model = fitted.with_conditions(10)
    filled = X.fillna({"speed": X["speed"].median()})
    sums = np.zeros(len(X))
    for condition, points in model.card_.itertuples(index=False):
        name, text = condition.split(" ", 1)
        sign, _, value = text.partition(" ")
        if text == "missing":
            met = X[name].isna()
        elif sign in ("month", "weekday"):
            part = X[name].dt.month if sign == "month" else X[name].dt.day_of_week + 1
            met = part > float(value.removeprefix("> "))
        elif sign == ">":
            met = filled[name] > (value if name == "day" else float(value))
        else:
            met = X[name].astype(str).str.lower() == value
        sums += points * np.asarray(met)
    assert_array_equal(model.decision_function(X), sums)
    shown = set(model.card_["condition"].str.split().str[0])
    assert {"age", "night", "day", "vehicle"} <= shown
    assert_allclose(model.predict_proba(X), model.probabilities_.loc[sums])
    by_threshold = model.classes_[(sums[:, None] > model.thresholds_).sum(axis=1)]
    assert_array_equal(model.predict(X), by_threshold)
    assert (model.predict(X) == y).mean() > 0.65
    assert model.card_["points"].abs().between(1, 5).all()


def points_of(feature, lines, row):
    """Points of the line of a sheet that a person would tick for a row."""
    column, _, part = feature.partition(" ")
    cell = row[column]
    if pd.isna(cell):
        return next(points for _, text, points in lines if text == "missing")
    if part:
        cell = cell.month if part == "month" else cell.day_of_week + 1
    for _, text, points in lines:
        sign, _, value = text.partition(" ")
        if sign == "=":
            met = str(cell).lower() in value.lower().split(", ")
        elif text in ("any other", "any value") or sign == "above":
            met = True
        else:  # up to the second of two numbers
            met = cell <= type(cell)(text.split("to ")[1])
        if met:
            return points
    raise AssertionError((cell, lines))


def by_feature(lines):
    """Group the lines of a sheet."""
    return [(name, [*group]) for name, group in groupby(lines, lambda line: line.feature)]


def sum_points(lines, table):
    """Sum of the points that a person would tick, for each row."""
    features = by_feature(lines)
    rows = table.to_dict("records")
    return np.array([sum(points_of(*lines, row) for lines in features) for row in rows])


@pytest.mark.parametrize("n_conditions", [4, 10, 16])
def test_the_printed_sheet_adds_up_to_the_score(claims, fitted, n_conditions):
    X, _ = claims
    model = fitted.with_conditions(n_conditions)
    sheet = sheet_of(model.rule_, ModelCard(predicts="severity", n_rows=len(X)))
    start = sum(line.points for line in sheet.lines if line.feature == "start")
    lines = [line for line in sheet.lines if line.feature != "start"]
    sums = model.decision_function(X)
    assert_array_equal(sums, start + sum_points(lines, X))
    assert sheet.score_ranges[0].first == start
    rule = model.rule_
    points = points_by_column(rule, np.asarray(rule.columns.transform(X)))
    assert_array_equal(points.sum(axis=1), sums)
    for name, of_feature in by_feature(lines):
        if name != "day":
            assert min(line.points for line in of_feature) == 0
            if name in points:
                assert points[name].tolist() == sum_points(of_feature, X).tolist()
    assert {f"{total:g}" for total in sums} <= {row[0] for row in sheet.chances}


def test_missing_values_have_the_fewest_points_or_the_only_ones(rng):
    n = 600
    X = pd.DataFrame({"low": rng.normal(size=n), "high": rng.normal(size=n)})
    score = X["low"].copy()
    for name, effect in (("low", -6.0), ("high", 3.0)):
        is_gap = rng.random(n) < 0.3
        X.loc[is_gap, name] = np.nan
        score += effect * is_gap
    y = np.digitize(score + rng.logistic(size=n), [-2.0, 2.0])
    model = Scorecard(4).fit(X, y)
    assert "low missing" in set(model.card_["condition"])
    sheet = sheet_of(model.rule_, ModelCard(predicts="grade", n_rows=n))
    start, *lines = sheet.lines
    features = dict(by_feature(lines))
    assert min((points, text) for _, text, points in features["low"]) == (0, "missing")
    assert {text for _, text, _ in features["high"]} == {"any value", "missing"}
    found = start.points + sum_points(lines, X)
    assert_array_equal(found, model.decision_function(X))


def test_a_missing_date_may_have_more_points_than_its_parts_beside_others(rng):
    days = pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(range(1500), "D"))
    is_gap = rng.random(1500) < 0.3
    parts = 1.5 * (days.dt.month > 6) + 1.5 * (days.dt.day_of_week > 3)
    score = np.where(is_gap, 2.5, parts) + 0.5 * rng.logistic(size=1500)
    X = pd.DataFrame({"day": days.mask(is_gap)})
    model = Scorecard(4).fit(X, np.digitize(score, [0.7, 2.2]))
    assert len({text.split()[1] for text in model.card_["condition"]}) == 3
    sheet = sheet_of(model.rule_, ModelCard(predicts="grade", n_rows=1500))
    sums = {f"{total:g}" for total in model.decision_function(X)}
    assert sums == {row[0] for row in sheet.chances[1:]}


def test_one_fit_contains_all_sizes(claims, fitted):
    longest = Scorecard(20).fit(*claims)
    assert_frame_equal(fitted.with_conditions(20).card_, longest.card_)
    for k in (1, 5):
        assert_frame_equal(
            fitted.with_conditions(k).card_, longest.with_conditions(k).card_
        )
    assert fitted.n_conditions_ == 5 == len(fitted.card_)
    with pytest.raises(ValueError, match="from 1 to 20"):
        fitted.with_conditions(21)


def test_dropped_features_and_monotone_signs_are_kept(claims):
    X, y = claims
    model = Scorecard(4, monotone={"age": -1}, prepare=Preparation(drop=["night"]))
    card = model.fit(X, y).card_
    features = card["condition"].str.split(" ").str[0]
    assert set(features) <= {*X} - {"night"}
    assert (card["points"][features == "age"] < 0).all()


@pytest.mark.slow
def test_cross_validation_chooses_the_number_of_conditions(rng):
    X = rng.normal(size=(200, 4))
    assert Scorecard("cv").fit(X, rng.integers(0, 3, 200)).n_conditions_ <= 3
    y = np.searchsorted([-1.0, 1.0], X[:, :3].sum(axis=1) + 0.3 * rng.logistic(size=200))
    model = Scorecard("cv").fit(X, y)
    assert model.n_conditions_ >= 6
    assert model.log_losses_[model.n_conditions_] < model.log_losses_.min() + 0.003


def test_a_card_without_conditions_is_refused(claims):
    with pytest.raises(ValueError, match="n_conditions == 0, must be >= 1"):
        Scorecard(0).fit(*claims)


def test_exported_cards_agree_with_the_model(claims, fitted, tmp_path):
    table, _ = claims
    model = fitted.with_conditions(8)
    card = ModelCard(predicts="severity", n_rows=len(table))
    export_model(model.rule_, tmp_path / "card.txt", card=card)
    text = (tmp_path / "card.txt").read_text()
    less = sum(map(int, re.findall(r"this sum less (\d+)", text)))
    sums = model.decision_function(table) + less
    span = re.compile(r"^(\w+) +(-?\d+)(?: to (-?\d+))?$", re.MULTILINE)
    for label, low, high in span.findall(text):
        in_range = (sums >= int(low)) & (sums <= int(high or low))
        assert_array_equal(in_range, model.predict(table) == label)
    assert "Fitted to 400 rows" in text
