"""Counts of what databases and clusters hold, as the guide on large data says."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pandas as pd
import pytest

from moselect.metrics import RankingCounts, count_rankings, ranking_bounds, ranking_scores

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = rng.integers(1, 4, 5_000)
    return pd.DataFrame({"severity": y, "risk": y + rng.normal(size=len(y)).round(2)})


def check(counts, table):
    bounds = ranking_bounds(counts)
    assert (bounds["most"] - bounds["least"]).max() < 1e-6
    truth = ranking_scores(table["severity"], table["risk"])
    np.testing.assert_allclose(bounds["estimate"], truth, atol=1e-6)


def test_partitions_of_a_dask_dataframe(table):
    dask = pytest.importorskip("dask", reason="needs Dask")
    dataframe = pytest.importorskip("dask.dataframe", reason="needs Dask", exc_type=ImportError)
    frame = dataframe.from_pandas(table, 4)

    def count(partition, classes, edges):
        return RankingCounts(classes, edges).update(partition["severity"], partition["risk"])

    def count_everywhere(empty):
        bins = (empty.classes, empty.edges)
        filled = [dask.delayed(count)(part, *bins) for part in frame.to_delayed()]
        return reduce(add, dask.compute(*filled, scheduler="sync"))

    check(count_rankings(count_everywhere, RankingCounts([1, 2, 3])), table)
