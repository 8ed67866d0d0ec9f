"""Parts of a table are read as the whole table is, whatever the parts show of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from moselect import ParetoSearch
from moselect.columns import Preparation
from moselect.columns.level_columns import EncodedColumn, LevelColumns

N = 40
HALF = np.arange(N) < N // 2
# What the first half of the table shows, and what the second half holds as well.
UNEQUAL = {
    "text after numbers": ([str(i % 4) for i in range(N - 2)] + ["oops"] * 2),
    "words after truths": ["true", "false"] * (N // 2 - 1) + ["maybe"] * 2,
    "text after dates": [f"2020-01-{1 + i % 5:02d}" for i in range(N - 2)] + ["soon"] * 2,
    "days that may be months": [f"0{1 + i % 5}/01/2020" for i in range(N // 2)]
    + [f"{13 + i % 5}/01/2020" for i in range(N // 2)],
    "nothing but gaps": ["-"] * (N // 2) + ["1", "2.5"] * (N // 4),
}


@pytest.fixture(name="X", params=UNEQUAL)
def table(request):
    return pd.DataFrame({"odd": UNEQUAL[request.param], "x": np.arange(N) % 7 + 0.5})


Y = np.arange(N) % 3


def test_parts_are_read_as_the_whole(X):
    whole = Preparation().for_parts_of(X)
    part = clone(whole).fit(X[HALF], Y[HALF])
    prepared = part.transform(X[~HALF])
    assert np.isfinite(prepared.to_numpy()).all()
    kinds = {column.name: type(column) for column in Preparation().fit(X, Y).columns_}
    for column in part.columns_:
        if kinds[column.name] in (EncodedColumn, LevelColumns):
            assert isinstance(column, EncodedColumn | LevelColumns)
        else:
            assert type(column) is kinds[column.name]


def test_dates_are_not_misread():
    X = pd.DataFrame({"day": UNEQUAL["days that may be months"]})
    part = Preparation(keep=["day"]).for_parts_of(X).fit(X[HALF])
    assert part.transform(X)["day days"].tolist() == pytest.approx(
        [
            i % 5 if half else 12 + i % 5
            for half, i in zip(HALF, [*range(20)] * 2, strict=True)
        ]
    )


@pytest.mark.slow
def test_searches(X):
    search = ParetoSearch(
        n_particles=5, n_iterations=2, cv=2, holdout=0.5, random_state=1
    )
    front = search.fit(X, Y).front_
    assert front.expected is not None
    assert front.holdout is not None
