"""Monotone constraints of every candidate of a selection."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from moselect import ParetoSearch
from moselect.candidates.names import CANDIDATES
from tests.models.monotone import violation

BANDS = ["18-24", "25-34", "35-49", "50+"]
MONOTONE = {"age": 1, "income": -1, "owner": 1}
GRIDS = {"age": BANDS, "income": np.linspace(6.0, 0.0, 25), "owner": [False, True]}
COSTS = [1, 2, 6]


def claims(n=160):
    """Draw a table with effects that violate the constraints in part."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": np.array(BANDS)[rng.integers(0, 4, n)],
            "income": np.round(rng.lognormal(size=n), 1),
            "owner": rng.random(n) < 0.4,
            "other": rng.normal(size=n),
            "town": np.array(["x", "y", "z"])[rng.integers(0, 3, n)],
        }
    )
    rank = table["age"].map(BANDS.index)
    score = rank - table["income"] + 0.5 * table["other"] + 0.3 * table["owner"]
    score += np.sin(3.0 * table["income"])
    y = np.digitize(score + rng.logistic(size=n) / 2.0, [0.0, 1.5])
    table.loc[rng.random(n) < 0.06, "income"] = np.nan
    table.loc[rng.random(n) < 0.06, "age"] = None
    return table, y


@pytest.fixture(scope="module")
def search():
    search = ParetoSearch(n_particles=20, n_iterations=3, cv=2, random_state=1)
    return search.set_params(monotone=MONOTONE).fit(*claims())


@pytest.mark.parametrize(
    "candidate",
    [
        *(pytest.param(k, marks=pytest.mark.slow) for k in CANDIDATES),
        *("proportional odds", "best member"),
    ],
)
def test_candidates_are_monotone(search, candidate):
    model = search.select(class_costs=COSTS, model=candidate)
    assert violation(model, claims(60)[0], GRIDS) <= 1e-12
    assert model.monotone == MONOTONE
    assert "The class never falls with age, owner and never rises with income" in (
        model.summary.replace(" and owner", ", owner")
    )


@pytest.mark.slow
def test_custom_candidates_are_marked_as_not_monotone(search):
    plain = make_pipeline(StandardScaler(), LogisticRegression())
    model = search.select(class_costs=COSTS, candidates={"plain": plain})
    assert not model.evidence.candidates["monotone"]["plain"]
    assert model.evidence.selected != "plain"
    selected = search.select(
        class_costs=COSTS, candidates={"plain": plain}, model="plain"
    )
    assert selected.monotone == {}


@pytest.mark.parametrize("name", ["town", "day"])
def test_columns_without_an_order_are_refused(name):
    X, y = claims()
    X["day"] = pd.date_range("2024-01-01", periods=len(X), freq="D")
    with pytest.raises(ValueError, match=f"column '{name}' has no order: it can have no"):
        ParetoSearch(n_iterations=1, monotone={name: 1}, random_state=1).fit(X, y)


def test_custom_transformers_are_refused():
    X, y = claims()
    search = ParetoSearch(columns=StandardScaler(), monotone={"other": 1})
    with pytest.raises(ValueError, match="StandardScaler may turn the directions"):
        search.fit(X[["income", "other"]].fillna(0.0), y)
