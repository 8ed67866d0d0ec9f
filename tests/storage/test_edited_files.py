"""Files that were edited or made by others: each ends in one line that says what is wrong."""

from __future__ import annotations

import hashlib
import json
import os

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.datasets import Dataset
from moselect.storage import (
    begin_run,
    read_run,
    read_unfinished,
    write_run,
)

RNG = np.random.default_rng(5)
X = pd.DataFrame(RNG.normal(size=(30, 2)), columns=["height", "weight"])
Y = pd.Series(np.arange(30) % 3 + 1, name="grade")
OBJECTIVES = ("accuracy", "one_minus_mae", "vus", "u_cons", "u_ovo", "u_pairs")
DATA = Dataset("t", X, Y, (1, 2, 3), "grade")


@pytest.fixture(scope="module")
def search():
    search = ParetoSearch(n_particles=5, n_iterations=2, cv=2, random_state=1)
    return search.set_params(labels=DATA.labels).fit(X, Y)


@pytest.fixture
def run(search, tmp_path):
    write_run(tmp_path / "run", search, DATA, 1.0)
    return tmp_path / "run"


def record_of(run):
    return json.loads((run / "run.json").read_text(encoding="utf-8"))


def refused(reader, path, words):
    with pytest.raises(ValueError, match=words) as told:
        reader(path)
    assert len(str(told.value).splitlines()) == 1


def test_a_deeply_nested_record(run):
    deep = "[" * 200_000 + "]" * 200_000
    text = json.dumps(record_of(run) | {"machine": "deep"}).replace('"deep"', deep)
    (run / "run.json").write_text(text)
    refused(read_run, run, r"run\.json' is damaged")


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("schema", True, "got `bool`"),
        ("schema", 99, "has schema 99"),
        ("data", {}, "required field"),
        ("data.name", 7, r"got `int` - at `\$.data.name`"),
        ("data.n_samples", -1, "n_samples"),
        ("settings", {}, "required field"),
        ("settings.n_particles", 10**12, r"n_particles`"),
        ("settings.n_particles", 1e12, r"n_particles`"),
        ("settings.n_jobs", 100_000, "n_jobs"),
        ("settings.objectives", ["vus", "auc"], "'auc'"),
        ("settings.unheard", 1, "unknown field `unheard`"),
        ("settings.random_state", "1", "random_state"),
        ("versions", [], "versions"),
        ("classes", [1, 1, 2], "different labels"),
        ("classes", [1, None, 2], "classes"),
        ("classes", [1, "2", 3], "labels of one kind"),
        ("chance", {"vus": 0.5}, "chance must have the objectives"),
        ("chance", dict.fromkeys(OBJECTIVES, 1.0), "chance"),
        ("chance", dict.fromkeys(OBJECTIVES, -1e9), "chance"),
        ("n_models", 10**6, "models, not 1000000"),
        ("columns", 7, "columns"),
        ("columns", [{"step": "pickle", "content": {}}], "unknown step of the columns"),
        ("front_sha256", "../../secret", "front_sha256"),
        ("folds_sha256", 7, "folds_sha256"),
    ],
)
def test_an_edited_record(run, path, value, words):
    record = inner = record_of(run)
    *parents, last = path.split(".")
    for name in parents:
        inner = inner[name]
    inner[last] = value
    (run / "run.json").write_text(json.dumps(record))
    refused(read_run, run, words)


@pytest.mark.parametrize("key", ["schema", "data", "settings", "versions", "n_models", "columns"])
def test_a_record_without_a_key(run, key):
    record = record_of(run)
    del record[key]
    (run / "run.json").write_text(json.dumps(record))
    refused(read_run, run, f"is damaged .*`{key}`")


def test_a_begun_record(search, tmp_path):
    with begin_run(tmp_path / "run", search, DATA):
        (tmp_path / "run/unfinished/run-000.npz").write_bytes(b"")  # so that it stays
    path = tmp_path / "run/unfinished/run.json"
    assert read_unfinished(tmp_path / "run")["data"]["name"] == "t"
    record = json.loads(path.read_text(encoding="utf-8"))
    del record["settings"]["cv"]
    path.write_text(json.dumps(record))
    refused(read_unfinished, tmp_path / "run", "is damaged .*`cv`")


CHANGES = {
    "header only": (lambda t: t[:0], "has no rows"),
    "negative counts": (lambda t: t.assign(**{"n:1:1": -1}), "no counts"),
    "half a sample": (lambda t: t.assign(**{"n:1:1": 0.5}), "no counts"),
    "huge counts": (lambda t: t.assign(**{"n:1:1": 1e30}), "no counts"),
    "other samples": (lambda t: t.assign(**{"n:1:1": range(len(t))}), "not counted on the same"),
    "text": (lambda t: t.assign(vus="high"), "no numbers"),
    "missing": (lambda t: t.assign(vus=np.nan), "no finite number in its column 'vus'"),
    "infinite": (lambda t: t.assign(**{"w:height": np.inf}), "in its column 'w:height'"),
    "above 1": (lambda t: t.assign(accuracy=1.5), "above 1"),
    "above 1 held out": (
        lambda t: t.assign(**{f"holdout:{o}": 1.5 for o in OBJECTIVES}),
        "above 1",
    ),
    "negative errors": (lambda t: t.assign(**{"se:vus": -0.1}), "standard error .* is negative"),
    "thresholds": (lambda t: t.assign(**{"b:1": 1e9}), "do not ascend"),
    "no thresholds": (lambda t: t.drop(columns="b:1"), "no column 'b:1'"),
    "no weights": (lambda t: t.drop(columns=["w:height", "w:weight"]), "no column 'w:'"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_an_edited_front_whose_checksum_was_mended(run, name):
    change, words = CHANGES[name]
    table = pd.read_csv(run / "front.csv")
    content = change(pd.concat([table, table], ignore_index=True)).to_csv(index=False).encode()
    (run / "front.csv").write_bytes(content)
    record = record_of(run)
    mended = {"front_sha256": hashlib.sha256(content).hexdigest(), "n_models": 2 * len(table)}
    (run / "run.json").write_text(json.dumps(record | mended))
    refused(read_run, run, words)


@pytest.mark.parametrize("pattern", ["front.csv", "folds-*.csv"])
def test_a_table_that_is_too_large_is_not_read(run, pattern):
    (path,) = run.glob(pattern)
    os.truncate(path, 2**40)  # it takes no room on the disk
    refused(read_run, run, "more than 1 GB")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.drop(columns="fold"), "no column 'fold'"),
        (lambda t: t.assign(fold=0), "it has 1 folds"),
        (lambda t: t.assign(fold=range(len(t))), "folds, and the search had up to 2"),
        (lambda t: t.assign(fold=t["fold"] + 1), "not numbered from 0"),
        (lambda t: t.drop(columns="holdout:n:1:1"), "no confusion matrices"),
    ],
)
def test_edited_fronts_of_folds_whose_checksum_was_mended(run, change, words):
    (path,) = run.glob("folds-*.csv")
    table = pd.read_csv(path)
    content = change(pd.concat([table] * 2, ignore_index=True)).to_csv(index=False).encode()
    path.unlink()
    checksum = hashlib.sha256(content).hexdigest()
    path.with_name(f"folds-{checksum[:12]}.csv").write_bytes(content)
    (run / "run.json").write_text(json.dumps(record_of(run) | {"folds_sha256": checksum}))
    refused(read_run, run, words)
