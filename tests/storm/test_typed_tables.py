"""Any columns with types through search, select and predict: right figures, or one line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.datasets import load_table
from moselect.storage import read_run
from tests.storm.campaign import storm
from tests.storm.commands import check_kept, contents, run
from tests.storm.strategies.typed_tables import typed_tables

pytestmark = pytest.mark.slow

SMALL = ("--particles", 4, "--iterations", 2, "--seed", 3, "--objectives", "accuracy,vus")


@storm(60)
@given(typed_tables(), st.sampled_from((0, 2)), st.sampled_from(("csv", "xlsx", "parquet")))
def test_typed_tables(table, folds, written):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / table.name).write_bytes(table.content)
        before = contents(folder)
        line = ("search", table.name, "--target", table.target, "--folds", folds)
        done = run(folder, *line, *SMALL, "--out", "r")
        check_kept(before, folder)
        if done.code:
            return
        data = load_table(folder / table.name, target=table.target)
        front = read_run(folder / "r").front
        expected = front[0].predict(data.X)
        assert np.isfinite(front[0].decision_function(data.X)).all()
        done = run(folder, "select", "r", "--model", 0, "-o", "m.json")
        assert done.code == 0, done
        line = ("predict", "m.json", table.name, "-o", f"p.{written}", "--keep", "all")
        done = run(folder, *line)
        check_kept(before, folder, "r", "m.json")
        if done.code:
            assert "has control characters" in done.error, done
            return
        done = run(folder, "predict", "m.json", table.name, "-o", "q.parquet")
        assert done.code == 0, done
        found = pd.read_parquet(folder / "q.parquet")
        assert "reason" not in found
        assert found["class"].astype(str).tolist() == [str(label) for label in expected.tolist()]
