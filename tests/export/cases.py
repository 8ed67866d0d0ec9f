"""Models, rows, and the score and class that every export must give each of them."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline

from moselect.predictor import Model, OrdinalLinearClassifier, predict_table
from moselect.preprocessing import Preparation, SplineColumns

NAMES = [
    'a"b',
    "=1+1",
    "o'x\ny",
    "ü%s{0}{row}",
    "score",
    "t",
    "\\'); DROP TABLE data; --",
]
LABELS = ["it's", '=HYPERLINK("x")', "-1 {row}\n--", "größer_x0041_"]
HOSTILE = ("decimals", "scales")
PREPARED = ("splines", "both")
CASES = (*HOSTILE, *PREPARED)
DATES = {"seen": "%d.%m.%Y %H:%M", "born": "%Y-%m-%d"}
COLUMN_TYPES = dict.fromkeys(["colour", "wait", "city", "smoker", *DATES], "TEXT")


@dataclass
class Case:
    model: Model
    table: pd.DataFrame
    scores: np.ndarray  # NaN where a row has none
    classes: list
    column_types: dict = field(default_factory=dict)  # of columns, in a database


@functools.cache
def make_case(name):
    if name in HOSTILE:
        model, table = hostile_model(name)
        scores = model.decision_function(table)
        return Case(model, table, scores, model.predict(table).tolist())
    model, table = prepared_model(name)
    found = predict_table(model, table)
    scores = np.where(found.scored, found.scores, np.nan)
    return Case(model, table, scores, found.classes.tolist(), COLUMN_TYPES)


def hostile_model(name):
    """Return a model with hostile names, rows, and thresholds at the scores of some rows."""
    rng = np.random.default_rng(11)
    n = 1_000
    p = len(NAMES)
    if name == "decimals":  # many equal scores, sums that cancel, ties at thresholds
        coef = rng.choice([-0.3, -0.1, 0.1, 0.2, 0.7], p)
        X = rng.integers(-4, 5, (n, p)) / 10.0
    else:
        scale = 10.0 ** rng.integers(-9, 10, p)
        coef = rng.normal(size=p) / 3.0 / scale
        X = rng.normal(size=(n, p)) * scale
    draft = OrdinalLinearClassifier(coef, [0.0] * 3, range(4))  # scores have their bits
    at_rows = np.sort(draft.decision_function(X)[:3])
    model = OrdinalLinearClassifier(coef, at_rows, LABELS, NAMES)
    return model, pd.DataFrame(X, columns=NAMES)


def model_of(columns, weights=None, threshold=0.0):
    """Return a model of two classes that adds up fitted columns, with different weights."""
    names = columns.get_feature_names_out().tolist()
    if weights is None:
        weights = 0.7 ** np.arange(len(names))
    return OrdinalLinearClassifier(weights, [threshold], ["low", "high"], names, columns)


def draw_rows(rng, n):
    """Draw rows of every content, a tenth of the cells of some columns missing."""
    born = pd.Timestamp("1935-03-01") + pd.to_timedelta(rng.integers(0, 25_000, n), "D")
    visit = pd.Timestamp("2023-12-30") + pd.to_timedelta(
        rng.integers(0, 90_000, n), "min"
    )
    table = pd.DataFrame(
        {
            "age": np.round(rng.normal(50.0, 12.0, n), 1),
            "dose": np.round(rng.gamma(2.0, 2.0, n), 2),
            "colour": rng.choice(["red", "Red", "it's", '"blue"', "a*"], n),
            "wait": [f"{m // 60}:{m % 60:02}" for m in rng.integers(0, 3_000, n)],
            "city": rng.choice([f"city {k}" for k in range(20)], n),  # encoded
            "smoker": rng.choice(["true", "false"], n),
            "zone": rng.integers(1, 5, n).astype(float),  # whole numbers as categories
            "seen": visit.strftime(DATES["seen"]),
            "born": born.strftime(DATES["born"]),
        }
    ).astype({"colour": object, "city": object, "smoker": object})
    for name in ("colour", "smoker", "seen", "born"):
        table.loc[rng.random(n) < 0.1, name] = None
    table.loc[rng.random(n) < 0.1, "age"] = np.nan
    return table


def prepared_model(name):
    """Return a model with thresholds at the scores of rows, and rows unlike those in training."""
    rng = np.random.default_rng(7)
    table = draw_rows(rng, 300)
    y = np.digitize(
        np.nan_to_num(table["age"], nan=50.0) + table["dose"], [45.0, 58.0, 66.0]
    )
    steps = []
    if name == "splines":
        table = table[["dose", "zone"]].assign(age=table["age"].fillna(40.0))
    else:
        table["age"] = table["age"].mask(table["zone"] == 2.0, 999.0)
        steps.append(Preparation(categorical=["zone"], missing={"age": 999}))
    if name != "prepared":
        steps.append(SplineColumns(n_products=3))
    columns = make_pipeline(*steps).fit(table, y)
    X = np.asarray(columns.transform(table))
    coef = rng.normal(size=X.shape[1]) / X.std(axis=0).clip(1e-3)
    draft = OrdinalLinearClassifier(coef, [0.0] * 3, range(4), None, columns)
    scores = np.sort(draft.decision_function(table)[20:])  # the rows before change below
    names = list(map(str, columns.get_feature_names_out()))
    thresholds = scores[[50, 140, 230]]  # at rows
    model = OrdinalLinearClassifier(
        coef, thresholds, ["a", "b", "c", "d"], names, columns
    )
    rows = pd.concat([table, draw_rows(rng, 60)[list(table)]], ignore_index=True)
    if name == "splines":
        rows["age"] = rows["age"].fillna(41.3)
    else:
        for row, column, value in (
            (3, "colour", "unseen"),
            (4, "colour", " red "),
            (5, "city", "elsewhere"),
            (6, "city", None),
            (7, "dose", np.nan),
            (8, "smoker", "True"),
            (9, "smoker", "perhaps"),  # has no class
            (10, "smoker", "NA"),
            (11, "zone", 9.0),
            (12, "zone", np.nan),
            (15, "seen", "n/a"),
            (16, "seen", None),
            (16, "born", "soon"),  # has no class, though the days would be filled
        ):
            rows.loc[row, column] = value
    rows.loc[[13, 14], "dose"] = [1e3, -5.0]  # beyond the knots
    return model, rows
