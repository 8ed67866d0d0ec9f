from __future__ import annotations

import hashlib
import io
import os
import pickle
import resource
import signal

import numpy as np
import pytest

from moselect.storage import Checkpoints

STATE = {
    "points": np.arange(6.0).reshape(3, 2),
    "seconds": np.array(1.25),
    "swarm.generator": np.array('{"größe": 340282366920938463463374607431768211455}'),
}


def signed(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue() + hashlib.sha256(buffer.getvalue()).digest()


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)
        assert found[name].dtype == values.dtype


@pytest.fixture
def checkpoints(tmp_path):
    return Checkpoints(tmp_path)


def test_the_last_state_comes_back_to_the_last_bit(checkpoints):
    assert checkpoints.load(0) is None
    for seconds in range(3):
        state = {**STATE, "seconds": np.array(float(seconds))}
        checkpoints.save(0, state)
        assert_same(checkpoints.load(0), state)


def test_any_damaged_byte_is_found(checkpoints, tmp_path):
    checkpoints.save(0, STATE)
    path = tmp_path / "run-000.npz"
    content = path.read_bytes()
    flipped = [bytearray(content) for _ in range(0, len(content), 3)]
    for i, one in enumerate(flipped):
        one[3 * i] ^= 0x15
    for damaged in (b"", content[:200], *flipped):
        path.write_bytes(damaged)
        with pytest.warns(UserWarning, match=r"run-000\.npz' is damaged .*: this run begins anew"):
            assert checkpoints.load(0) is None


def test_checkpoints_of_another_schema_are_refused(checkpoints, tmp_path):
    (tmp_path / "run-000.npz").write_bytes(signed(schema=np.array(99), **STATE))
    with pytest.warns(UserWarning, match="its schema is 99, this version reads 2"):
        assert checkpoints.load(0) is None


class Bomb:
    def __reduce__(self):
        return (os.mkdir, ("bombed",))


@pytest.mark.parametrize("how", ["pickle", "object array"])
def test_nothing_in_a_checkpoint_is_executed(checkpoints, tmp_path, monkeypatch, how):
    monkeypatch.chdir(tmp_path)
    if how == "pickle":
        content = pickle.dumps(Bomb())
        content += hashlib.sha256(content).digest()
    else:
        content = signed(schema=np.array(1), points=np.array([Bomb()], dtype=object))
    (tmp_path / "run-000.npz").write_bytes(content)
    with pytest.warns(UserWarning, match="damaged"):
        assert checkpoints.load(0) is None
    assert not (tmp_path / "bombed").exists()


def test_a_full_disk_is_told_and_what_was_there_stays(checkpoints, tmp_path):
    checkpoints.save(0, STATE)
    large = {**STATE, "points": np.zeros((10_000, 6))}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        with pytest.warns(UserWarning, match="no checkpoint could be written .*goes on without"):
            checkpoints.save(0, large)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert_same(checkpoints.load(0), STATE)
    assert [path.name for path in tmp_path.iterdir()] == ["run-000.npz"]
    checkpoints.save(0, large)
    assert_same(checkpoints.load(0), large)
