"""`moselect check` on rows that came later."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest

from moselect.io import read_model
from tests.cli.conftest import ends


def draw(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)).round(3)
    score = X[:, 0] + 0.4 * rng.logistic(size=n)
    grade = np.array(["low", "mid", "high"])[np.digitize(score, [-0.3, 0.9])]
    return pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "grade": grade})


def take(folder, table, kind):
    """Select a kind of model of a table."""
    table.to_csv(folder / "t.csv", index=False)
    options = "--target grade --order low,mid,high --evaluations 60 --out run"
    ends(folder, f"search t.csv {options}")
    ends(folder, f"select run --class-costs 1,1,5 --model {kind}")


@pytest.fixture(scope="module")
def taken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("taken")
    take(folder, draw(300, 0), "additive")
    return folder


@pytest.fixture
def inside(taken):
    """Run lines of the shell where a model was taken."""
    return functools.partial(ends, taken)


def test_a_promise_is_checked_with_labels_and_without(inside, told, taken):
    new = draw(2_000, 1)
    new.to_csv(taken / "new.csv", index=False)
    found = told("check model.json new.csv")
    predicted = read_model(taken / "model.json").predict(new[["a", "b"]])
    codes, called = (
        pd.Categorical(x, ["low", "mid", "high"]).codes for x in (new.grade, predicted)
    )
    far = np.abs(codes.astype(int) - called)
    assert found["cost"] == pytest.approx((far * np.where(codes == 2, 5, 1)).mean())
    assert found["holds"] is not False

    weights = np.where(new["grade"] == "high", 0.5, 1.25)
    roles = new.assign(weight=weights, patient=np.arange(len(new)) // 4)
    roles.to_csv(taken / "roles.csv", index=False)
    weighted = told("check model.json roles.csv --weight weight --group patient")
    paid = far * np.where(codes == 2, 5, 1)
    assert weighted["cost"] == pytest.approx(np.average(paid, weights=weights))
    (share,) = (row["now"] for row in weighted["class_shares"] if row["class"] == "high")
    assert share == pytest.approx(weights[codes == 2].sum() / weights.sum())

    new.assign(grade=new["grade"].sample(frac=1.0, random_state=0).tolist()).to_csv(
        taken / "worse.csv", index=False
    )
    done = inside("check model.json worse.csv", code=3)
    assert " higher than estimated: " in done.stdout

    new[["a", "b"]].assign(a=new["a"] + 2.0).to_csv(taken / "later.csv", index=False)
    told = inside("check model.json later.csv", code=2).stderr
    assert (
        "is known to hold the classes ('grade' in training): name it with --target"
        in told
    )
    done = inside("check model.json later.csv --unlabelled")
    assert done.stdout.startswith("Without labels: estimated mean cost")
    assert "'a' has drifted" in done.stdout


@pytest.mark.slow
def test_a_file_knows_nothing_of_columns_and_levels_that_tell_rows(tmp_path):
    table = draw(300, 2).assign(
        policy=[f"policy {k}" for k in range(300)], town=["Bonn", "Ghent", "Cork"] * 100
    )
    table.loc[:1, "town"] = ["only here", "Ghent"]
    take(tmp_path, table, "linear")
    promise = read_model(tmp_path / "model.json").reference
    assert {profile.name for profile in promise.columns} == {"a", "b", "town"}
    (town,) = (profile for profile in promise.columns if profile.name == "town")
    assert sorted(town.levels) == ["Bonn", "Cork", "Ghent"]
    assert "policy 7" not in (tmp_path / "model.json").read_text()
    table.drop(columns="policy").to_csv(tmp_path / "later.csv", index=False)
    ends(tmp_path, "check model.json later.csv")
    table.drop(columns="town").to_csv(tmp_path / "lacking.csv", index=False)
    assert "'town'" in ends(tmp_path, "check model.json lacking.csv", code=2).stderr


def test_what_cannot_be_checked_is_said(inside):
    inside("select run --member 0 -o member.json")
    for line, told in (
        ("check member.json t.csv", "no cost was reported of the model"),
        (
            "check model.json t.csv --unlabelled --target grade",
            "classes or they have none",
        ),
    ):
        assert told in inside(line, code=2).stderr
