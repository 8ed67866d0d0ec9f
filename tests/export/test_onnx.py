"""Models as ONNX documents: onnxruntime and `predict` agree."""

import numpy as np
import onnxruntime
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.export import inputs_of, onnx_of

COSTS = [1, 2, 3, 6]


def mixed_table(n, seed):
    """Draw numbers, gaps, truth, times, dates, few and many levels, pairs that matter."""
    rng = np.random.default_rng(seed)
    town = rng.integers(0, 8, n)
    colour = rng.integers(0, 12, n)
    hours = rng.integers(0, 24, n)
    minutes = rng.integers(0, 60, n)
    first = pd.Timestamp("2019-01-01")
    later = rng.integers(0, 1_500 * 24, n)
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "income": np.where(rng.random(n) < 0.1, np.nan, rng.lognormal(size=n)),
            "member": rng.random(n) < 0.5,
            "start": [f"{h}:{m:02d}" for h, m in zip(hours, minutes, strict=True)],
            "day": first + pd.to_timedelta(later, "h"),
            "town": np.array(list("abcdefgh"))[town],
            "colour": [f"c{k}" for k in colour],
            "street": rng.choice([f"s{k}" for k in range(40)], n),
        }
    )
    table.loc[rng.random(n) < 0.05, "day"] = pd.NaT
    table.loc[rng.random(n) < 0.05, "town"] = None
    score = table["size"] + table["income"].fillna(3.0) / 2 + (7 * town + colour**2) % 3
    score += table["day"].dt.month.fillna(6) / 6
    return table, np.digitize(score + rng.logistic(size=n) / 2, [1.8, 3.0, 4.2])


def run(document, inputs):
    session = onnxruntime.InferenceSession(document)
    assert [each.name for each in session.get_inputs()] == list(inputs)
    names = [out.name for out in session.get_outputs()]
    return dict(zip(names, session.run(None, inputs), strict=True))


def assert_agrees(model, new):
    found = run(onnx_of(model), inputs_of(model, new))
    assert (found["label"][:, 0] == model.predict(new).astype(str)).all()
    np.testing.assert_allclose(
        found["probabilities"], model.predict_proba(new), atol=1e-12
    )
    score = found["score"][:, 0]
    np.testing.assert_allclose(score, model.decision_function(new), rtol=1e-9, atol=1e-9)


@pytest.fixture(scope="module")
def mixed_search():
    X, y = mixed_table(900, 1)
    return ParetoSearch(n_iterations=3, cv=None, random_state=1).fit(X, y)


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("candidate", "refer"),
    [
        pytest.param("scorecard", None, marks=SLOW),
        pytest.param("linear", None, marks=SLOW),
        ("additive", None),
        pytest.param("ensemble", None, marks=SLOW),
        ("additive", 0.6),
        pytest.param("ensemble", 0.6, marks=SLOW),
    ],
)
def test_candidates_agree_on_new_categories_gaps_and_referrals(
    mixed_search, candidate, refer
):
    model = mixed_search.select(class_costs=COSTS, model=candidate, refer=refer)
    if candidate == "ensemble":  # it has columns of every type
        column_types = {type(column).__name__ for column in model.columns.first.columns_}
        assert {"NumberColumn", "DateColumns", "LevelColumns"} <= column_types
        assert {"EncodedColumn", "PairColumn", "CodeColumn"} <= column_types
    new, _ = mixed_table(2_000, 2)
    new.loc[::7, "town"] = "elsewhere"
    new.loc[::11, "street"] = "new"
    new.loc[::13, ["size", "start", "day"]] = None
    assert ("refer" in model.predict(new)) == (refer is not None)
    assert_agrees(model, new)


@pytest.mark.parametrize(
    ("candidate", "n"), [("additive", 400), pytest.param("ensemble", 400, marks=SLOW)]
)
def test_monotone_models_agree(candidate, n):
    X, y = mixed_table(n, 8)
    X["band"] = np.array(["low", "mid", "high", None])[np.arange(n) % 4]
    monotone = {"size": 1, "income": 1, "band": -1}
    search = ParetoSearch(n_iterations=2, cv=None, monotone=monotone, random_state=1)
    model = search.fit(X, y).select(class_costs=COSTS, model=candidate)
    new = mixed_table(300, 9)[0].assign(
        band=np.array(["high", "low", None])[np.arange(300) % 3]
    )
    assert_agrees(model, new)


def test_an_invalid_cell_gives_no_class(mixed_search):
    model = mixed_search.select(class_costs=COSTS, model="linear")
    new, _ = mixed_table(4, 7)
    new["size"] = new["size"].astype(object)
    new.loc[0, "size"] = "see file"
    new.loc[1, "size"] = np.inf
    found = run(onnx_of(model), inputs_of(model, new))
    others = model.predict(new[2:].infer_objects()).astype(str)
    assert found["label"][:, 0].tolist() == ["", "", *others]
    assert np.isnan(found["probabilities"][:2]).all()
