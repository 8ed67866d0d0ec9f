import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_absolute_error

from moselect import cost_matrix
from moselect.inference import prediction_inference, ranking_inference
from moselect.metrics import vus_score
from moselect.metrics.objectives import short_measure
from tests.cli.conftest import parse_json


@pytest.fixture
def predictions(rng):
    y = np.repeat([1, 2, 3], [30, 20, 10])
    score = y + rng.normal(scale=0.8, size=60)
    table = pd.DataFrame({"truth": y, "s": score, "guess": np.clip(np.rint(score), 1, 3)})
    table.to_csv("p.csv")
    return table


TIMES = np.random.default_rng(1).integers(1, 4, 60)
PATIENTS = [f"P{i // 2}" for i in range(60)]


@pytest.mark.parametrize(
    ("option", "roles"),
    [
        ("", {}),
        (
            "--weight times --weight-type counts",
            {"sample_weight": TIMES, "weight_type": "counts"},
        ),
        ("--group patient", {"groups": PATIENTS}),
    ],
)
def test_measures_match_the_library(run_command, run_json, predictions, option, roles):
    predictions.assign(times=TIMES, patient=PATIENTS).to_csv("p.csv")
    line = f"evaluate p.csv --true truth --score s --pred guess {option}"
    measured = run_json(line)["measures"]
    truth = predictions["truth"]
    expected = prediction_inference(truth, predictions["guess"], **roles)
    for measure in ("vus", "u_pairs"):
        inference = ranking_inference(truth, predictions["s"], measure, **roles)
        interval = inference.confidence_intervals[0]
        expected.loc[measure] = [*inference.estimates, *interval]
    printed = run_command(line).stdout
    for name, row in expected.iterrows():
        assert measured[name]["estimate"] == pytest.approx(row["estimate"])
        assert measured[name]["lower"] == pytest.approx(row["lower"], rel=0.05)
        line = rf"^{re.escape(short_measure(name))}  +{measured[name]['estimate']:.4f} "
        assert re.search(line, printed, re.MULTILINE)


def test_measures_by_group(run_command, run_json, predictions):
    towns = np.where(np.arange(60) % 2, "Bonn", "Cork")
    predictions.assign(town=towns).to_csv("p.csv")
    line = "evaluate p.csv --true truth --class-costs 1,1,5 --pred guess --by town"
    found = run_json(line)["by"]["town"]
    truth = predictions["truth"]
    guess = predictions["guess"].astype(int)
    costs = cost_matrix([1, 1, 5])[truth - 1, guess - 1]
    for name, row in found["groups"].items():
        mine = towns == name
        assert row["rows"] == mine.sum()
        assert row["cost"] == pytest.approx(costs[mine].mean())
        missed = guess[mine & (truth == 3)] < 3
        assert row["miss_rate 3"] == pytest.approx(missed.mean())
    means = [row["cost"] for row in found["groups"].values()]
    assert found["differences"]["cost"]["difference"] == pytest.approx(np.ptp(means))
    shown = run_command(line).stdout
    assert "Largest difference in cost: " in shown
    shown = run_command(line.replace("--by town", "--by truth")).stdout
    assert " none" in shown  # no rows above the boundary
    assert "nan" not in shown


def test_a_long_label_leaves_the_heading_its_words(run_command, predictions):
    label = "strongly disagrees with all of it"
    named = predictions.replace({3: label, 2: "b", 1: "a"}).assign(town="x")
    named.loc[::2, "town"] = "y"
    named.to_csv("p.csv", index=False)
    line = f"evaluate p.csv --true truth --pred guess --order 'a,b,{label}' --by town"
    assert "missed" in run_command(line).stdout


def test_a_cost_matrix_and_rows_sent_to_review(run_command, run_json, predictions):
    """The same figures by hand, from the confusion matrix with a column of referred rows."""
    guess = predictions["guess"].astype(int).astype(str)
    guess[predictions["s"].between(1.4, 1.8)] = "person"
    predictions.assign(guess=guess).to_csv("p.csv")
    Path("c.csv").write_text("true,1,2,3\n1,0,1,2\n2,3,0,1\n3,9,4,0\n")
    line = (
        "evaluate p.csv --true truth --pred guess --cost-matrix c.csv --refer person:0.5"
    )
    found = run_json(line)
    answers = ["1", "2", "3", "person"]
    counts = pd.crosstab(predictions["truth"], guess).reindex(columns=answers).to_numpy()
    assert found["confusion"] == counts.tolist()
    costs = np.array([[0, 1, 2, 0.5], [3, 0, 1, 0.5], [9, 4, 0, 0.5]])
    cost = found["measures"]["expected_cost"]
    assert cost["estimate"] == pytest.approx((counts * costs).sum() / counts.sum())
    assert cost["lower"] < cost["estimate"] < cost["upper"]
    share = found["measures"]["referred"]["estimate"]
    assert share == pytest.approx(counts[:, 3].sum() / counts.sum())
    accuracy = counts.diagonal().sum() / counts[:, :3].sum()
    assert found["measures"]["accuracy"]["estimate"] == pytest.approx(accuracy)
    assert "as person" in run_command(line).stdout
    predictions.assign(guess="person").to_csv("p.csv")
    measures = run_json(line)["measures"]
    shares = {name: figures["estimate"] for name, figures in measures.items()}
    assert shares == {"expected_cost": 0.5, "referred": 1.0}


def test_text_classes_and_a_class_that_is_only_predicted(run_command, predictions):
    names = {1: "calm", 2: "breezy, at times", 3: "stormy"}
    numbers = predictions[predictions["truth"] < 3]
    words = numbers[["truth", "guess"]].replace(names)
    words.assign(s=numbers["s"]).to_csv("t.csv")
    line = "evaluate t.csv --true truth --score s --pred guess"
    assert "--order" in run_command(line, code=65).stderr
    done = run_command(f"""{line} --order 'calm,"breezy, at times",stormy'""")
    assert "stormy: 0" in done.stdout
    expected = mean_absolute_error(numbers["truth"], numbers["guess"])
    assert re.search(rf"^MAE  +{expected:.4f} ", done.stdout, re.MULTILINE)


def test_a_class_of_one_row_has_estimates_without_intervals(run_command):
    table = pd.DataFrame({"truth": [1, 1, 2, 2, 3], "s": [0.1, 0.4, 0.3, 0.6, 0.5]})
    table.to_csv("p.csv")
    line = "evaluate p.csv --true truth --score s"
    done = run_command(f"{line} --json")
    vus = parse_json(done)["measures"]["vus"]
    assert vus["estimate"] == vus_score(table["truth"], table["s"])
    assert vus["lower"] is vus["upper"] is None
    assert "class 3 has one" in done.stderr
    assert "0.2500" in run_command(line).stdout


def test_labels_of_different_types_are_matched_as_text(run_json):
    true = ["0", "1", "2", "2"]  # read as numbers
    guess = ["0", "1", "2", "3+"]
    pd.DataFrame({"true": true * 5, "guess": guess * 5}).to_csv("p.csv")
    found = run_json("evaluate p.csv --true true --pred guess --order 0,1,2,3+")
    assert [entry["rows"] for entry in found["classes"]] == [5, 5, 10, 0]
    assert found["measures"]["mean_absolute_error"]["estimate"] == 0.25
    Path("b.csv").write_text("true,guess\nTrue,True\nFalse,look\n")
    found = run_json("evaluate b.csv --true true --pred guess --costs 1,1 --refer look:1")
    assert found["confusion"] == [[0, 0, 1], [0, 1, 0]]


@pytest.mark.filterwarnings("default:whole-number weights")
def test_whole_weights_of_persons_are_relative(run_command, run_json, predictions):
    weights = np.random.default_rng(2).integers(20, 200, 60)
    predictions.assign(weight=weights, exact=weights + 0.001).to_csv("p.csv")
    line = "evaluate p.csv --true truth --pred guess --weight"
    found = run_json(f"{line} weight")
    assert found["n_rows"] == 60
    expected = run_json(f"{line} exact")["measures"]["accuracy"]
    assert found["measures"]["accuracy"] == pytest.approx(expected, rel=1e-4)
    assert "--weight-type counts" in run_command(f"{line} weight").stderr
    counted = run_json(f"{line} weight --weight-type counts")
    assert counted["n_rows"] == weights.sum()


def test_costs_of_each_row(run_json, predictions, rng):
    amount = rng.lognormal(size=60).round(3)
    predictions.assign(amount=amount).to_csv("p.csv")
    Path("c.csv").write_text("0,1,2\n0.5 * amount,0,1\namount,0.5 * amount,0\n")
    line = "evaluate p.csv --true truth --pred guess --cost-matrix c.csv"
    truth, guess = (predictions[name].astype(int) for name in ("truth", "guess"))
    low = truth - guess
    costs = np.where(low > 0, 0.5 * amount * low, -low)
    cost = run_json(line)["measures"]["expected_cost"]
    assert cost["estimate"] == pytest.approx(costs.mean())
    assert 0.0 <= cost["lower"] < cost["estimate"] < cost["upper"]


def test_cells_that_are_no_classes(run_command, run_json, predictions):
    table = predictions.astype({"guess": float})
    table.loc[:2, "guess"] = np.nan
    table.loc[3, "guess"] = 99.0
    table.to_csv("p.csv")
    line = "evaluate p.csv --true truth --pred guess"
    done = run_command(line)
    assert "3 of 60 rows have no class in 'guess'" in done.stderr
    assert "--leave-out 99" in done.stderr
    found = run_json(f"{line} --leave-out 99")
    assert found["n_rows"] == 56
    right = (table["guess"] == table["truth"])[4:].mean()
    assert found["measures"]["accuracy"]["estimate"] == pytest.approx(right)
    message = run_command(line.replace("--pred guess", "--pred s"), code=65).stderr
    assert "--score s" in message
    assert "--bins" not in message
