"""Rows of a run: columns of any type are restored cell by cell."""

import datetime
import tempfile
from dataclasses import fields
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from moselect import ParetoSearch
from moselect.datasets import Dataset, load_dataset
from moselect.io import read_run, write_run
from moselect.io.kept import cached_selector
from moselect.io.run_record import describe
from moselect.io.table_file import read_dataset, write_dataset
from moselect.preprocessing.preparation import schema_of
from moselect.search.settings import SearchSettings
from tests.any_tables import tables

DAYS = pd.date_range("2024-03-30 12:30", periods=4, freq="36h")
COLUMNS = {
    "integers": [1, -2, 3, 2**62],
    "small": np.array([1, 2, 3, 4], dtype=np.int8),
    "decimals": [-0.0, 0.1 + 0.2, np.nan, np.inf],
    "flags": [True, False, True, False],
    "text": ["007", "", None, "ü\r\n,'"],
    "mixed": [1, 1.0, True, "1"],
    "gaps": [None, np.nan, pd.NaT, pd.NA],
    "dates": [datetime.date(2024, 2, 29), None, datetime.date(1900, 1, 1), "today"],
    "cells": [datetime.time(14, 30), Decimal("1.10"), datetime.datetime(2024, 1, 1, 9), 2],
    "moments": DAYS,
    "offsets": DAYS.tz_localize("UTC").tz_convert("Europe/Berlin"),
    "durations": DAYS - DAYS[0],
    "nullable": pd.array([1, None, 3, 4], dtype="Int64"),
    "nullable flags": pd.array([True, None, False, True], dtype="boolean"),
    "ordered": pd.Categorical(["low", None, "high", "low"], ["low", "mid", "high"], ordered=True),
    "numbered": pd.Categorical([3, 1, 3, 1], [3, 2, 1]),
}  # fmt: skip


def restored(data):
    with tempfile.TemporaryDirectory() as folder:
        write_dataset(Path(folder), data)
        return read_dataset(Path(folder), describe(SearchSettings(), data, None))


def dataset_of(X):
    y = pd.Series(np.arange(len(X)) % 2, name="grade")
    return Dataset("t", X, y, (0, 1), "grade")


def assert_same_cells(found, column):
    """Check two columns: types of all cells, and their values to the last bit."""
    pd.testing.assert_series_equal(found, column, check_exact=True, check_freq=False)
    for cell, other in zip(found.astype(object), column.astype(object), strict=True):
        assert (type(cell), str(cell)) == (type(other), str(other))


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_every_type_are_restored(name):
    X = pd.DataFrame({name: COLUMNS[name]})
    assert_same_cells(restored(dataset_of(X)).X[name], X[name])


@settings(max_examples=60)
@given(tables())
def test_any_table_is_restored_with_its_content_and_fingerprint(pair):
    data = dataset_of(pair[0])
    found = restored(data)
    for name in data.X:
        assert_same_cells(found.X[name], data.X[name])
    assert found.fingerprint == data.fingerprint
    assert schema_of(found.X) == schema_of(data.X)


def test_cells_of_other_types_are_kept_as_text():
    X = pd.DataFrame({"lists": [[1], "a"], "bands": pd.cut([1.0, 2.0], 2)})
    found = restored(dataset_of(X)).X
    assert found["lists"].tolist() == ["[1]", "a"]
    assert found["bands"].cat.categories.tolist() == [
        *map(str, X["bands"].cat.categories)
    ]


def test_all_that_was_read_is_restored(tmp_path):
    rows = "grade;size;w;day\n" + "\n".join(
        f"{j % 3};{j} cm;{j % 4};03/{j % 28 + 1:02d}/2024" for j in range(90)
    )
    path = tmp_path / "t.csv"
    path.write_text(rows)
    options = {"weight": "w", "time": "day", "reading": {"dates": "month"}}
    data = load_dataset(path, target="grade", **options)
    found = restored(data)
    assert found.X.attrs == data.X.attrs
    assert found.X.attrs["units"]["size"] == "cm"
    assert found.fingerprint == data.fingerprint
    pd.testing.assert_frame_equal(found.table, data.table, check_exact=True)
    for field in fields(Dataset):
        if field.name not in ("X", "y", "roles"):
            assert getattr(found, field.name) == getattr(data, field.name)
    drawn = load_dataset(path, target="grade", rows=30, weight_type="sampling")
    again = restored(drawn)
    assert again.n_source_rows == 90
    np.testing.assert_array_equal(again.source_rows, drawn.source_rows)
    assert again.roles["weight_type"] == "sampling"
    binned = load_dataset(path, target="size", bins=3)
    assert restored(binned).y.attrs == binned.y.attrs


@pytest.mark.parametrize(
    ("columns", "role"),
    [
        ("features", None),
        ("features", "sample_weight"),
        ("splines", "groups"),
        ("splines", "times"),
        ("models", None),
    ],
)
def test_samples_of_a_run_are_those_of_its_search(tmp_path, rng, columns, role):
    X = pd.DataFrame(
        {
            "age": rng.normal(size=120).round(1),
            "town": rng.choice([*"abcdefghijklmnopqrst"], 120),
            "role": rng.integers(1, 30, 120),
        }
    )
    y = pd.Series(np.digitize(X["age"] + rng.normal(size=120), [-0.5, 0.5]), name="y")
    values = X.pop("role") + 0.5
    roles = {} if role is None else {role: values}
    data = Dataset("t", X, y, (0, 1, 2), "y", roles=roles)
    options = {"n_particles": 4, "n_iterations": 2, "cv": 3, "random_state": 0}
    search = ParetoSearch(columns=columns, holdout=0.2, labels=[0, 1, 2], **options)
    expected = search.fit(X, y, **roles).searched_.samples
    run = write_run(tmp_path / "run", search, data, 1.0)
    _, selector, _ = cached_selector(read_run(run.path), print, 1)
    found = selector.member.samples
    names_of = [[each.name for each in s.settings.objectives] for s in (found, expected)]
    assert names_of[0] == names_of[1]
    for part in ("samples", "data", "holdout", "holdout_data"):
        own, other = getattr(found, part), getattr(expected, part)
        for field in fields(own):
            value = getattr(other, field.name)
            if isinstance(value, pd.DataFrame):
                pd.testing.assert_frame_equal(own.X, value, check_exact=True)
            else:
                np.testing.assert_equal(getattr(own, field.name), value)
    for fold, other in zip(found.folds, expected.folds, strict=True):
        np.testing.assert_equal(fold, other)
    for own, other in zip(found.data_of_folds, expected.data_of_folds, strict=True):
        np.testing.assert_array_equal(own.X, other.X)


def test_a_missing_file_of_a_run_is_named(tmp_path, search, data):
    run = write_run(tmp_path / "run", search, data, 1.0)
    for name in ("table-*.npz", "arrays-*.npz"):
        (path,) = run.path.glob(name)
        path.unlink()
        with pytest.raises(ValueError, match=rf"{path.name}' is missing: search again"):
            cached_selector(read_run(run.path), print, 1)
