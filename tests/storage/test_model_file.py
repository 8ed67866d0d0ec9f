from __future__ import annotations

import json
import os
import re

import msgspec
import numpy as np
import pandas as pd
import pytest
import skops.io
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline

from moselect.columns import ModelColumns, Preparation, predict_table
from moselect.models import OrdinalLinearClassifier, class_probabilities, model_card
from moselect.models.card import calibrate_score
from moselect.storage import read_kept, read_model, read_model_document, write_model
from moselect.storage.skops_bytes import TRUSTED_TYPES

finite = st.floats(-1e150, 1e150)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@st.composite
def models(draw):
    coef = draw(st.lists(finite, min_size=1, max_size=5))
    kinds = (st.integers(-(2**53), 2**53), names, finite)
    classes = draw(st.one_of([st.lists(k, min_size=2, max_size=5, unique=True) for k in kinds]))
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


MODEL = OrdinalLinearClassifier([0.1, -2.0], [0.0, 1.0], ["low", "mid", "high"], ["a", "b"])

ROWS = ([[1.0, 2.0], [3.0, 5.0], [2.0, 2.0]], ["low", "mid", "low"])
CARD = msgspec.to_builtins(model_card(MODEL, *ROWS, predicts="grade", seed=3))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.json"
    write_model(path, MODEL)
    return path


def test_the_file_is_plain(path):
    content = json.loads(path.read_text())
    assert content["coef"] == [0.1, -2.0]
    assert content["thresholds"] == [0.0, 1.0]
    assert content["classes"] == ["low", "mid", "high"]
    assert content["feature_names"] == ["a", "b"]


def test_a_model_of_booleans(tmp_path):
    write_model(tmp_path / "m.json", OrdinalLinearClassifier([1.0], [0.5], [False, True]))
    assert read_model(tmp_path / "m.json").predict([[0.0], [1.0]]).tolist() == [False, True]


DEEP = b'{"format": "moselect model", "about": {"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b'{"a": NaN}', b"\x80\x04\x95", b'{"coef": Infinity}', DEEP],
)
def test_what_is_no_json_is_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"model\.json' is not a model: it is no valid JSON"):
        read_model(path)


@pytest.mark.parametrize("content", ["[]", "3", "null", "{}", '{"format": "a poem"}'])
def test_other_json_is_refused(path, content):
    path.write_text(content)
    with pytest.raises(ValueError, match="is not a model: moselect select writes one"):
        read_model(path)


@pytest.mark.parametrize("schema", [0, 2, "1", None, True, 1.0, [1]])
def test_other_schemas_are_refused(path, schema):
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema": schema}))
    with pytest.raises(
        ValueError, match=re.escape(f"has schema {schema}, but this version reads schema 1")
    ):
        read_model(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coef": []}, "length >= 1 - at `$.coef`"),
        ({"coef": {"a": 1}}, "Expected `array`, got `object` - at `$.coef`"),
        ({"coef": [1.0, "x"]}, "Expected `float`, got `str` - at `$.coef"),
        ({"coef": [1.0, True]}, "Expected `float`, got `bool` - at `$.coef"),
        ({"coef": [1.0, [2.0]]}, "Expected `float`, got `array` - at `$.coef"),
        ({"coef": [1.0, None]}, "Expected `float`, got `null` - at `$.coef"),
        ({"coef": [1.0, 10**400]}, "coef"),
        ({"coef": [1.0, 1e308]}, "Expected `float` <= 1e+150 - at `$.coef"),
        ({"thresholds": [-1e308, 0.0]}, "Expected `float` >= -1e+150 - at `$.thresholds"),
        ({"coef": [1.0]}, "feature_names must be 1 different names"),
        ({"thresholds": [1.0, 0.0]}, "thresholds must ascend"),
        ({"thresholds": [1.0]}, "3 classes need 2 thresholds"),
        ({"classes": ["low", "low", "high"]}, "classes must be different"),
        ({"classes": ["low", 2, "high"]}, "classes must be different labels of one kind"),
        ({"classes": [0, False, 1]}, "classes must be different labels of one kind"),
        ({"classes": ["low"]}, "length >= 2 - at `$.classes`"),
        ({"classes": [None, 1, 2]}, "got `null` - at `$.classes"),
        ({"classes": list(range(1001))}, "length <= 1000 - at `$.classes`"),
        ({"feature_names": ["a", "a"]}, "feature_names must be 2 different names"),
        ({"feature_names": ["a", 1]}, "got `int` - at `$.feature_names"),
        ({"feature_names": "ab"}, "got `str` - at `$.feature_names`"),
        ({"feature_names": ["a", "b" * 10_001]}, "length <= 10000 - at `$.feature_names"),
        ({"colour": 1}, "unknown field `colour`"),
        ({"card": []}, "Expected `object | null`, got `array` - at `$.card`"),
        ({"card": {**CARD, "seed": True}}, "got `bool` - at `$.card.seed`"),
        ({"card": {**CARD, "schema": True}}, "at `$.card.schema`"),
        ({"card": {**CARD, "colour": 1}}, "unknown field `colour` - at `$.card`"),
        ({"card": {**CARD, "class_counts": [1, 2]}}, "class_counts has 2 classes, the model 3"),
        ({"card": {**CARD, "confusion": [[1, 2, 3]] * 2}}, "confusion has 2 classes"),
        ({"card": {**CARD, "confusion": [[1, 2]] * 3}}, "confusion (row) has 2 classes"),
        ({"card": {**CARD, "features": []}}, "the card is about other features"),
    ],
)
def test_damaged_models_are_refused(path, change, message):
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ValueError, match=r"model\.json' is damaged: ") as error:
        read_model(path)
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["format", "schema", "coef", "thresholds", "classes"])
def test_parts_that_are_missing_are_told(path, name):
    content = json.loads(path.read_text())
    del content[name]
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=r"model\.json'"):
        read_model(path)


def test_there_is_no_file(tmp_path):
    with pytest.raises(ValueError, match=r"cannot read the model .*No such file"):
        read_model(tmp_path / "model.json")


def test_what_json_cannot_hold_leaves_the_old_file(path):
    before = path.read_bytes()
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_model(path, MODEL, {"cost": np.nan})
    with pytest.raises(TypeError, match="cannot be recorded"):
        write_model(path, MODEL, {"cost": object()})
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
        figures=[{"name": "accuracy", "value": 0.5, "rows": "new data", "interval": (0.4, 0.6)}],
        calibration={"slope": 2.0, "cuts": [0.0, 1.0]},
    )
    write_model(path, MODEL, card=card)
    assert read_model_document(path).card == card
    a, b = card.features
    assert (a.unit, a.minimum, a.maximum, a.mean) == ("km", 1.0, 3.0, 2.0)
    assert (b.unit, b.minimum, b.maximum, b.mean) == (None, 2.0, 5.0, 3.0)
    assert card.class_counts == [2, 1, 0]
    msgspec.json.schema(type(card))


def test_a_card_of_another_model_is_refused(path):
    other = OrdinalLinearClassifier([0.1, -2.0], [0.0, 1.0], ["low", "mid", "high"], ["a", "c"])
    before = path.read_bytes()
    with pytest.raises(ValueError, match="about other features"):
        write_model(path, other, card=model_card(MODEL, *ROWS, predicts="grade"))
    with pytest.raises(ValueError, match="no class of the model"):
        model_card(MODEL, ROWS[0], ["low", "mid", "best"], predicts="grade")
    with pytest.raises(ValueError, match="larger than 1e"):
        write_model(path, OrdinalLinearClassifier([1e300], [0.0], ["a", "b"]))
    assert path.read_bytes() == before


def test_large_files_are_not_read(path):
    with path.open("r+b") as file:
        file.truncate(64 * 2**20 + 1)
    with pytest.raises(ValueError, match="more than 64 MB"):
        read_model(path)


def test_class_probabilities_of_a_score_are_those_it_was_drawn_from():
    rng = np.random.default_rng(3)
    score = rng.normal(40.0, 5.0, 20_000)
    noisy = 0.7 * score + rng.logistic(size=20_000)
    found = calibrate_score(score, np.digitize(noisy, [26.0, 30.0]), 3)
    assert found.slope == pytest.approx(0.7, rel=0.05)
    assert found.cuts == pytest.approx([26.0, 30.0], rel=0.05)
    probabilities = class_probabilities(found.slope * score, np.array(found.cuts))
    expected = class_probabilities(0.7 * score, np.array([26.0, 30.0]))
    np.testing.assert_allclose(probabilities, expected, atol=0.03)


def test_what_could_not_be_read_is_not_written(tmp_path):
    model = OrdinalLinearClassifier([1.0], [0.0], ["low", "h" * 10**7])
    with pytest.raises(ValueError, match=r"cannot be written to a file: .*length <= 10000"):
        write_model(tmp_path / "new.json", model)
    assert not list(tmp_path.glob("*new*"))


@pytest.fixture(scope="module")
def scoring():
    """Return a model that weighs the scores of two other models, and its table."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(80, 2)), columns=["a", "b"])
    y = np.digitize(table["a"] + 0.3 * rng.normal(size=80), [-0.5, 0.5])
    columns = make_pipeline(ModelColumns(["proportional_odds", "extra_trees"], random_state=0))
    columns.fit(table, y)
    names = ["proportional_odds", "extra_trees"]
    return OrdinalLinearClassifier([1.0, 0.5], [2.5, 3.5], [0, 1, 2], names, columns), table


def test_a_model_on_scores_of_models_comes_back_to_the_last_bit(scoring, tmp_path):
    model, table = scoring
    write_model(tmp_path / "model.skops", model, {"why": "test"})
    kept = read_kept(tmp_path / "model.skops")
    assert kept.document.about == {"why": "test"}
    scores = kept.model.decision_function(table)
    np.testing.assert_array_equal(scores, model.decision_function(table))
    again = predict_table(kept.model, table[["b", "a"]].assign(b=table["b"].astype(str)))
    np.testing.assert_array_equal(again.scores, scores)


def test_a_model_on_scores_of_models_is_no_text(scoring, tmp_path):
    with pytest.raises(ValueError, match=r"name the file '.*model\.skops'"):
        write_model(tmp_path / "model.json", scoring[0])
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
def test_a_strangers_model_with_other_types_is_refused(scoring, tmp_path):
    model, _ = scoring
    path = tmp_path / "model.skops"
    write_model(path, model)
    value = skops.io.loads(path.read_bytes(), trusted=list(TRUSTED_TYPES))
    value["columns"].pool_.left_out_ = {"a": os.system}
    skops.io.dump(value, path)
    with pytest.raises(ValueError, match="which moselect never writes: it is not opened"):
        read_model(path)


def test_weights_for_other_columns_than_are_made(tmp_path):
    table = pd.DataFrame({"age": [31.0, None, 45.0, 52.0], "kind": ["car", "van", "car", "bus"]})
    columns = make_pipeline(Preparation()).fit(table)
    names = [str(name) for name in columns.get_feature_names_out()]
    model = OrdinalLinearClassifier(np.arange(1.0, len(names) + 1), [2.0], [1, 2], names, columns)
    path = tmp_path / "model.json"
    write_model(path, model)
    assert read_model(path).predict(table).tolist() == model.predict(table).tolist()
    document = json.loads(path.read_text())
    document["columns"][0]["content"]["columns"].reverse()
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match="weights are for other columns than it makes"):
        read_model(path)
