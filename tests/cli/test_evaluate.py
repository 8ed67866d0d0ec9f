from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, mean_absolute_error

from moselect import cost_matrix, expected_cost
from moselect.metrics import prediction_inference, ranking_inference, vus_score
from tests.cli.conftest import document


@pytest.fixture
def predictions():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 2, 3], [30, 20, 10])
    score = y + rng.normal(scale=0.8, size=60)
    table = pd.DataFrame({"truth": y, "s": score, "guess": np.clip(np.rint(score), 1, 3)})
    table.to_csv("p.csv", index=False)
    return table


def rows(text):
    found = re.findall(r"^(\S.*?)  +(\S+) +(\S+) to (\S+)$", text, flags=re.MULTILINE)
    return {name: tuple(map(float, values)) for name, *values in found}


def test_scores_and_classes_are_measured(inside, predictions):
    done = inside("evaluate p.csv --true truth --score s --pred guess")
    measured = rows(done.stdout)
    y, score, guess = (predictions[name] for name in ("truth", "s", "guess"))
    assert measured["VUS"][0] == pytest.approx(vus_score(y, score), abs=5e-5)
    interval = ranking_inference(y, score, "vus").confidence_intervals[0]
    assert measured["VUS"][1:] == pytest.approx(tuple(interval), abs=5e-5)
    assert measured["accuracy"][0] == pytest.approx(accuracy_score(y, guess), abs=5e-5)
    assert measured["MAE"][0] == pytest.approx(mean_absolute_error(y, guess), abs=5e-5)
    for estimate, lower, upper in measured.values():
        assert lower <= estimate <= upper
    assert len(measured) == 10
    assert "1: 30, 2: 20, 3: 10" in done.stdout


def test_the_cost_of_predictions(inside, predictions):
    done = inside("evaluate p.csv --true truth --class-costs 1,1,5 --pred guess")
    estimate, lower, upper = rows(done.stdout)["cost of a row"]
    matrix = cost_matrix([1, 1, 5])
    given = (predictions["truth"], predictions["guess"].astype(int))
    assert estimate == pytest.approx(expected_cost(*given, matrix), abs=5e-5)
    assert lower < estimate < upper


@pytest.mark.parametrize(
    ("option", "parameter"),
    [
        ("--weight times", "sample_weight"),
        ("--weight share", "sample_weight"),
        ("--group patient", "groups"),
    ],
)
def test_weights_and_groups_are_those_of_the_measures(
    told, predictions, option, parameter
):
    rng = np.random.default_rng(1)
    predictions["times"] = rng.integers(1, 4, 60)
    predictions["share"] = rng.uniform(0.5, 2.0, 60).round(3)
    predictions["patient"] = [f"P{i // 2}" for i in range(60)]
    predictions.to_csv("p.csv", index=False)
    line = f"evaluate p.csv --true truth --score s --pred guess {option}"
    measured = told(line)["measures"]
    y, score, guess = (predictions[name] for name in ("truth", "s", "guess"))
    stated = {parameter: predictions[option.split()[1]]}
    interval = ranking_inference(y, score, "vus", **stated).confidence_intervals[0]
    assert [measured["vus"]["lower"], measured["vus"]["upper"]] == pytest.approx(interval)
    expected = prediction_inference(y, guess, **stated)
    for name, row in expected.iterrows():
        assert measured[name]["estimate"] == pytest.approx(row["estimate"])
        assert measured[name]["lower"] == pytest.approx(row["lower"], rel=0.05)


def test_text_classes_and_a_class_that_is_only_predicted(inside, predictions):
    names = {1: "calm", 2: "breezy, at times", 3: "stormy"}
    table = predictions[predictions["truth"] < 3].copy()
    table["guess"] = table["guess"].astype(int)
    for name in ("truth", "guess"):
        table[name] = table[name].map(names)
    table.to_csv("t.csv", index=False)
    line = "evaluate t.csv --true truth --score s --pred guess"
    assert "--order" in inside(line, code=2).stderr
    done = inside(f"""{line} --order 'calm,"breezy, at times",stormy'""")
    assert "stormy: 0" in done.stdout
    rank = {name: k for k, name in names.items()}
    expected = mean_absolute_error(table["truth"].map(rank), table["guess"].map(rank))
    assert rows(done.stdout)["MAE"][0] == pytest.approx(expected, abs=5e-5)


def write(table, name):
    """Write a table as a file, or, without an ending, as the only file of a folder."""
    if name.suffix == "":
        name.mkdir()
        name /= "p.csv"
    table.to_csv(name, index=False)


@pytest.mark.parametrize("name", ["p.csv", "parts"])
def test_a_class_of_one_row_leaves_out_the_intervals_alone(inside, name):
    table = pd.DataFrame({"truth": [1, 1, 2, 2, 3], "s": [0.1, 0.4, 0.3, 0.6, 0.5]})
    write(table, Path(name))
    line = f"evaluate {name} --true truth --score s"
    done = inside(f"{line} --json")
    vus = document(done)["measures"]["vus"]
    assert vus["estimate"] == vus_score(table["truth"], table["s"])
    assert vus["lower"] is vus["upper"] is None
    assert "class 3 has one row" in done.stderr
    assert "0.2500" in inside(line).stdout


@pytest.mark.parametrize("name", ["p.csv", "parts"])
@pytest.mark.parametrize(
    ("true", "guess"),
    [
        (["0", "1", "2", "3+"], ["0", "1", "2", "2"]),  # the guesses read as numbers
        (["0", "1", "2", "2"], ["0", "1", "2", "3+"]),
    ],
)
def test_columns_of_other_types_are_of_the_same_classes(told, true, guess, name):
    table = pd.DataFrame({"true": true * 5, "guess": guess * 5})
    write(table, Path(name))
    found = told(f"evaluate {name} --true true --pred guess --order 0,1,2,3+")
    counts = {str(entry["class"]): entry["rows"] for entry in found["classes"]}
    expected = (
        dict.fromkeys(map(str, [*true, *guess]), 0)
        | table["true"].value_counts().to_dict()
    )
    assert counts == {str(label): rows for label, rows in expected.items()}
    names = list(counts)
    rank = table.map(lambda label: names.index(str(label)))
    assert found["measures"]["mean_absolute_error"]["estimate"] == pytest.approx(
        (rank["true"] - rank["guess"]).abs().mean()
    )


@pytest.fixture
def parts():
    """Write predictions as one file, and as a folder of several."""
    pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    rng = np.random.default_rng(0)
    # one sample of class 4 is dropped below
    y = np.append([1, 2, 3, 4], rng.integers(1, 4, 3000))
    score = np.round(y + rng.normal(scale=0.8, size=len(y)), 1)
    table = pd.DataFrame({"truth": y, "s": score, "guess": np.clip(np.rint(score), 1, 4)})
    table = table[table["truth"] < 4]
    Path("parts").mkdir()
    for i, part in enumerate(np.array_split(np.arange(len(table)), 3)):
        table.iloc[part].to_parquet(f"parts/{i}.parquet", index=False)
    table.to_csv("p.csv", index=False)


@pytest.fixture
def measured(told):
    """Return a function that measures the predictions in a file or folder."""
    columns = "--true truth --score s --pred guess"
    return lambda line: told(f"evaluate {line} {columns}")


def check_same(streamed, whole):
    assert streamed["n_rows"] == whole["n_rows"]
    assert streamed["classes"] == whole["classes"]
    assert streamed["measures"].keys() == whole["measures"].keys()
    for name, row in whole["measures"].items():
        found = streamed["measures"][name]
        for field in ("estimate", "lower", "upper"):
            assert found[field] == pytest.approx(row[field], abs=1e-6), name
        if found.get("least") is not None:
            lower, upper = found["least"], found["most"]
            assert lower - 1e-12 <= row["estimate"] <= upper + 1e-12
            assert upper - lower < 1e-6


def test_part_by_part_gives_what_the_whole_gives(measured, parts):
    check_same(measured("parts"), measured("p.csv"))


@pytest.mark.slow
def test_counts_of_real_processes_are_merged(measured, parts):
    distributed = pytest.importorskip("distributed", reason="needs Dask")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        merged = measured(f"parts --dask {cluster.scheduler_address}")
    check_same(merged, measured("p.csv"))
