"""Run folders: restored to the last bit, and replaced atomically."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from moselect import ParetoSearch
from moselect.datasets import Dataset
from moselect.datasets.load import fingerprint
from moselect.io import read_run, write_run
from moselect.io.unfinished import check_run_path
from tests.io.conftest import draw_grades, fit_grades


@pytest.fixture
def run(tmp_path, search, data):
    return write_run(tmp_path / "runs" / "first", search, data, seconds=1.23456)


def change(run, **changed):
    """Change fields of the record of a run."""
    path = run.path / "run.json"
    record = json.loads(path.read_bytes()) | changed
    path.write_text(json.dumps(record))


def assert_same(found, front):
    """Check that two fronts have the same figures, to the last bit."""
    pd.testing.assert_frame_equal(found.to_frame(), front.to_frame(), check_exact=True)


def write_and_read(tmp_path, search, data):
    """Write a search to a folder, and read its front again."""
    write_run(tmp_path / "run", search, data, 1.0)
    return read_run(tmp_path / "run").front


@pytest.mark.parametrize(
    ("labels", "holdout", "name"),
    [((1, 2, 3), None, "größe"), (("low", "mid", "high"), 0.3, "gr\r\nöße")],
)
def test_a_front_is_restored_to_the_last_bit(tmp_path, labels, holdout, name):
    data = draw_grades(labels)
    data = replace(data, X=data.X.rename(columns={"größe": name}))
    search = fit_grades(data, holdout=holdout)
    front = search.front_
    again = write_and_read(tmp_path, search, data)
    assert_same(again, front)
    pd.testing.assert_series_equal(again.chance, front.chance, check_exact=True)
    assert (again.holdout is None) == (holdout is None)
    for own, other in zip(again.fold_fronts, front.fold_fronts, strict=True):
        assert_same(own, other)
        assert_array_equal(own.holdout_confusions, other.holdout_confusions)
    assert again.classes.tolist() == list(labels)
    assert again.feature_names == (name, "weight, kg")
    assert_array_equal(again[0].predict(data.X), front[0].predict(data.X))


def test_folds_may_have_fewer_columns_than_others(tmp_path, rng):
    X = pd.DataFrame({"a": rng.normal(size=60), "few": rng.integers(0, 7, size=60)})
    # the seventh value is in one fold only: the curve is a line without it
    X["few"] = X["few"].clip(upper=5).where(X.index > 0, 6)
    y = np.digitize(X["a"] + 0.3 * rng.normal(size=60), [-0.5, 0.5])
    settings = {"n_particles": 4, "n_iterations": 2, "cv": 2, "random_state": 0}
    search = ParetoSearch(columns="splines", **settings).fit(X, y)
    folds = search.front_.fold_fronts
    assert len({fold.weights.shape[1] for fold in folds}) == 2
    data = Dataset("t", X, pd.Series(y, name="y"), (0, 1, 2), "y")
    again = write_and_read(tmp_path, search, data)
    for found, fold in zip(again.fold_fronts, folds, strict=True):
        assert_array_equal(found.weights, fold.weights)


def test_only_run_folders_and_empty_folders_are_replaced(tmp_path, run):
    (tmp_path / "empty").mkdir()
    (tmp_path / "thesis.txt").write_text("all my work")
    for name in ("deep/new", "empty"):
        check_run_path(tmp_path / name, force=False)
    for name, force, message in (
        ("runs/first", False, r"exists already.*force=True"),
        ("", True, "not a run folder"),
        ("", False, "exists already"),
        ("thesis.txt", True, "is a file"),
    ):
        with pytest.raises(ValueError, match=message):
            check_run_path(tmp_path / name, force=force)
    change(run, schema=1)  # of another version
    check_run_path(run.path, force=True)


@pytest.mark.parametrize(
    ("schema", "advice"), [(7, "search again, with the data"), (9, "update moselect")]
)
def test_records_of_other_versions_are_refused(run, schema, advice):
    change(run, schema=schema)
    message = f"has schema {schema}, but this version reads schema 8: {advice}"
    with pytest.raises(ValueError, match=message) as error:
        read_run(run.path)
    assert len(str(error.value).splitlines()) == 1


CHANGES = {
    "nothing": lambda X, y: (X.copy(), y.copy()),
    "index": lambda X, y: (X.set_axis(X.index + 9), y.set_axis(X.index + 9)),
    "value": lambda X, y: (X.replace(X.iat[7, 1], np.nextafter(X.iat[7, 1], 9.0)), y),
    "feature name": lambda X, y: (X.rename(columns={"größe": "groesse"}), y),
    "label": lambda X, y: (X, y.where(y.index > 0, 3)),
    "rows": lambda X, y: (X[::-1], y[::-1]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_fingerprint_changes_with_names_and_values_only(data, change):
    same = fingerprint(*CHANGES[change](data.X, data.y)) == fingerprint(data.X, data.y)
    assert same == (change in ("nothing", "index"))
