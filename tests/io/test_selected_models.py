"""What a search selects, of any kind, written to a file and read again."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from moselect import ParetoSearch
from moselect.io import read_model, write_model
from moselect.io.model_file import suffix_of
from moselect.predictor import Model, predict_table
from moselect.predictor.decisions import LeastCost
from moselect.predictor.scorers import ClassifierScorer

CLASSES = ["low", "mid", "high"]
COSTS = {"class_costs": [1, 1, 5], "limits": {"high<mid": 0.1}}
POOL = pytest.param("ensemble", marks=pytest.mark.slow)
CANDIDATES = ("scorecard", "linear", "additive", "proportional odds", "best member")
QUICK = {"n_particles": 10, "n_iterations": 2, "cv": 2, "random_state": 0}


def draw(n, rng):
    """Draw a table with text, dates and gaps, and its classes."""
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "place": rng.choice(["north", "south"], n),
            "day": pd.Timestamp("2026-01-01")
            + pd.to_timedelta(rng.integers(0, 300, n), "D"),
        }
    )
    score = table["size"] + (table["place"] == "north") + 0.5 * rng.normal(size=n)
    return table, np.array(CLASSES)[np.digitize(score, [0.0, 1.0])]


@pytest.fixture(scope="module")
def tables():
    rng = np.random.default_rng(0)
    return *draw(150, rng), draw(60, rng)[0]


@pytest.fixture(scope="module")
def search(tables):
    X, y, _ = tables
    return ParetoSearch(**QUICK, labels=CLASSES).fit(X, y)


def check_round_trip(model, new, folder):
    """Check what a model says of new rows, and what `moselect predict` says, before and after."""
    path = folder / f"model{suffix_of(model)}"
    write_model(path, model)
    again = read_model(path)
    for says in ("predict", "decision_function", "predict_proba"):
        if not hasattr(model, says):
            continue
        found, expected = getattr(again, says)(new), getattr(model, says)(new)
        assert found.dtype == expected.dtype
        if found.dtype.kind == "f":  # models as columns have a graph of other sums
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
        else:
            np.testing.assert_array_equal(found, expected)
    table = new if isinstance(new, pd.DataFrame) else pd.DataFrame(new, columns=["x0"])
    told = predict_table(again, table)
    np.testing.assert_array_equal(
        told.classes[told.scored], model.predict(new)[told.scored]
    )
    assert told.scored.any()


@pytest.mark.parametrize(
    ("kind", "goal"), [*((kind, COSTS) for kind in CANDIDATES), ("linear", {})]
)
def test_any_kind_says_the_same_to_the_last_bit(search, tables, tmp_path, kind, goal):
    model = search.select(model=kind, **goal)
    assert len(model.terms) == model.n_features_in_
    assert model.evidence.selected == kind
    check_round_trip(model, tables[2], tmp_path)


@pytest.fixture(scope="module")
def of_arrays(tables):
    X, y, _ = tables
    codes = np.array([CLASSES.index(label) for label in y])
    return ParetoSearch(**QUICK).fit(X[["size"]].to_numpy(), codes)


@pytest.mark.parametrize("kind", ["scorecard", "linear", "additive", POOL])
def test_so_do_models_of_arrays_and_labels_that_are_numbers(
    of_arrays, tables, tmp_path, kind
):
    new = tables[2][["size"]].to_numpy()
    check_round_trip(of_arrays.select(model=kind), new, tmp_path)


class Own(LogisticRegression):
    """A classifier that neither moselect nor scikit-learn knows."""


def test_a_classifier_of_no_known_package_is_no_file(tmp_path):
    fitted = Own().fit([[0.0], [1.0]], [0, 1])
    pool = Model(ClassifierScorer(fitted), CLASSES[:2], LeastCost())
    with pytest.raises(TypeError, match=r"it holds .*Own, and files are read with"):
        write_model(tmp_path / "model.npz", pool)
    assert not any(tmp_path.iterdir())
