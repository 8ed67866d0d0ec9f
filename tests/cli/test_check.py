"""`moselect check` on rows that came later."""

import functools
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.io import read_model
from moselect.io.atomic import hold
from tests.cli.conftest import QUICK, draw, parse_json, run_in, search_and_select


@pytest.fixture
def run_command(selected):
    """Run shell lines in the folder of the selected model."""
    return functools.partial(run_in, selected)


def test_the_reported_cost_is_checked_with_and_without_labels(
    run_command, run_json, selected
):
    new = draw(2_000, 1)
    new.to_csv(selected / "new.csv")
    found = run_json("check model.json new.csv")
    predicted = read_model(selected / "model.json").predict(new[["a", "b"]])
    true_codes, codes = (
        pd.Categorical(x, ["low", "mid", "high"]).codes for x in (new.grade, predicted)
    )
    costs = np.abs(true_codes - codes) * np.where(true_codes == 2, 5, 1)
    assert found["cost"] == pytest.approx(costs.mean())
    assert found["holds"] is not False

    weights = np.where(new["grade"] == "high", 0.5, 1.25)
    roles = new.assign(weight=weights, patient=np.arange(len(new)) // 4)
    roles.to_csv(selected / "roles.csv")
    weighted = run_json("check model.json roles.csv --weight weight --group patient")
    assert weighted["cost"] == pytest.approx(np.average(costs, weights=weights))
    share = weighted["class_shares"]["high"]["now"]
    assert share == pytest.approx(weights[true_codes == 2].sum() / weights.sum())

    new.assign(grade=new["grade"].sample(frac=1.0, random_state=0).tolist()).to_csv(
        selected / "worse.csv", index=False
    )
    done = run_command("check model.json worse.csv", code=3)
    assert " higher than estimated: " in done.stdout

    new[["a", "b"]].assign(a=new["a"] + 2.0).to_csv(selected / "later.csv")
    message = run_command("check model.json later.csv", code=65).stderr
    assert "holds the classes ('grade' in training): name it with --target" in message
    # A fifth of the rows is beyond all rows of training.
    done = run_command("check model.json later.csv --unlabelled")
    assert done.stdout.startswith("Without labels the cost cannot be estimated")
    assert "'a' has drifted" in done.stdout
    assert "unknown" in done.stdout
    done = run_command("check model.json new.csv --unlabelled")
    assert done.stdout.startswith("Without labels: estimated mean cost")
    found = run_json("check model.json new.csv --unlabelled")
    low, high = map(float, re.search(r"95 %: (\S+) to ([^)]+)", done.stdout).groups())
    assert high - low == pytest.approx(3.92 * found["std_error"], rel=0.02)
    assert low < found["cost"] < high


def test_a_target_of_bins_is_binned_as_in_training(tmp_path, rng):
    table = pd.DataFrame({"a": rng.normal(size=300)})
    table["grade"] = (20.0 * table["a"] + 10.0 * rng.normal(size=300)).round(2)
    trained, new = table[:150], table[150:]
    with_codes = pd.concat([trained, trained[:5].assign(grade=999)])
    search = f"--bins 3 --binning quantile --leave-out 999 {QUICK}"
    search_and_select(tmp_path, with_codes, search, "--class-costs 1,1,1 --model linear")
    edges = np.quantile(trained["grade"], [1 / 3, 2 / 3], method="inverted_cdf")
    classes = 1 + np.digitize(new["grade"], edges, right=True)
    expected = np.abs(read_model("model.json").predict(new) - classes).mean()
    for rows, words in (
        (new, "binned as in training"),
        (new.assign(grade=classes), "read as classes"),
        # an excluded code of later rows is no class either
        (pd.concat([new, new[:9].assign(grade=999)]), "9 of 159 rows have no class"),
    ):
        rows.to_csv("new.csv", index=False)
        done = run_in(tmp_path, "check model.json new.csv --json")
        assert words in done.stderr
        assert parse_json(done)["cost"] == pytest.approx(expected)


def test_merged_classes_are_merged_as_in_training(tmp_path):
    table = draw(300, 4)
    new = table[150:]
    search = f"--order 'low,mid + high' {QUICK}"
    search_and_select(tmp_path, table[:150], search, "--class-costs 1,1 --model linear")
    new.to_csv("new.csv")
    is_low = read_model("model.json").predict(new) == "low"
    found = parse_json(run_in(tmp_path, "check model.json new.csv --json"))
    assert found["cost"] == pytest.approx((is_low != (new["grade"] == "low")).mean())


@pytest.mark.slow
def test_two_numbers_in_a_cell_are_checked_as_two_columns(tmp_path, rng):
    latent = rng.normal(size=120)
    pressures = [f"{120 + 10 * a:.0f}/{80 + 5 * a:.0f}" for a in latent]
    grades = np.digitize(latent + rng.logistic(size=120), [0.0])
    table = pd.DataFrame({"bp": pressures, "grade": grades})
    search_and_select(tmp_path, table, QUICK, "--class-costs 1,2 --model linear")
    found = parse_json(run_in(tmp_path, "check model.json t.csv --json"))
    assert {"bp (1 of 2)", "bp (2 of 2)"} <= {*found["drift"]}


def test_limits_and_figures_by_group(tmp_path):
    # a column that is no feature
    rows = [draw(300, seed).assign(sex=["f", "m", "m"] * 100) for seed in (0, 7)]
    select = '--class-costs 1,1,5 --model additive --limit "high<mid by sex:0.4" --by sex'
    found = parse_json(
        search_and_select(tmp_path, rows[0], f"--drop sex {QUICK}", f"{select} --json")
    )
    assert [*found["by"]["sex"]["groups"]] == ["f", "m"]
    limits = [limit.partition(": ")[0] for limit in found["limits"]]
    assert limits == ["high<mid by sex"] * 2
    folder = Path(found["summary"]).parent
    assert folder.parent == Path("run/selections")
    assert (folder / "by_sex.png").exists()
    assert "By sex" in (folder / "summary.html").read_text()
    rows[1].to_csv("new.csv")
    done = run_in(tmp_path, "check model.json new.csv --by sex --json")
    checked = parse_json(done)
    assert [*checked["limits"]] == ["high<mid by sex: f", "high<mid by sex: m"]
    costs = [row["cost"] for row in checked["by"]["sex"]["groups"].values()]
    assert checked["cost"] == pytest.approx(np.average(costs, weights=[100, 200]))


def test_of_two_checks_at_once_one_waits_for_the_other(run_command, selected):
    draw(150, 30).to_csv(selected / "x.csv")
    with hold(selected / "held.csv"):
        done = run_command("check model.json x.csv --history held.csv", code=75)
    assert "'held.csv' is in use" in done.stderr
    assert not (selected / "held.csv").exists()
    run_command("check model.json x.csv --history held.csv")


def test_the_history_of_checks_is_saved_and_drawn(run_command, run_json, selected):
    months = [draw(150, 10 + month) for month in range(3)]
    for month, rows in enumerate(months):
        rows.to_csv(selected / f"{month}.csv")
    # A history of Python goes on.
    model = read_model(selected / "model.json")
    begun = moselect.check(model, months[0][["a", "b"]], months[0]["grade"]).history
    begun.to_csv(selected / "checks.csv")
    found = run_json("check model.json 1.csv --history checks.csv")
    pd.concat(months[:2]).to_csv(selected / "all.csv", index=False)
    combined = run_json("check model.json all.csv")["history"]
    # Numbered rows are lists; tables with names of rows have these as keys.
    assert [line["rows"] for line in found["history"]] == [150, 150]
    assert found["history"][1]["cost_so_far"] == pytest.approx(combined[0]["cost_so_far"])
    table = pd.read_csv(selected / "checks.csv", parse_dates=["time"])
    assert table["rows"].tolist() == [150, 150]
    assert (selected / "checks.png").stat().st_size > 10_000
    shutil.copy(selected / "2.csv", selected / "other.csv")
    for line, error in (
        ("1.csv --history checks.csv", "all of these rows are counted"),
        ("2.csv --history other.csv", "the history of checks is damaged"),
    ):
        assert error in run_command(f"check model.json {line}", code=65).stderr
    assert len(pd.read_csv(selected / "checks.csv")) == 2
