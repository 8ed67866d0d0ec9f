"""Damaged and forged files of ensembles: refused in one line, soon, or read as they were."""

import io
import json
import time
import zipfile

import numpy as np
import pytest

from moselect.io import read_model, write_model
from moselect.io.archives import pack, unpack
from moselect.models import OrdinalStacking
from moselect.operators.graph import TREE_ENSEMBLE
from moselect.operators.trees import Trees

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 3))
Y = np.digitize(X[:, 0] + 0.5 * RNG.normal(size=90), [-0.5, 0.5])
SECONDS = 1.0
N_DAMAGES = 100  # drawn for each type of damage


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("forged") / "ensemble.npz"
    write_model(path, OrdinalStacking(random_state=0).fit(X, Y))
    read_model(path)  # imports what is slow to import
    return path


@pytest.fixture(scope="module")
def content(path):
    return path.read_bytes()


def read_error(path, forged):
    """Read and predict with a forged file; return the error message, or None."""
    path.write_bytes(forged)
    begun = time.perf_counter()
    try:
        read_model(path).predict_proba(X)
        message = None
    except ValueError as error:
        message = str(error)
        assert "\n" not in message
        assert len(message) < 700
    assert time.perf_counter() - begun < SECONDS
    return message


def test_truncated_and_changed_files_are_refused(path, content):
    expected = None
    for _ in range(N_DAMAGES):
        place = int(RNG.integers(len(content)))
        assert read_error(path, content[:place]) is not None
        changed = bytearray(content)
        changed[place] ^= int(RNG.integers(1, 256))
        if (
            read_error(path, bytes(changed)) is None
        ):  # a byte that means nothing, as of a date
            expected = read_model(path).predict_proba(X)
    if expected is not None:
        path.write_bytes(content)
        np.testing.assert_array_equal(read_model(path).predict_proba(X), expected)


FORGERIES = {  # of an array of trees, which a compiled loop trusts
    "true_nodes": (
        np.zeros_like,  # the root is its own child
        lambda a: np.full_like(a, len(a)),
        lambda a: a[:-1],
    ),
    "false_nodes": (lambda a: a - len(a) - 9, lambda a: a * 1.0),
    "roots": (lambda a: a - 1, lambda a: a + 10**9),
    "features": (lambda a: a + 999, lambda a: a - 10),
    "splits": (lambda a: a * np.nan, lambda a: a[:, None]),
    "sets": (lambda a: a + 999,),
    "members": (np.ravel,),
    "targets": (lambda a: a + 9_999, lambda a: a - 1),
    "values": (lambda a: a + np.inf, lambda a: a[1:]),
}


def test_arrays_out_of_bounds_are_refused(path, content):
    arrays = unpack(content, "it")
    for name in list(arrays)[::3]:
        without = {other: arrays[other] for other in arrays if other != name}
        assert read_error(path, pack(without)) is not None
    document = json.loads(arrays["document"].item())
    of_trees = [
        inputs[1:]
        for operator, inputs, *_ in document["graph"]["nodes"]
        if operator == TREE_ENSEMBLE
    ]
    for names in of_trees[::4]:
        for setting, forgeries in FORGERIES.items():
            name = "graph/" + names[Trees._fields.index(setting)]
            for forge in forgeries:
                forged = pack({**arrays, name: forge(arrays[name])})
                assert read_error(path, forged) is not None, name


def test_no_result_takes_the_place_of_an_array_of_trees(path, content):
    arrays = unpack(content, "it")
    document = json.loads(arrays["document"].item())
    nodes = document["graph"]["nodes"]
    trees = next(node for node in nodes if node[0] == TREE_ENSEMBLE)
    targets = trees[1][1 + Trees._fields.index("targets")]
    arrays["graph/far"] = np.full_like(arrays[f"graph/{targets}"], 10**12)
    nodes.insert(0, ["Add", ["far", "far"], targets, {}])
    arrays["document"] = np.array(json.dumps(document))
    assert "names of its arrays" in read_error(path, pack(arrays))


def test_objects_are_never_unpickled(path, content):
    class Evil:
        def __reduce__(self):
            return (print, ("executed",))

    pickled = io.BytesIO()
    np.save(pickled, np.array([Evil()], dtype=object), allow_pickle=True)
    file = io.BytesIO(content)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("graph/more.npy", pickled.getvalue())
    assert "Object arrays cannot be loaded" in read_error(path, file.getvalue())
