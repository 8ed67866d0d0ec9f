"""Contributions of columns to a score, against Shapley values over all subsets."""

from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.io import read_model, write_model
from moselect.io.model_file import suffix_of
from moselect.predictor.contributions import shapley_values

RNG = np.random.default_rng(0)
LABELS = ["low", "mid", "high"]


def by_subsets(score, row, background):
    """Return the Shapley values (p,) of a row by definition."""
    names = list(row)
    p = len(row)

    def coalition_value(present):
        return score(background.assign(**{name: row[name] for name in present})).mean()

    values = dict.fromkeys(names, 0.0)
    for name in names:
        others = [each for each in names if each != name]
        for size in range(p):
            # Probability of this coalition before the feature in a random order.
            weight = factorial(size) * factorial(p - size - 1) / factorial(p)
            for present in combinations(others, size):
                values[name] += weight * (
                    coalition_value([*present, name]) - coalition_value(present)
                )
    return values


def test_sums_of_terms_of_one_or_two_columns_are_exact():
    X, background = (
        pd.DataFrame(RNG.normal(size=(n, 4)), columns=list("abcd")) for n in (5, 9)
    )

    def score(rows):
        a, b, c, d = (rows[name].to_numpy() for name in "abcd")
        return np.sin(a) + 2.0 * b * c - np.abs(d) * a

    found = shapley_values(score, X, background)
    for k in range(len(X)):
        expected = by_subsets(score, X.iloc[k].to_dict(), background)
        assert found.iloc[k, :-1].to_dict() == pytest.approx(expected, abs=1e-12)
    np.testing.assert_allclose(found["baseline"], score(background).mean())


@pytest.fixture(scope="module")
def search_and_table():
    n = 160
    X = pd.DataFrame(
        {"a": RNG.normal(size=n), "b": RNG.normal(size=n), "nothing": RNG.normal(size=n)}
    )
    X["kind"] = RNG.choice(["red", "green", "blue"], n)
    X.loc[::17, "b"] = np.nan
    X["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(RNG.integers(0, 300, n), "D")
    X["wait"] = [f"{m // 60}:{m % 60:02}" for m in RNG.integers(0, 900, n)]
    score = 2.0 * X["a"] + (X["kind"] == "red") + 0.5 * RNG.logistic(size=n)
    y = np.array(LABELS)[np.digitize(score, [-0.5, 1.5])]
    search = moselect.ParetoSearch(
        n_iterations=2, n_particles=30, cv=2, random_state=1, labels=LABELS
    )
    return search.fit(X, y), X


@pytest.mark.parametrize(
    "candidate",
    [
        "scorecard",
        *(
            pytest.param(k, marks=pytest.mark.slow)
            for k in ("additive", "linear", "ensemble")
        ),
    ],
)
def test_contributions_add_up_before_and_after_the_file(
    search_and_table, tmp_path, candidate
):
    search, X = search_and_table
    model = search.select(class_costs=[1, 1, 3], model=candidate)
    rows = X.head(12)
    found = model.contributions(rows)
    used = [name for name in X if name in found]
    assert list(found) == [*used, "baseline"]
    # Scorecards use the columns of their conditions only.
    assert used == list(X) or candidate == "scorecard"
    np.testing.assert_allclose(
        found.sum(axis=1), model.decision_function(rows), atol=1e-9
    )
    spread = found.drop(columns="baseline").abs().mean().sort_values(ascending=False)
    assert list(spread.index[:2]) == ["a", "kind"]
    path = tmp_path / f"model{suffix_of(model)}"
    write_model(path, model)
    pd.testing.assert_frame_equal(read_model(path).contributions(rows), found)
