from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.models import OrdinalLinearClassifier
from moselect.storage import read_model, write_model

finite = st.floats(allow_nan=False, allow_infinity=False)
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


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a": NaN}', b"\x80\x04\x95", b'{"coef": Infinity}'],
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


@pytest.mark.parametrize("schema", [0, 2, "1", None])
def test_other_schemas_are_refused(path, schema):
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema": schema}))
    with pytest.raises(ValueError, match=f"has schema {schema}, but this version reads schema 1"):
        read_model(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coef": []}, "coef must be a list"),
        ({"coef": {"a": 1}}, "coef must be a list"),
        ({"coef": [1.0, "x"]}, "coef holds 'x'"),
        ({"coef": [1.0, True]}, "coef holds 'True'"),
        ({"coef": [1.0, [2.0]]}, "coef holds"),
        ({"coef": [1.0, 10**400]}, "int too large"),
        ({"coef": [1.0]}, "feature_names must be 1 different names"),
        ({"thresholds": [1.0, 0.0]}, "thresholds must ascend"),
        ({"thresholds": [1.0]}, "3 classes need 2 thresholds"),
        ({"classes": ["low", "low", "high"]}, "classes must be at least two different"),
        ({"classes": ["low", 2, "high"]}, "classes must be at least two different labels of one"),
        ({"classes": ["low"]}, "classes must be at least two"),
        ({"classes": [None, 1, 2]}, "classes holds 'None'"),
        ({"feature_names": ["a", "a"]}, "feature_names must be 2 different names"),
        ({"feature_names": ["a", 1]}, "feature_names holds '1'"),
        ({"feature_names": "ab"}, "feature_names must be a list"),
    ],
)
def test_damaged_models_are_refused(path, change, message):
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ValueError, match=rf"model\.json' is damaged: .*{message}"):
        read_model(path)


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
