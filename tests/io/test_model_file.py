"""Files of models: to the last bit, plain, and refused in one line."""

from __future__ import annotations

import json
import os
import pickle

import numpy as np
import pandas as pd
import pytest
import skops.io
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from moselect.io import read_model, write_model
from moselect.io.documents import text_of, with_text
from moselect.models import ModelColumns, OrdinalStacking
from moselect.models.ensemble.base_models import OF_FEW_ROWS
from moselect.models.ensemble.boosting import BoostedClasses, BoostedRanks
from moselect.models.score_calibration import calibrate_score
from moselect.predictor import Model, OrdinalLinearClassifier, model_card, predict_table
from moselect.predictor.decisions import LeastCost
from moselect.predictor.finished import model_of
from moselect.predictor.scorers import Classifier
from moselect.preprocessing import Preparation

finite = st.floats(-1e150, 1e150)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@st.composite
def models(draw):
    coef = draw(st.lists(finite, min_size=1, max_size=5))
    kinds = (st.integers(-(2**53), 2**53), names, finite)
    classes = draw(
        st.one_of([st.lists(k, min_size=2, max_size=5, unique=True) for k in kinds])
    )
    n_cuts = len(classes) - 1
    thresholds = sorted(draw(st.lists(finite, min_size=n_cuts, max_size=n_cuts)))
    columns = st.lists(names, min_size=len(coef), max_size=len(coef), unique=True)
    return OrdinalLinearClassifier(coef, thresholds, classes, draw(st.none() | columns))


@given(model=models())
def test_a_model_comes_back_to_the_last_bit(tmp_path_factory, model):
    path = tmp_path_factory.mktemp("models") / "model.json"
    write_model(path, model, {"note": "größe"})
    again = read_model(path)
    for name in ("coef_", "thresholds_", "classes_"):
        found, expected = getattr(again, name), getattr(model, name)
        assert found.tobytes() == expected.tobytes()
        assert found.dtype == expected.dtype
    given_names = model.feature_names
    assert again.feature_names == (None if given_names is None else list(given_names))
    write_model(path.with_name("again.json"), again, {"note": "größe"})
    assert path.with_name("again.json").read_bytes() == path.read_bytes()


MODEL = OrdinalLinearClassifier(
    [0.1, -2.0], [0.0, 1.0], ["low", "mid", "high"], ["a", "b"]
)
ROWS = ([[1.0, 2.0], [3.0, 5.0], [2.0, 2.0]], ["low", "mid", "low"])


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.json"
    write_model(path, MODEL)
    return path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"format": "a poem"}', "is no moselect model: moselect select writes one"),
        (b"PK\x03\x04 no archive", "cannot be read"),
        (skops.io.dumps(Ridge()), "is none: it has no document.json"),
        (pickle.dumps(MODEL), "is damaged"),
    ],
)
def test_what_is_no_model_is_refused(path, content, said):
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"model\.json'.*{said}"):
        read_model(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "has schema 2, but this version reads schema 1: update moselect"),
        ({"coef": [1.0, "x"]}, "Expected `float`, got `str` - at `$.coef"),
        ({"coef": [1.0]}, "1 weights need as many feature_names"),
        ({"thresholds": [1.0, 0.0]}, "thresholds must ascend"),
        ({"colour": 1}, "unknown field `colour`"),
        ({"columns": [{"step": "pickle", "content": {}}]}, "pickle"),
    ],
)
def test_edited_models_are_refused(path, change, message):
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ValueError, match=r"model\.json'") as error:
        read_model(path)
    assert message in str(error.value)


def test_there_is_no_file(tmp_path):
    for path in (tmp_path / "model.json", tmp_path):
        with pytest.raises(ValueError, match="cannot read the model"):
            read_model(path)


def test_what_cannot_be_written_leaves_the_old_file(path):
    before = path.read_bytes()
    for error, said, options in (
        (TypeError, "cannot be recorded", {"about": {"cost": object()}}),
        (ValueError, "exists already", {"overwrite": False}),
    ):
        with pytest.raises(error, match=said):
            write_model(path, MODEL, **options)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_card_comes_back(path):
    card = model_card(
        MODEL,
        *ROWS,
        predicts="grade",
        units={"a": "km"},
        cost_matrix=np.ones((3, 3)),
        confusion=np.eye(3, dtype=int),
        figures=[
            {"name": "accuracy", "value": 0.5, "rows": "cv", "interval": (0.4, 0.6)}
        ],
        calibration={"slope": 2.0, "intercepts": [0.0, 1.0]},
    )
    write_model(path, MODEL, card=card)
    assert read_model(path).card == card
    a, b = card.features
    assert (a.unit, a.minimum, a.maximum, a.mean) == ("km", 1.0, 3.0, 2.0)
    assert (b.unit, b.minimum, b.maximum, b.mean) == (None, 2.0, 5.0, 3.0)
    assert card.class_counts == [2, 1, 0]


def test_class_probabilities_of_a_score_are_those_it_was_drawn_from():
    rng = np.random.default_rng(3)
    score = rng.normal(40.0, 5.0, 20_000)
    noisy = 0.7 * score + rng.logistic(size=20_000)
    found = calibrate_score(score, np.digitize(noisy, [26.0, 30.0]), 3)
    assert found.slope == pytest.approx(0.7, rel=0.05)
    assert found.intercepts == pytest.approx([26.0, 30.0], rel=0.05)


def test_weights_for_other_columns_than_are_made(tmp_path):
    table = pd.DataFrame(
        {"age": [31.0, None, 45.0, 52.0], "kind": ["car", "van", "car", "bus"]}
    )
    columns = make_pipeline(Preparation()).fit(table)
    names = [str(name) for name in columns.get_feature_names_out()]
    model = OrdinalLinearClassifier(
        np.arange(1.0, len(names) + 1), [2.0], [1, 2], names, columns
    )
    path = tmp_path / "model.json"
    write_model(path, model)
    assert read_model(path).predict(table).tolist() == model.predict(table).tolist()
    document = json.loads(path.read_text())
    document["columns"][0]["content"]["columns"].reverse()
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match="weights are for other columns than it makes"):
        read_model(path)


RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(90, 3)), columns=list("abc"))
Y = np.digitize(X["a"] + 0.5 * RNG.normal(size=90), [-0.5, 0.5])


class Own(RegressorMixin, BaseEstimator):
    """A model that moselect does not know."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


@pytest.fixture(scope="module")
def pool():
    return OrdinalStacking(random_state=0).fit(X, Y)


@pytest.fixture
def pool_path(tmp_path):
    return tmp_path / "pool.skops"


def test_a_pool_comes_back_to_the_last_bit(pool, pool_path):
    write_model(pool_path, pool)
    again = read_model(pool_path)
    np.testing.assert_array_equal(again.predict_proba(X), pool.predict_proba(X))
    inside = again.scorer.estimator
    assert inside.model_names_ == list(OF_FEW_ROWS)
    np.testing.assert_array_equal(inside.oof_ranks_, pool.oof_ranks_)
    assert inside.get_params() == pool.get_params()


def test_a_pool_keeps_its_preparation_and_costs(pool_path):
    table = pd.DataFrame({"a": X["a"], "kind": np.where(X["b"] > 0.0, "yes", "no")})
    preparation = Preparation(random_state=0)
    pool = OrdinalStacking(["proportional_odds"], random_state=0)
    pool.fit(preparation.fit_transform(table, Y), Y)
    costs = np.array([[0.0, 1.0, 9.0], [1.0, 0.0, 1.0], [9.0, 1.0, 0.0]])
    about = {"model": "ensemble"}
    pipeline = make_pipeline(preparation, pool)
    write_model(pool_path, pipeline)
    assert (read_model(pool_path).predict(table) == pipeline.predict(table)).all()
    write_model(pool_path, model_of(pipeline).replace(decision=LeastCost(costs)), about)
    again = read_model(pool_path)
    assert again.about == about
    found = predict_table(again, table)
    decided = pool.decide(preparation.transform(table), costs)
    np.testing.assert_array_equal(found.classes, decided)
    assert (decided != pool.predict(preparation.transform(table))).any()


@pytest.mark.slow
def test_pools_of_large_tables_and_of_estimators_of_scikit_learn(pool_path):
    X = RNG.normal(size=(5_100, 2))
    y = np.digitize(X[:, 0] + RNG.normal(size=5_100), [0.0])
    models = [
        ("hist", BoostedRanks(5)),
        BoostedClasses(),
        ("ridge", Ridge()),
        ("trees", ExtraTreesRegressor(3)),
    ]
    pool = OrdinalStacking(models, random_state=0).fit(X, y)
    write_model(pool_path, pool)
    np.testing.assert_array_equal(
        read_model(pool_path).predict_proba(X), pool.predict_proba(X)
    )


def test_other_archives_are_neither_written_nor_read(pool, pool_path):
    write_model(pool_path, pool)
    content = pool_path.read_bytes()
    own = OrdinalStacking([Own()]).fit(X, Y)
    with pytest.raises(ValueError, match=r"cannot be written to a file: it holds .*Own"):
        write_model(pool_path, own)
    assert pool_path.read_bytes() == content
    changed = OrdinalStacking([Ridge()]).fit(X, Y)
    changed.excluded_ = {"a": os.system}
    text = text_of(content, "the pool")
    for models, said in (
        ({"ensemble": own}, r"never writes: it is not opened \(.*Own"),
        ({"ensemble": changed}, "types that moselect never writes"),
        (Ridge(), "is not a model, but a Ridge"),
    ):
        pool_path.write_bytes(with_text(skops.io.dumps(models), text))
        with pytest.raises(ValueError, match=said):
            read_model(pool_path)
    pool_path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match="cannot be read"):
        read_model(pool_path)


def test_a_model_on_scores_of_models_comes_back_to_the_last_bit(tmp_path):
    names = ["proportional_odds", "extra_trees"]
    columns = make_pipeline(ModelColumns(names, random_state=0)).fit(X, Y)
    model = OrdinalLinearClassifier([1.0, 0.5], [2.5, 3.5], [0, 1, 2], names, columns)
    with pytest.raises(ValueError, match=r"name the file '.*model\.skops'"):
        write_model(tmp_path / "model.json", model)
    write_model(tmp_path / "model.skops", model, {"why": "test"})
    again = read_model(tmp_path / "model.skops")
    assert again.about == {"why": "test"}
    scores = again.decision_function(X)
    np.testing.assert_array_equal(scores, model.decision_function(X))
    told = predict_table(again, X[["c", "b", "a"]].astype({"b": str}))
    np.testing.assert_array_equal(told.scores, scores)


@pytest.mark.parametrize("shape", [(2, 2), (3, 4)])
def test_costs_of_other_classes_are_refused(pool, shape):
    with pytest.raises(ValueError, match="the cost matrix has shape"):
        Model(Classifier(pool), pool.classes_, LeastCost(np.ones(shape)))
