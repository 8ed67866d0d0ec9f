import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import moselect
from moselect.inspection.explanation import accumulated_effects, grid_of
from moselect.io import read_model, write_model
from moselect.tables.schema import find_content


def grid_in(column, ranks):
    return grid_of(column, find_content(column), ranks)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    n = 450
    X = pd.DataFrame(
        {
            "strong": rng.normal(size=n),
            "curved": rng.uniform(-2.0, 2.0, n),
            "kind": rng.choice(list("uvw"), n),
            "day": pd.Timestamp("2024-01-01")
            + pd.to_timedelta(rng.integers(0, 300, n), unit="D"),
            "nothing": rng.normal(size=n),
        }
    )
    X.loc[rng.random(n) < 0.1, "curved"] = np.nan
    score = 2.0 * X["strong"] + X["curved"].fillna(0.0) ** 2 + 1.0 * (X["kind"] == "w")
    return X, np.digitize(score + rng.logistic(size=n), [0.5, 2.5]) + 1


@pytest.fixture(scope="module")
def search(table):
    return moselect.ParetoSearch(n_iterations=2, cv=2, random_state=0).fit(*table)


@pytest.mark.checks("Explanations", "the terms of a known law")
def test_accumulated_effects_recover_additive_terms(table, rng):
    X, _ = table
    effect_of_level = {"u": 0.0, "v": 3.0, "w": 1.0}

    def predict(rows):
        days = (rows["day"] - pd.Timestamp("2024-01-01")).dt.days
        total = rows["strong"] ** 3 + rows["kind"].map(effect_of_level) + 0.01 * days
        return total.to_numpy()

    weights = rng.integers(0, 3, len(X)).astype(float)
    expected = {
        "strong": lambda grid: np.array(grid.cells) ** 3,
        "kind": lambda grid: np.array([effect_of_level[cell] for cell in grid.cells]),
        "day": lambda grid: 0.01 * grid.places,
    }
    # Accumulated local effects of additive terms equal the terms up to a constant.
    for name, true_effect in expected.items():
        grid = grid_in(X[name], predict(X))
        found = accumulated_effects(predict, X, name, grid, weights)
        assert_allclose(np.diff(found), np.diff(true_effect(grid)), atol=1e-9)
    assert grid_in(X["kind"], predict(X)).labels == ["u", "w", "v"]
    assert grid_in(pd.Series([1.0, 1.0]), np.zeros(2)) is None
    assert grid_in(pd.Series([f"words {k}" for k in range(50)]), np.zeros(50)) is None


def test_interactions_do_not_hide_an_effect(rng):
    a = rng.normal(size=2_000)
    X = pd.DataFrame({"a": a, "b": a + 0.1 * rng.normal(size=2_000)})
    grid = grid_in(X["a"], a)
    found = accumulated_effects(
        lambda rows: (rows["a"] * rows["b"]).to_numpy(),
        X,
        "a",
        grid,
        np.ones(2_000),
    )
    # The local effect of a is b, approximately a; its integral is a^2 / 2.
    assert np.ptp((found - grid.places**2 / 2.0)[2:-2]) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("candidate", ["scorecard", "ensemble"])
def test_importance_and_effects_match_the_generating_law(search, candidate):
    found = search.explain(search.select(class_costs=[1, 1, 3], model=candidate))
    assert found.candidate == candidate
    assert list(found.importance.index[:2]) == ["strong", "curved"]
    nothing = found.importance.loc["nothing"]
    assert abs(nothing["loss"]) <= 3.0 * nothing["std_error"] + 0.01
    assert found.importance["loss"]["strong"] > 5.0 * nothing["loss"]
    effects = found.effects.set_index("feature")
    rank, error = effects.loc["strong", ["expected rank", "std_error"]].to_numpy().T
    assert (np.diff(rank) >= -2.0 * error.max()).all()
    assert rank[-1] > 4.0 * error[-1]
    curved = effects.loc["curved", "expected rank"]
    assert min(curved.iloc[0], curved.iloc[-1]) > curved.iloc[8:13].min() + 0.2
    assert effects.loc["kind", "level"].iloc[-1] == "w"


@pytest.mark.checks("Explanations", "the score of each row")
@pytest.mark.parametrize(
    "candidate",
    [
        "proportional odds",
        *(
            pytest.param(k, marks=pytest.mark.slow)
            for k in ("scorecard", "additive", "ensemble")
        ),
    ],
)
def test_contributions_add_up_before_and_after_the_file(
    table, search, tmp_path, candidate
):
    model = search.select(class_costs=[1, 1, 3], model=candidate)
    rows = table[0].head(12)
    found = model.contributions(rows)
    used = [name for name in rows if name in found]
    assert list(found) == [*used, "baseline"]
    # Scorecards use the columns of their conditions only.
    assert used == list(rows) or candidate == "scorecard"
    assert_allclose(found.sum(axis=1), model.decision_function(rows), atol=1e-9)
    assert found.drop(columns="baseline").abs().mean().idxmax() == "strong"
    path = tmp_path / ("model.npz" if candidate == "ensemble" else "model.json")
    write_model(path, model)
    pd.testing.assert_frame_equal(read_model(path).contributions(rows), found)
