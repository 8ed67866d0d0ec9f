"""`moselect check` on rows that came later."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.io import read_model
from tests.cli.conftest import document, ends


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


def test_sets_of_rows_hold_their_classes(inside, taken):
    new = draw(2_000, 5)
    new.loc[0, "a"] = np.inf
    new.to_csv(taken / "sets.csv", index=False)
    for options, holds in (("", 0.9), (" --coverage-by class", 0.9)):
        inside(f"predict model.json sets.csv --coverage 0.9{options} -o p.csv --force -q")
        found = pd.read_csv(taken / "p.csv")
        assert found.loc[0, ["lowest", "highest"]].isna().all()
        lowest, highest, codes = (
            pd.Categorical(labels[1:], ["low", "mid", "high"]).codes
            for labels in (found["lowest"], found["highest"], new["grade"])
        )
        assert (lowest <= highest).all()
        covered = (lowest <= codes) & (codes <= highest)
        assert covered.mean() == pytest.approx(holds, abs=0.04)
    inside("predict model.json sets.csv --reasons --explain -o p.csv --force -q")
    found = pd.read_csv(taken / "p.csv", keep_default_na=False)
    assert found.loc[0, "because"] == ""
    added = float(found.loc[1, "part of a"])
    verb = "raises" if added > 0.0 else "lowers"
    words = f"a {new.loc[1, 'a']:.6g} {verb} the score by {abs(added):.3g}"
    assert words in found.loc[1, "because"]
    told = inside("predict model.json sets.csv --coverage abc", code=2).stderr
    assert "'--coverage': Input should be a valid number" in told


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
    assert "holds the classes ('grade' in training): name it with --target" in told
    done = inside("check model.json later.csv --unlabelled")
    assert done.stdout.startswith("Without labels: estimated mean cost")
    assert "'a' has drifted" in done.stdout


@pytest.mark.slow
def test_limits_and_figures_by_group(tmp_path):
    # a column that is no feature
    sexes = np.array(["f", "m", "m"])
    for name, (n, seed) in {"t.csv": (300, 0), "new.csv": (300, 7)}.items():
        draw(n, seed).assign(sex=sexes[np.arange(n) % 3]).to_csv(name, index=False)
    run, select = functools.partial(ends, tmp_path), "select run --class-costs 1,1,5"
    options = "--target grade --order low,mid,high --drop sex --evaluations 60 --out run"
    run(f"search t.csv {options}")
    limits = '--limit "high<mid by sex:0.4" --by sex'
    found = document(run(f"{select} --model additive {limits} --json"))
    assert [row["group"] for row in found["by"]["sex"]["groups"]] == ["f", "m"]
    assert [limit.partition(": ")[0] for limit in found["limits"]] == [
        "high<mid by sex"
    ] * 2
    assert found["overall_limits"] >= found["without_limits"]
    folder = Path(found["summary"]).parent
    assert folder.parent == Path("run/selections")
    assert (folder / "by_sex.png").exists()
    assert "By sex" in (folder / "summary.html").read_text()
    checked = document(run("check model.json new.csv --by sex --json"))
    assert [row["index"] for row in checked["limits"]] == [
        "high<mid by sex: f",
        "high<mid by sex: m",
    ]
    costs = [row["cost"] for row in checked["by"]["sex"]["groups"]]
    assert checked["cost"] == pytest.approx(np.average(costs, weights=[100, 200]))
    told = run("check model.json new.csv --by sex").stdout
    assert "Largest difference in cost: " in told
    pd.read_csv("new.csv").drop(columns="sex").to_csv("lacking.csv", index=False)
    assert "sex" in run("check model.json lacking.csv", code=2).stderr
    assert run("check model.json lacking.csv --unlabelled").stdout


def test_checks_are_kept_and_drawn(inside, told, taken):
    months = [draw(150, 10 + month) for month in range(3)]
    for month, rows in enumerate(months):
        rows.to_csv(taken / f"{month}.csv", index=False)
    inside("check model.json 0.csv --history checks.csv")
    found = told("check model.json 1.csv --history checks.csv")
    pd.concat(months[:2]).to_csv(taken / "all.csv", index=False)
    whole = told("check model.json all.csv")["history"]
    assert found["history"][1]["cost_so_far"] == pytest.approx(whole[0]["cost_so_far"])
    table = pd.read_csv(taken / "checks.csv", parse_dates=["time"])
    assert table["rows"].tolist() == [150, 150]
    assert (taken / "checks.png").stat().st_size > 10_000
    for line, error in (
        ("check model.json 1.csv --history checks.csv", "all of these rows are counted"),
        ("check model.json 2.csv --history 2.csv", "'2.csv' has no checks"),
        (
            "check model.json 2.csv --history x.csv --unlabelled",
            "--history and --by need",
        ),
    ):
        assert error in inside(line, code=2).stderr
    assert len(pd.read_csv(taken / "checks.csv")) == 2


def test_what_cannot_be_checked_is_said(inside):
    inside("select run --member 0 -o member.json")
    for line, told in (
        ("check member.json t.csv", "no cost was reported of the model"),
        (
            "check model.json t.csv --unlabelled --target grade",
            "cannot be combined",
        ),
    ):
        assert told in inside(line, code=2).stderr
