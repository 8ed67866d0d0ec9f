from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.datasets import Dataset
from moselect.datasets.load import fingerprint
from moselect.storage import check_run_path, new_run_path, read_run, write_run


def make_dataset(labels=(1, 2, 3)):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(30, 2)) / 3.0, columns=["größe", "weight, kg"])
    y = pd.Series(np.arange(30) % len(labels), name="grade").map(dict(enumerate(labels)))
    X["größe"] += pd.Series(np.arange(30) % len(labels)) / 2.0
    if isinstance(labels[0], str):
        y = y.astype(pd.CategoricalDtype(list(labels), ordered=True))
    return Dataset("schüler", X, y, tuple(labels), "grade")


def fit(data, **settings):
    search = ParetoSearch(n_particles=10, n_iterations=3, random_state=4, **settings)
    return search.set_params(labels=data.labels).fit(data.X, data.y)


@pytest.fixture(scope="module")
def data():
    return make_dataset()


@pytest.fixture(scope="module")
def search(data):
    return fit(data)


@pytest.fixture
def run(tmp_path, search, data):
    return write_run(tmp_path / "runs" / "first", search, data, seconds=1.23456)


def change(run, **record):
    path = run.path / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **record}))


@pytest.mark.parametrize("holdout", [None, 0.3])
@pytest.mark.parametrize("labels", [(1, 2, 3), ("low", "mid", "high"), (False, True), (0.5, 1.5)])
def test_a_front_comes_back_to_the_last_bit(tmp_path, labels, holdout):
    data = make_dataset(labels)
    search = fit(data, holdout=holdout)
    write_run(tmp_path / "run", search, data, 1.0)
    front, again = search.front_, read_run(tmp_path / "run").front
    pd.testing.assert_frame_equal(again.to_frame(), front.to_frame(), check_exact=True)
    pd.testing.assert_series_equal(again.chance, front.chance, check_exact=True)
    assert (again.holdout is None) == (holdout is None)
    for own, other in zip(again.fold_fronts, front.fold_fronts, strict=True):
        pd.testing.assert_frame_equal(own.to_frame(), other.to_frame(), check_exact=True)
        np.testing.assert_array_equal(own.holdout_confusions, other.holdout_confusions)
    np.testing.assert_array_equal(again.expected_costs(), front.expected_costs())
    assert again.classes.tolist() == list(labels)
    assert again.feature_names == ("größe", "weight, kg")
    np.testing.assert_array_equal(again[0].predict(data.X), front[0].predict(data.X))


@pytest.mark.parametrize("name", ["gr\röße", "gr\nöße", "gr\r\nöße", 'a,"b'])
def test_a_front_comes_back_whatever_is_in_the_names(tmp_path, name):
    data = make_dataset()
    data = Dataset(data.name, data.X.rename(columns={"größe": name}), data.y, data.labels, "grade")
    search = fit(data)
    write_run(tmp_path / "run", search, data, 1.0)
    again = read_run(tmp_path / "run").front
    assert again.feature_names == (name, "weight, kg")
    pd.testing.assert_frame_equal(again.to_frame(), search.front_.to_frame(), check_exact=True)


def test_a_record_says_what_was_done(run, search, data):
    record = read_run(run.path).record
    assert record == json.loads(json.dumps(run.record, default=list))
    assert record["data"] == {
        "name": "schüler",
        "loaded_by": {},
        "target": "grade",
        "fingerprint": data.fingerprint,
        "n_samples": 30,
        "n_features": 2,
    }
    assert record["n_evaluations"] == 30
    assert record["interrupted"] is False
    assert record["seconds"] == 1.235
    assert record["n_models"] == len(search.front_)
    assert record["classes"] == [1, 2, 3]
    assert record["chance"] == pytest.approx(
        {
            "accuracy": 1 / 3,
            "one_minus_mae": 1 / 3,
            "vus": 1 / 6,
            "u_cons": 0.5,
            "u_ovo": 0.5,
            "u_pairs": 0.5,
        }
    )
    assert 0.0 < record["hypervolume_above_chance"] < 1.0


def test_the_settings_of_a_record_repeat_the_search(run, data, search):
    again = ParetoSearch(**read_run(run.path).record["settings"]).fit(data.X, data.y)
    pd.testing.assert_frame_equal(
        again.front_.to_frame(), search.front_.to_frame(), check_exact=True
    )


def test_a_record_names_versions(run):
    versions = run.record["versions"]
    assert versions["python"] == platform.python_version()
    for name in ("numpy", "numba", "scipy", "scikit-learn", "pandas", "moocore"):
        assert versions[name] == version(name)
    assert "moselect" in versions


def test_settings_may_be_numpy_numbers(tmp_path, data):
    search = fit(data, max_evaluations=np.int64(12))
    write_run(tmp_path / "run", search, data, 1.0)
    assert read_run(tmp_path / "run").record["settings"]["max_evaluations"] == 12


def test_the_tables_of_a_run_are_plain_files(run, search):
    folds, *others = sorted(path.name for path in run.path.iterdir())
    assert folds.startswith("folds-")
    assert others == ["front.csv", "run.json"]
    table = pd.read_csv(run.path / folds, encoding="utf-8")
    assert table["fold"].value_counts(sort=False).tolist() == [
        len(front) for front in search.front_.fold_fronts
    ]
    table = pd.read_csv(run.path / "front.csv", encoding="utf-8")
    assert list(table.columns) == list(search.front_.to_frame().columns)
    assert "schüler" in (run.path / "run.json").read_text(encoding="utf-8")


def test_a_run_replaces_another_one_as_a_whole(run, data):
    (run.path / "figures").mkdir()
    (run.path / "figures" / "old.png").write_text("old")
    other = fit(data, n_runs=2)
    write_run(run.path, other, data, 1.0)
    assert len(read_run(run.path).front) == len(other.front_)
    assert not (run.path / "figures" / "old.png").exists()
    assert [path.name for path in run.path.parent.iterdir()] == ["first"]


def test_nothing_is_left_of_a_run_whose_parent_is_a_file(tmp_path, search, data):
    (tmp_path / "file").write_text("here first")
    with pytest.raises((OSError, ValueError)):
        write_run(tmp_path / "file" / "run", search, data, 1.0)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "here first"


def test_nothing_is_left_of_a_run_that_cannot_be_recorded(tmp_path, run, search, data):
    before = (run.path / "run.json").read_bytes()
    odd = fit(data)
    odd.labels = [object()]
    with pytest.raises(TypeError, match="cannot be recorded"):
        write_run(run.path, odd, data, 1.0)
    assert [path.name for path in run.path.parent.iterdir()] == ["first"]
    assert (run.path / "run.json").read_bytes() == before


def test_a_target_that_is_a_file_is_not_replaced(tmp_path, search, data):
    (tmp_path / "file").write_text("here first")
    with pytest.raises((OSError, ValueError)):
        write_run(tmp_path / "file", search, data, 1.0)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_run_is_only_replaced_by_force(run):
    with pytest.raises(ValueError, match=r"exists already.*--force"):
        check_run_path(run.path, force=False)
    check_run_path(run.path, force=True)


@pytest.mark.parametrize("force", [False, True])
def test_other_folders_are_never_replaced(tmp_path, force):
    (tmp_path / "thesis.txt").write_text("all my work")
    with pytest.raises(ValueError, match="not a run folder" if force else "exists already"):
        check_run_path(tmp_path, force=force)


@pytest.mark.parametrize("force", [False, True])
def test_files_are_never_replaced(tmp_path, force):
    (tmp_path / "thesis.txt").write_text("all my work")
    with pytest.raises(ValueError, match="is a file"):
        check_run_path(tmp_path / "thesis.txt", force=force)


@pytest.mark.parametrize("target", [".", "file/run", "new/run"])
def test_what_passes_the_check_can_be_written(tmp_path, monkeypatch, search, data, target):
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    if target.startswith("file"):
        (empty / "file").write_text("here first")
    try:
        check_run_path(Path(target), force=False)
    except ValueError:
        return
    write_run(Path(target), search, data, 1.0)
    assert len(read_run(Path(target)).front) == len(search.front_)


@pytest.mark.parametrize("force", [False, True])
def test_new_and_empty_folders_are_free(tmp_path, force):
    check_run_path(tmp_path / "deep" / "new", force=force)
    check_run_path(tmp_path, force=force)
    assert list(tmp_path.iterdir()) == []


def test_a_run_may_be_written_into_an_empty_folder(tmp_path, search, data):
    (tmp_path / "empty").mkdir()
    write_run(tmp_path / "empty", search, data, 1.0)
    assert len(read_run(tmp_path / "empty").front) == len(search.front_)


def test_reading_what_is_no_run(tmp_path):
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(ValueError, match="is not a run folder"):
            read_run(path)


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"a": 1}', b"[]", b"3", b"null", b"\xff\xfe", b'{"schema": 4}']
)
def test_a_damaged_record(run, content):
    (run.path / "run.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"run\.json' is damaged"):
        read_run(run.path)


@pytest.mark.parametrize("missing", ["chance", "classes", "front_sha256", "folds_sha256"])
def test_a_record_that_lacks_something(run, missing):
    path = run.path / "run.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    del record[missing]
    path.write_text(json.dumps(record))
    with pytest.raises(ValueError, match=f"is damaged .*required field `{missing}`"):
        read_run(run.path)


@pytest.mark.parametrize("schema", ["4", None])
def test_a_schema_that_is_no_number(run, schema):
    change(run, schema=schema)
    with pytest.raises(ValueError, match=r"run\.json' is damaged .* at `\$\.schema`"):
        read_run(run.path)


@pytest.mark.parametrize("schema", [0, 1, 3, 5])
def test_a_record_of_another_form(run, schema):
    change(run, schema=schema)
    with pytest.raises(ValueError, match=rf"has schema {schema}, but this version reads schema 4"):
        read_run(run.path)


def test_a_run_without_its_front(run):
    (run.path / "front.csv").unlink()
    with pytest.raises(ValueError, match=r"no file .*front\.csv"):
        read_run(run.path)


def test_a_front_that_is_not_the_one_of_its_record(run):
    path = run.path / "front.csv"
    path.write_bytes(path.read_bytes().replace(b"0.", b"1.", 1))
    with pytest.raises(ValueError, match=r"front\.csv' is not what the search wrote"):
        read_run(run.path)


def test_fronts_of_folds_that_are_not_those_of_the_record(run):
    (path,) = run.path.glob("folds-*.csv")
    content = path.read_bytes()
    path.write_bytes(content.replace(b"0.", b"1.", 1))
    with pytest.raises(ValueError, match=r"folds-\w+\.csv' is not what the search wrote"):
        read_run(run.path)
    path.unlink()
    with pytest.raises(ValueError, match=r"folds-\w+\.csv' is not what the search wrote"):
        read_run(run.path)


def test_a_run_without_folds_replaces_one_with_them(run, data):
    write_run(run.path, fit(data, cv=None), data, 1.0)
    assert sorted(path.name for path in run.path.iterdir()) == ["front.csv", "run.json"]
    again = read_run(run.path).front
    assert again.fold_fronts is again.expected is None


def test_a_front_that_does_not_fit_its_record(run):
    change(run, classes=[1, 2, 3, 4])
    with pytest.raises(ValueError, match="no column 'b:3'"):
        read_run(run.path)


def test_a_fingerprint_is_a_matter_of_names_and_values_only(data):
    copy = make_dataset()
    moved = pd.Index(range(100, 130))
    assert fingerprint(copy.X, copy.y) == fingerprint(data.X, data.y)
    assert fingerprint(copy.X.set_axis(moved), copy.y.set_axis(moved)) == fingerprint(
        data.X, data.y
    )


def one_bit_more(X):
    X = X.copy()
    X.iloc[7, 1] = np.nextafter(X.iloc[7, 1], np.inf)
    return X


CHANGES = {
    "value": lambda X, y: (one_bit_more(X), y),
    "feature name": lambda X, y: (X.rename(columns={"größe": "groesse"}), y),
    "target name": lambda X, y: (X, y.rename("mark")),
    "label": lambda X, y: (X, y.where(y.index > 0, 3)),
    "rows": lambda X, y: (X[::-1], y[::-1]),
    "columns": lambda X, y: (X[X.columns[::-1]], y),
    "fewer rows": lambda X, y: (X[:-1], y[:-1]),
    "fewer columns": lambda X, y: (X[["größe"]], y),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_fingerprint_changes_with_the_table(data, change):
    assert fingerprint(*change(data.X, data.y)) != fingerprint(data.X, data.y)


def test_a_fingerprint_changes_with_a_text_label():
    data = make_dataset(("low", "mid", "high"))
    renamed = data.y.cat.rename_categories({"mid": "middle"})
    assert fingerprint(data.X, renamed) != fingerprint(data.X, data.y)


def test_run_folders_are_numbered(tmp_path):
    parent = str(tmp_path / "runs")
    assert new_run_path("boston", parent) == tmp_path / "runs" / "boston-001"
    for number in ("001", "002", "004"):
        (tmp_path / "runs" / f"boston-{number}").mkdir(parents=True)
    assert new_run_path("boston", parent).name == "boston-003"
    (tmp_path / "runs" / "boston-003").write_text("even a file")
    assert new_run_path("boston", parent).name == "boston-005"
    assert new_run_path("stock", parent).name == "stock-001"


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b'{"schema": 3}', b'{"name": "of another program"}', b"{" * 100_000],
)
def test_a_folder_with_a_file_of_that_name_is_no_run(tmp_path, content):
    (tmp_path / "run.json").write_bytes(content)
    (tmp_path / "front.csv").write_text("my own table")
    with pytest.raises(ValueError, match="is not a run folder, so it is not replaced"):
        check_run_path(tmp_path, force=True)


def test_a_folder_with_a_folder_of_that_name_is_no_run(tmp_path):
    (tmp_path / "unfinished").mkdir()
    (tmp_path / "unfinished" / "symphony.txt").write_text("my own")
    with pytest.raises(ValueError, match="is not a run folder, so it is not replaced"):
        check_run_path(tmp_path, force=True)


def test_a_run_of_another_version_may_be_replaced(run):
    change(run, schema=1)
    check_run_path(run.path, force=True)
