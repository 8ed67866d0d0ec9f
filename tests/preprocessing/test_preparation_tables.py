"""An ordinary table, as people have them, becomes columns, from a file and from raw rows."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from moselect.datasets import load_dataset
from moselect.preprocessing import Preparation
from moselect.preprocessing.level_columns import EncodedColumn, LevelColumns

N = 160


def claims(rng):
    amount = rng.gamma(2, 1000, N)
    day = pd.Timestamp("2022-03-01") + pd.to_timedelta(rng.integers(0, 700, N), "D")
    regions, shares = ["north", "south", "east", "isles"], [0.5, 0.3, 0.15, 0.05]
    ranks = pd.Series(amount + rng.normal(0, 0.5, N)).rank()
    return pd.DataFrame(
        {
            "claim_id": np.arange(N) + 50_000,
            "reported": pd.Series(day.strftime("%d.%m.%Y")),
            "region": rng.choice(regions, N, p=shares),
            "postcode": [f"{i:02d}-X" for i in rng.integers(0, 40, N)],
            "amount": pd.Series(amount.round(2)).where(rng.random(N) >= 0.15),
            "lawyer": pd.Series(rng.random(N) < 0.3).where(rng.random(N) >= 0.1),
            "currency": "EUR",
            "severity": pd.cut(ranks, 3, labels=["mild", "moderate", "severe"]),
        }
    )


def test_a_file_and_raw_rows_become_the_same_columns(tmp_path):
    rng = np.random.default_rng(7)
    table = claims(rng)
    path = tmp_path / "claims.csv"
    path.write_text(table.to_csv(index=False, sep=";", decimal=","), encoding="cp1252")
    data = load_dataset(path)
    preparation = Preparation()
    X = preparation.fit_transform(data.X, data.y)
    assert np.isfinite(X.to_numpy()).all()
    assert np.linalg.matrix_rank(X - X.mean()) == X.shape[1]  # weights mean something

    again = Preparation.from_document(json.loads(json.dumps(preparation.to_document())))
    raw = table.drop(columns="severity")
    raw = raw[rng.permutation(raw.columns)]
    pd.testing.assert_frame_equal(again.transform(raw), preparation.transform(data.X))

    strange = raw.head(3).astype(object)
    for column in preparation.columns_:
        if isinstance(column, LevelColumns | EncodedColumn):
            strange.loc[0, column.name] = "never seen"
    strange.loc[1] = None
    assert np.isfinite(again.transform(strange).to_numpy()).all()
    assert again.problems(strange).tolist() == ["", "", ""]
    assert again.estimated(strange)[1] == "estimated without any value"
