"""An ordinary table, as people have them, becomes a model that takes raw rows."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

import moselect
from moselect.columns import Preparation
from moselect.columns.level_columns import EncodedColumn, LevelColumns
from moselect.datasets import load_dataset

N = 160


def gaps(values, rng, share):
    """Return values with a share of them missing."""
    return pd.Series(values).where(rng.random(len(values)) >= share)


def classes(score, labels, rng):
    """Return labels that rise with a score."""
    ranks = pd.Series(score + rng.normal(0, 0.5, len(score))).rank(pct=True)
    return np.array(labels)[
        np.minimum((ranks * len(labels)).astype(int), len(labels) - 1)
    ]


def claims(rng):
    amount = rng.gamma(2, 1000, N)
    day = pd.Timestamp("2022-03-01") + pd.to_timedelta(rng.integers(0, 700, N), "D")
    return pd.DataFrame(
        {
            "claim_id": np.arange(N) + 50_000,
            "reported": pd.Series(day.strftime("%d.%m.%Y")),
            "region": rng.choice(
                ["north", "south", "east", "isles"], N, p=[0.5, 0.3, 0.15, 0.05]
            ),
            "postcode": [f"{i:02d}-X" for i in rng.integers(0, 40, N)],
            "amount": gaps(amount.round(2), rng, 0.15),
            "lawyer": gaps(rng.random(N) < 0.3, rng, 0.1),
            "currency": "EUR",
            "severity": classes(amount, ["mild", "moderate", "severe"], rng),
        }
    )


def test_a_table_becomes_a_model_that_takes_raw_rows(tmp_path):
    rng = np.random.default_rng(7)
    table = claims(rng)
    path = tmp_path / "claims.csv"
    path.write_text(table.to_csv(index=False, sep=";", decimal=","), encoding="cp1252")
    target = str(table.columns[-1])
    data = load_dataset(path, target=target)
    preparation = Preparation()
    X = preparation.fit_transform(data.X, data.y)
    assert np.isfinite(X.to_numpy()).all()
    assert np.linalg.matrix_rank(X - X.mean()) == X.shape[1]  # weights mean something
    described = preparation.summary
    for left in preparation.left_out_:
        assert f"{left.name} ({left.reason})" in described

    search = moselect.ParetoSearch(
        n_particles=10, max_evaluations=30, cv=None, random_state=0
    )
    front = search.fit(X, data.y).front_
    model = front[front.best("accuracy")]
    again = Preparation.from_document(json.loads(json.dumps(preparation.to_document())))
    raw = table.drop(columns=target)
    raw = raw[rng.permutation(raw.columns)]
    expected = model.predict(preparation.transform(data.X))
    assert model.predict(again.transform(raw)).tolist() == expected.tolist()
    assert np.mean(expected == np.asarray(data.y)) > 1 / len(data.labels)

    strange = raw.head(3).astype(object)
    for column in preparation.columns_:
        if isinstance(column, LevelColumns | EncodedColumn):
            strange.loc[0, column.name] = "never seen"
    strange.loc[1] = None
    assert len(model.predict(again.transform(strange))) == 3
    assert again.problems(strange).tolist() == ["", "", ""]
    assert again.estimated(strange)[1] == "estimated without any value"
