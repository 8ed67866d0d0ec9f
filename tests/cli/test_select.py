import json
import os
import re
import signal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from moselect import ParetoSearch, expected_cost
from moselect.datasets import load_dataset
from moselect.io import read_model, read_run
from moselect.report.headline import headline
from tests import children
from tests.cli.conftest import QUICK, parse_json, read_json, search_and_select, words_of

NAMES = ("low", "mid", "high")
SELECT = "select run --class-costs 1,1,5"
ODDS = "--model proportional_odds"


@pytest.fixture(scope="module")
def data(searched):
    return load_dataset(searched / "t.csv", order=NAMES)


@pytest.fixture(scope="module")
def fitted(data):
    """Run the same search through the library."""
    settings = {"n_iterations": 3, "n_particles": 40, "cv": 2, "random_state": 3}
    return ParetoSearch(**settings, labels=data.labels).fit(data.X, data.y)


def test_from_costs_to_a_model_its_card_and_its_query(run_command, data, fitted, run):
    done = run_command(f"{SELECT} {ODDS} -o m.json")
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    model = read_model(Path("m.json"))
    document = read_json("m.json")
    matrix = document["cost_matrix"]
    assert matrix == [[0, 1, 2], [1, 0, 1], [10, 5, 0]]
    assert not {"cost_matrix", "data"} & document["about"].keys()  # it stands there once

    selected = fitted.select([1, 1, 5], model="proportional odds")
    evidence = selected.evidence
    assert_array_equal(model.coef_, selected.coef_)
    assert_array_equal(model.thresholds_, selected.thresholds_)
    printed = words_of(done.stdout)
    assert len(done.stdout.splitlines()) <= 20
    for sentence in headline(evidence):
        assert sentence in printed
    truth = pd.Categorical(data.y, categories=NAMES, ordered=True)
    predicted = evidence.predicted["proportional odds"]
    assert evidence.chosen.figure()[0] == pytest.approx(
        expected_cost(truth, predicted, matrix)
    )
    about = document["about"]
    assert about["expected_cost"] == evidence.expected
    assert about["std_error"] == evidence.expected_se
    run_command("export m.json card.txt")
    card = Path("card.txt").read_text()
    low, high = model.thresholds_
    assert f"mid: above {low:.6g}, up to {high:.6g}" in card
    run_command("export m.json m.sql --table claims")
    assert Path("m.sql").read_text().endswith('FROM "claims" AS t;\n')


@pytest.mark.slow
def test_a_registered_model_is_selected_and_predicts(run_command, run_json, run):
    line = f"{SELECT} --candidates multinomial --model multinomial"
    assert run_json(line)["model"] == "multinomial"
    run_command("predict model.npz t.csv --proba --explain -o p.csv")
    predicted = pd.read_csv("p.csv")
    parts = predicted.filter(like="part of ").sum(axis=1)
    assert_allclose(parts, predicted["score"], atol=1e-9)


@pytest.mark.slow
def test_an_interrupted_selection_keeps_the_fitted_candidates(
    run_json, tmp_path, run, run_evidence
):
    kept = run / "evidence" / "ensemble.npz"  # scorecards come next
    interrupting = children.signal_when_written(
        "run/evidence/ensemble.npz", signal.SIGINT
    )
    ended = children.run(tmp_path, SELECT, interrupting)
    assert ended.returncode == 130, ended
    assert ended.stderr.endswith("moselect: interrupted\n")
    assert not Path("model.npz").exists()
    assert not (run / "evidence" / "scorecard.npz").exists()
    before = kept.stat().st_mtime_ns
    rules = run_json(SELECT)["candidates"]
    assert kept.stat().st_mtime_ns == before  # it was taken as it was
    for name, row in run_evidence[1].items():
        assert row | {"seconds": 0} == rules[name] | {"seconds": 0}


@pytest.mark.filterwarnings("default:MS101")
def test_recorded_remarks_are_repeated_without_looking_for_others(run_command, run):
    remark = "MS101: 'y' tells the class"
    changed = read_json("run/run.json") | {"table_remarks": [remark]}
    Path("run/run.json").write_text(json.dumps(changed))
    done = run_command(f"{SELECT} {ODDS} -o m.json")
    assert f"warning: {remark}" in done.stderr
    run_command("export m.json card.txt")
    assert remark in words_of(Path("card.txt").read_text())


@pytest.mark.parametrize(("share", "code"), [(0.05, 3), (0.9, 0)])
def test_unmet_limits_set_the_exit_code(run_command, run, share, code):
    limits = " ".join(f"--limit 'predicted {name}:{share}'" for name in NAMES)
    shown = run_command(f"{SELECT} {ODDS} {limits}", code=code).stdout
    met = re.findall(r"^Limit predicted \w+: (met|not met), ", shown, re.MULTILINE)
    assert len(met) == 3
    assert ("not met" in met) == (code == 3)
    price = re.search(r"^Excess cost of the limits: (\d+%)\.$", shown, re.MULTILINE)
    assert (price[1] == "0%") == (code == 0)


@pytest.mark.slow
def test_costs_of_each_row_from_a_file_to_predictions(
    run_command, searched, tmp_path, rng
):
    table = pd.read_csv(searched / "t.csv").assign(amount=rng.lognormal(3.0, 1.5, 60))
    Path("costs.csv").write_text(
        ",low,mid,high\nlow,0,20,40\nmid,amount / 2,0,20\nhigh,amount,0.5 * amount,0\n"
    )
    select = f"--cost-matrix costs.csv {ODDS}"
    done = search_and_select(tmp_path, table, f"--drop amount {QUICK}", select)
    words = words_of(done.stdout)
    assert "Costs of each row: amount / 2, amount, 0.5 * amount; total cost" in words
    assert "corrected for model selection. " in words
    run_command("check model.json t.csv")
    table.loc[3, "amount"] = None
    table.to_csv("new.csv", index=False)
    run_command("predict model.json new.csv -o classes.csv")
    found = pd.read_csv("classes.csv")
    assert found["class"].isna().to_numpy().nonzero()[0].tolist() == [3]
    assert found["reason"][3] == "'amount' of its costs is missing"
    predicted = read_model("model.json").predict(table.drop(3))
    assert_array_equal(found["class"].drop(3), predicted)


@pytest.mark.slow
def test_a_metric_is_optimised_and_named_in_the_file_and_on_the_page(
    run_command, run_json, run
):
    done = run_command("select run --metric quadratic_kappa --model linear -o m.json")
    assert re.search(r"^model +quadratic kappa \(95 %\) ", done.stdout, re.MULTILINE)
    document = read_json("m.json")
    criterion = document["about"]["criterion"]
    assert re.fullmatch(r"quadratic kappa, lambda = 0\.\d+", criterion)
    assert criterion in words_of(done.stdout)
    assert "quadratic kappa 0." in document["card"]["headline"][0].lower()
    assert 0.0 < document["about"]["expected_quadratic_kappa"] < 1.0
    checked = run_json("check m.json t.csv")
    assert checked["reported"]["cost"] > 0.0
    assert "(costs that optimise quadratic kappa)" in checked["verdict"]
    run_command("report run -o page.html")
    assert f"optimise {criterion}" in Path("page.html").read_text()


@pytest.mark.slow
def test_preferences_give_the_same_model_as_the_library(run_json, run, fitted):
    found = run_json("select run --prefer vus=2,accuracy=1 --model linear")
    selected = fitted.select(preferences={"vus": 2, "accuracy": 1}, model="linear")
    model = read_model(Path("model.json"))
    assert_array_equal(model.coef_, selected.coef_)
    assert found["compared_by"] == "utility"


@pytest.mark.parametrize("option", ["--member 1", "--best vus", "--balanced"])
def test_a_front_member_is_selected_unchanged(run_command, run_json, run, option):
    front = read_run(run).front
    index = {
        "--member 1": 1,
        "--best vus": front.best("vus"),
        "--balanced": front.balanced(),
    }[option]
    Path("t.csv").unlink()  # the data are not needed
    Path("model.json").write_text("mine")
    assert f"model {index} " in run_command(f"take run {option} --force").stdout
    found = run_json(f"take run {option} --force")
    model = read_model(Path("model.json"))
    assert_array_equal(model.coef_, front.weights[index])
    assert_array_equal(model.thresholds_, front.thresholds[index])
    assert read_json("model.json")["about"]["member"] == found["member"] == index
    figures = pd.DataFrame(found["figures"]).T
    assert figures["cross-validated"].tolist() == front.expected.iloc[index].tolist()
    assert figures["training"].tolist() == front.objectives.iloc[index].tolist()


@pytest.mark.slow
def test_monotone_constraints_are_saved_with_the_model(run_command):
    run_command(f"search boston --monotone RM:+,LSTAT:- {QUICK} --seed 1 --out run")
    shown = run_command(f"select run --class-costs 1,1,1,5,5 {ODDS} -o model.json").stdout
    assert "never falls with RM and never rises with LSTAT" in words_of(shown)
    run_command("take run --balanced -o member.json")
    for name in ("model", "member"):
        assert read_json(f"{name}.json")["monotone"] == {"RM": 1, "LSTAT": -1}


def test_pictures_of_a_scorecard_that_refers_rows(run, run_command):
    run_command(f"{SELECT} --model scorecard --refer 0.4")
    drawn = {path.stem for path in (run / "selections" / "001").glob("*.png")}
    assert drawn == {"decision", "trade_off", "referral", "scorecard_lengths"}


@pytest.mark.slow
def test_a_constant_class_is_not_named_as_too_large_for_a_file(tmp_path):
    rng = np.random.default_rng(0)  # no model costs less than the constant class
    table = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"])
    table["grade"] = rng.choice(["low", "mid", "high"], 60, p=[0.5, 0.3, 0.2])
    done = search_and_select(tmp_path, table, QUICK, "--costs 1,1,2")
    assert "always one class" in done.stdout
    assert "always one class" not in done.stderr


def test_a_run_needs_its_file_no_longer(run_command, table):
    town = np.where(np.arange(len(table)) % 2, "Ulm", "Bonn")
    table.assign(town=town).to_csv("rows.csv", index=False)
    read = "--target grade --group weight --drop town --seed 3"
    run_command(f"search rows.csv {read} {QUICK} --out run")
    line = f"{SELECT} {ODDS} --by town,weight --json"
    first = run_command(line)
    os.utime("rows.csv", (2e9, 2e9))
    changed = run_command(f"{line} --force")
    note = "'rows.csv' was written after the search, whose rows are used"
    assert note in words_of(changed.stderr)
    assert note not in words_of(first.stderr)
    Path("rows.csv").unlink()
    found = [
        parse_json(each) for each in (first, changed, run_command(f"{line} --force"))
    ]
    for each in found:
        assert each["by"].keys() == {"town", "weight"}
        assert each["by"] == found[0]["by"]
    refused = run_command(f"{line} --data rows.csv", code=2)
    assert "--data is for --all-rows" in words_of(refused.stderr)
