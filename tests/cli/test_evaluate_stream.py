"""`moselect evaluate --stream` beside the same command on the whole table."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")


@pytest.fixture
def predictions(tmp_path):
    rng = np.random.default_rng(0)
    # one sample of class 4 is dropped below
    y = np.append([1, 2, 3, 4], rng.integers(1, 4, 3000))
    score = np.round(y + rng.normal(scale=0.8, size=len(y)), 1)
    table = pd.DataFrame({"truth": y, "s": score, "guess": np.clip(np.rint(score), 1, 4)})
    table = table[table["truth"] < 4]
    (tmp_path / "parts").mkdir()
    for i, part in enumerate(np.array_split(np.arange(len(table)), 3)):
        table.iloc[part].to_parquet(tmp_path / "parts" / f"{i}.parquet", index=False)
    table.to_csv(tmp_path / "p.csv", index=False)
    return table


@pytest.fixture
def measured(inside):
    """Return a function that measures the predictions in a file or folder."""

    def evaluate(line):
        columns = "--true truth --score s --pred guess --json"
        return json.loads(inside(f"evaluate {line} {columns}").stdout)

    return evaluate


def check_same(streamed, whole):
    assert streamed["n_rows"] == whole["n_rows"]
    assert streamed["classes"] == whole["classes"]
    assert streamed["measures"].keys() == whole["measures"].keys()
    for name, row in whole["measures"].items():
        found = streamed["measures"][name]
        for field in ("estimate", "lower", "upper"):
            assert found[field] == pytest.approx(row[field], abs=1e-6), name
        if found.get("least") is not None:
            lower, upper = found["least"], found["most"]
            assert lower - 1e-12 <= row["estimate"] <= upper + 1e-12
            assert upper - lower < 1e-6


def test_part_by_part_gives_what_the_whole_gives(measured, predictions):
    check_same(measured("parts"), measured("p.csv"))


@pytest.mark.slow
def test_counts_of_real_processes_are_merged(measured, predictions):
    distributed = pytest.importorskip("distributed", reason="needs Dask")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        merged = measured(f"parts --dask {cluster.scheduler_address}")
    check_same(merged, measured("p.csv"))
