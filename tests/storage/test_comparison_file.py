from __future__ import annotations

import io
import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from moselect import compare
from moselect.storage import read_comparison, write_comparison

RNG = np.random.default_rng(3)
X = pd.DataFrame(RNG.normal(size=(60, 2)), columns=["größe", "b"])
CODES = np.digitize(X["b"] + RNG.normal(size=60), [-0.5, 0.7])
KINDS = {
    "numbers": (np.array([1, 5, 9])[CODES], None),
    "text": (np.array(["low", "mid", "höchst"])[CODES], ["low", "mid", "höchst"]),
    "bool": (CODES > 0, None),
}
MODELS = {
    "bayes ✓": GaussianNB(),
    "few": LogisticRegression(max_iter=1),  # warns
    "no/proba": "ordinal_ridge",
    "broken": LogisticRegression(C=-1.0),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "models.npz"


@cache
def compared(kind):
    y, labels = KINDS[kind]
    return compare(MODELS, X, y, labels=labels, cv=3, random_state=5)


def written(path, kind="numbers"):
    write_comparison(path, compared(kind))
    return compared(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_comparison_comes_back_to_the_last_bit(path, kind):
    found = written(path, kind)
    again = read_comparison(path)
    assert again.classes.tolist() == found.classes.tolist()
    assert list(again.results) == list(found.results)
    assert again.failures == found.failures
    assert again.failures.keys() == {"broken"}
    assert again.warnings == found.warnings
    assert again.warnings.keys() == {"few"}
    assert (again.fingerprint, again.random_state) == (found.fingerprint, 5)
    pd.testing.assert_frame_equal(again.per_fold, found.per_fold, check_exact=True)
    measure = "ranked_probability_error"  # of what is stored but was not measured before
    pd.testing.assert_frame_equal(again.measured([measure]), found.measured([measure]))
    pd.testing.assert_frame_equal(again.test("u_ovo"), found.test("u_ovo"), check_exact=True)
    costs = [1.0] * len(again.classes)
    pd.testing.assert_frame_equal(again.costs(costs), found.costs(costs), check_exact=True)
    assert str(again) == str(found)
    write_comparison(path.with_name("again.npz"), again)
    assert path.with_name("again.npz").read_bytes() == path.read_bytes()


def test_what_was_read_can_be_extended(path):
    found = written(path)
    told = []
    more = compare(
        MODELS | {"new": "trivial"},
        X,
        KINDS["numbers"][0],
        previous=read_comparison(path),
        report=told.append,
    )
    assert {progress.model for progress in told} == {"broken", "new"}
    assert set(more.results) == {*found.results, "new"}
    with pytest.raises(ValueError, match="other data"):
        compare("trivial", X * 2, KINDS["numbers"][0], previous=read_comparison(path))


def test_the_file_is_plain_and_says_what_it_is(path):
    written(path)
    with np.load(path, allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)
        record = json.loads(file["record"].tobytes())
    assert record["format"] == "moselect comparison"
    assert record["classes"] == [1, 5, 9]
    assert record["versions"].keys() >= {"python", "moselect", "numpy", "scikit-learn"}
    assert [model["name"] for model in record["models"]] == list(MODELS)
    assert list(path.parent.iterdir()) == [path]


def changed(path, **changes):
    """Write the file anew with other arrays, or another record."""
    with np.load(path) as file:
        arrays = dict(file)
    record = json.loads(arrays["record"].tobytes()) | changes.pop("record", {})
    arrays |= {name.replace("__", "."): value for name, value in changes.items()}
    arrays["record"] = np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **{name: a for name, a in arrays.items() if a is not None})
    path.write_bytes(buffer.getvalue())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"record": {"schema": 99}}, "has schema 99, but this version reads schema 2"),
        ({"record": {"format": "other"}}, "is not a comparison"),
        ({"record": {"measures": ["auc"]}}, "damaged: unknown measure 'auc'"),
        ({"record": {"classes": [1]}}, "damaged"),
        ({"record": {"models": [{"name": "a"}]}}, "damaged"),
        ({"codes": None}, "damaged"),
        ({"codes": np.zeros(5, dtype=np.int64)}, "damaged: its folds do not fit its samples"),
        ({"codes": np.full(60, 7)}, "damaged: its samples do not fit its classes"),
        ({"folds__rows": np.arange(9)}, "damaged"),
        ({"model0__scores": np.zeros(3)}, "damaged: model0 does not fit"),
        ({"model0__predicted": np.full(60, 3)}, "damaged: model0 does not fit"),
        ({"model0__proba": np.ones((3, 3))}, "damaged: model0 does not fit"),
        ({"model0__numbers": np.ones((2, 4))}, "damaged"),
    ],
)
def test_a_damaged_file_is_told_in_one_line(path, changes, message):
    written(path)
    changed(path, **changes)
    with pytest.raises(ValueError, match=message) as told:
        read_comparison(path)
    assert len(str(told.value).splitlines()) == 1


def test_files_that_are_none(path, tmp_path):
    with pytest.raises(ValueError, match="cannot read the comparison"):
        read_comparison(path)
    for content in (b"", b"not an archive", json.dumps({"a": 1}).encode()):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is not a comparison, or it is damaged"):
            read_comparison(path)
    np.savez(path, a=np.array([DummyClassifier()], dtype=object))
    with pytest.raises(ValueError, match="is not a comparison, or it is damaged"):
        read_comparison(path)
    with pytest.raises(ValueError, match="cannot read the comparison"):
        read_comparison(tmp_path)


def test_half_a_file_is_told(path):
    written(path)
    content = path.read_bytes()
    for end in (100, len(content) // 2, len(content) - 10):
        path.write_bytes(content[:end])
        with pytest.raises(ValueError, match="is not a comparison, or it is damaged"):
            read_comparison(path)
    middle = len(content) // 3
    path.write_bytes(content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :])
    with pytest.raises(ValueError, match="damaged"):
        read_comparison(path)
