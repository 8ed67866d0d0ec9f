"""Folders of unfinished searches: claims and checkpoints."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from moselect import ParetoSearch
from moselect.io import Checkpoints, read_run
from moselect.io.unfinished import begin_run, check_run_path, claim_new_run
from moselect.search import SearchSettings


def make(**settings):
    size = {"n_particles": 10, "n_iterations": 4, "n_runs": 2, "cv": 2}
    return ParetoSearch(**size, random_state=4, **settings)


class KilledError(Exception):
    """End a search before its last round, as a kill would."""


def settings_in(search):
    fields = SearchSettings.__dataclass_fields__
    return SearchSettings(**{name: getattr(search, name) for name in fields})


def interrupt_search(data, path):
    """Begin a search and end it after its first round."""

    def end(progress):
        raise KilledError

    search = make()
    with (
        pytest.raises(KilledError),
        begin_run(path, settings_in(search), data) as checkpoints,
    ):
        search.fit(data.X, data.y, callback=end, checkpoints=checkpoints)


def test_states_of_another_search_are_refused(tmp_path, data):
    with begin_run(tmp_path / "run", settings_in(make()), data) as checkpoints:
        make().fit(data.X, data.y, checkpoints=checkpoints)
    objectives = ("vus", "accuracy")
    for other, X in ((make(objectives=objectives), data.X), (make(), data.X + 1.0)):
        with pytest.raises(ValueError, match="belongs to another search"):
            other.fit(X, data.y, checkpoints=checkpoints)


def test_an_unfinished_run_names_the_way_to_resume(tmp_path, data):
    path = tmp_path / "run"
    interrupt_search(data, path)
    with pytest.raises(ValueError, match=rf"has not ended: .*resume={path}"):
        read_run(path)
    with pytest.raises(ValueError, match=rf"resume it \(resume={path}\)"):
        check_run_path(path, force=False)
    check_run_path(path, force=True)


def test_every_search_has_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    barrier = threading.Barrier(8)

    def claim(_):
        barrier.wait(10)
        with claim_new_run("boston") as path:
            (path / "front.csv").write_text("found")
            time.sleep(0.01)
            return path

    with ThreadPoolExecutor(8) as executor:
        paths = set(executor.map(claim, range(32)))
    assert len(paths) == 32
    assert {p.parent for p in (tmp_path / "runs").rglob("front.csv")} == {
        tmp_path / path for path in paths
    }
    assert list(tmp_path.rglob(".*")) == []


def test_a_damaged_state_gives_a_warning(tmp_path):
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(0, {"points": np.arange(90.0)})
    path = tmp_path / "run-000.npz"
    content = path.read_bytes()
    path.write_bytes(content[:300] + b"???" + content[303:])
    with pytest.warns(UserWarning, match=r"damaged or of .*: this run begins"):
        assert checkpoints.load(0) is None
