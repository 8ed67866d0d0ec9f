import os
import pickle

import numpy as np
import pytest

from moselect.io import Checkpoints

STATE = {
    "points": np.arange(6.0).reshape(3, 2),
    "seconds": np.array(1.25),
    "swarm.generator": np.array('{"größe": 340282366920938463463374607431768211455}'),
}


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)
        assert found[name].dtype == values.dtype


@pytest.fixture
def checkpoints(tmp_path):
    return Checkpoints(tmp_path)


def test_the_last_state_is_restored_to_the_last_bit(checkpoints):
    assert checkpoints.load(0) is None
    for seconds in range(3):
        state = {**STATE, "seconds": np.array(float(seconds))}
        checkpoints.save(0, state)
        assert_same(checkpoints.load(0), state)


class Bomb:
    def __reduce__(self):
        return (os.mkdir, ("bombed",))


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:700] + b"???" + content[703:],
        lambda content: pickle.dumps(Bomb()),
    ],
)
def test_a_damaged_state_gives_a_warning_and_is_never_executed(
    checkpoints, tmp_path, monkeypatch, damage
):
    monkeypatch.chdir(tmp_path)
    checkpoints.save(0, STATE)
    path = tmp_path / "run-000.npz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(
        UserWarning, match=r"run-000\.npz' is damaged or of .*: this run begins"
    ):
        assert checkpoints.load(0) is None
    assert not (tmp_path / "bombed").exists()


def test_a_full_disk_gives_a_warning_and_keeps_the_last_state(
    checkpoints, tmp_path, limit_file_size
):
    checkpoints.save(0, STATE)
    large = {**STATE, "points": np.random.default_rng(0).normal(size=(10_000, 6))}
    message = "cannot write .*goes on without"
    with limit_file_size(50_000), pytest.warns(UserWarning, match=message):
        checkpoints.save(0, large)
    assert_same(checkpoints.load(0), STATE)
    assert [path.name for path in tmp_path.iterdir()] == ["run-000.npz"]
    checkpoints.save(0, large)
    assert_same(checkpoints.load(0), large)
