"""Files of models: to the last bit, plain, and refused in one line."""

import io
import json
import pickle
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier

from moselect.io import read_model, write_model
from moselect.io.archives import document_in, pack, unpack, with_document
from moselect.models import OrdinalStacking, WrappedClassifier
from moselect.predictor import OrdinalLinearClassifier
from moselect.predictor.conversion import to_predictor
from tests.any_tables import ordinal_table

finite = st.floats(-1e150, 1e150)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@st.composite
def models(draw):
    coef = draw(st.lists(finite, min_size=1, max_size=5))
    label_types = (st.integers(-(2**53), 2**53), names, finite)
    classes = draw(
        st.one_of([st.lists(k, min_size=2, max_size=5, unique=True) for k in label_types])
    )
    thresholds = sorted(draw(finite) for _ in classes[1:])
    columns = st.lists(names, min_size=len(coef), max_size=len(coef), unique=True)
    return OrdinalLinearClassifier(coef, thresholds, classes, draw(st.none() | columns))


@given(model=models())
def test_a_linear_model_is_restored_to_the_last_bit(tmp_path_factory, model):
    path = tmp_path_factory.mktemp("models") / "model.json"
    write_model(path, model, {"note": "größe"})
    again = read_model(path)
    for name in ("coef_", "thresholds_", "classes_"):
        found = getattr(again, name)
        expected = getattr(model, name)
        assert found.tobytes() == expected.tobytes()
        assert found.dtype == expected.dtype
    assert again.feature_names == model.feature_names
    write_model(path.with_name("again.json"), again, {"note": "größe"})
    assert path.with_name("again.json").read_bytes() == path.read_bytes()


MODEL = OrdinalLinearClassifier(
    [0.1, -2.0], [0.0, 1.0], ["low", "mid", "high"], ["a", "b"]
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.json"
    write_model(path, MODEL)
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"format": "a poem"}', "is no moselect model: moselect select writes one"),
        (b"PK\x03\x04 no archive", "is damaged: BadZipFile"),
        (pickle.dumps(MODEL), "is damaged"),
    ],
)
def test_files_that_are_no_models_are_refused(path, content, message):
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"model\.json'.*{message}"):
        read_model(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "has schema 2, but this version reads schema 1: update moselect"),
        ({"columns": [{"step": "pickle", "content": {}}]}, "pickle"),
    ],
)
def test_edited_models_are_refused(path, change, message):
    edited = {**json.loads(path.read_text()), "checksum": None, **change}
    path.write_text(json.dumps(edited))
    with pytest.raises(ValueError, match=r"model\.json'") as error:
        read_model(path)
    assert message in str(error.value)


def test_a_model_edited_by_hand_is_read_once_its_checksum_is_removed(path):
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document))  # other white space
    assert_array_equal(read_model(path).coef_, MODEL.coef_)
    document["coef"][0] = 5.0
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match="checksum differs; if you edited it, remove"):
        read_model(path)
    del document["checksum"]
    path.write_text(json.dumps(document))
    assert read_model(path).coef_[0] == 5.0


def test_a_failed_write_keeps_the_old_file(path):
    before = path.read_bytes()
    for error, message, options in (
        (TypeError, "cannot be recorded", {"about": {"cost": object()}}),
        (ValueError, "exists already", {"overwrite": False}),
    ):
        with pytest.raises(error, match=message):
            write_model(path, MODEL, **options)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


X, Y = ordinal_table(90)
X = pd.DataFrame(X, columns=list("abc"))


@pytest.fixture(scope="module")
def ensemble():
    return OrdinalStacking(cv=2, random_state=0).fit(X, Y)


@pytest.fixture
def ensemble_path(ensemble, tmp_path):
    """Write the ensemble to a file."""
    path = tmp_path / "ensemble.npz"
    write_model(path, ensemble)
    return path


def test_an_ensemble_is_restored_to_the_last_bit(ensemble, ensemble_path):
    again = read_model(ensemble_path)
    proba = again.predict_proba(X)
    assert_array_equal(proba, to_predictor(ensemble).predict_proba(X))
    assert_allclose(proba, ensemble.predict_proba(X), atol=1e-12)
    content = ensemble_path.read_bytes()
    write_model(ensemble_path, again)
    assert ensemble_path.read_bytes() == content
    with np.load(ensemble_path) as arrays:  # plain ones, for anyone
        assert {array.dtype.kind for array in arrays.values()} == set("fiuU")


def test_objects_are_never_unpickled(ensemble_path):
    pickled = io.BytesIO()
    np.save(pickled, np.array([MODEL], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(ensemble_path, "a") as archive:
        archive.writestr("graph/more.npy", pickled.getvalue())
    with pytest.raises(ValueError, match="Object arrays cannot be loaded"):
        read_model(ensemble_path)


def test_a_custom_classifier_is_read_only_with_its_own_version(tmp_path):
    path = tmp_path / "forest.npz"
    model = WrappedClassifier(RandomForestClassifier(3, random_state=0)).fit(X, Y)
    write_model(path, model)
    again = read_model(path)
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.feature_names == list("abc")
    arrays = unpack(path.read_bytes(), "it")
    document = document_in(arrays)
    here = document["own_classifier"]["version"]
    document["own_classifier"]["version"] = "0.1"
    arrays["classifier"] = np.zeros(1, dtype=np.uint8)  # is not opened
    path.write_bytes(pack(with_document(document, arrays)))
    message = rf"RandomForestClassifier of scikit-learn==0\.1, but {here} is installed"
    with pytest.raises(ValueError, match=message):
        read_model(path)
