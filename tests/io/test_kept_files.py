"""Files that earlier versions wrote are read, or refused with the way out."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.datasets import read_table
from moselect.io import read_model, read_run, search_of

KEPT = Path(__file__).with_name("kept")
VERSIONS = sorted(path.name for path in KEPT.iterdir() if path.is_dir())
CLASSES = ["none", "slight", "serious", "severe"]


@pytest.mark.parametrize("version", VERSIONS)
def test_plain_models_predict_what_stands_in_the_file(version):
    path = KEPT / version / "model.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    model = read_model(path)
    assert model.classes_.tolist() == CLASSES
    weights, thresholds = np.array(document["coef"]), np.array(document["thresholds"])
    X = np.random.default_rng(1).uniform(0.0, 100.0, size=(200, len(weights)))
    model.columns = None  # the rest is tested below
    ranks = (thresholds < (X @ weights)[:, None]).sum(axis=1)
    table = pd.DataFrame(X, columns=document["feature_names"])
    assert model.predict(table).tolist() == [CLASSES[rank] for rank in ranks]


@pytest.mark.parametrize("kind", ["", "-splines"])
def test_models_of_tables_predict_what_they_predicted(kind):
    X = pd.read_csv(KEPT / "0.2" / "claims.csv")
    if kind:  # it was fitted to a table of numbers
        X = X[["age", "speed_kmh", "damage_eur", "witnesses"]]
    told = pd.read_csv(KEPT / "0.2" / f"predictions{kind}.csv", keep_default_na=False)
    complete = (told["class"] != "").to_numpy()
    model = read_model(KEPT / "0.2" / f"model{kind}.json")
    assert complete.sum() >= 30
    assert model.predict(X[complete]).tolist() == told["class"][complete].tolist()
    scores = told["score"][complete].astype(float)
    np.testing.assert_allclose(model.decision_function(X[complete]), scores, rtol=1e-9)


def test_a_run_of_this_schema_comes_back_whole():
    path = KEPT / "0.2" / "run"
    run = read_run(path)
    table = read_table(path / "front.csv")
    assert run.front.classes.tolist() == CLASSES
    np.testing.assert_array_equal(run.front.objectives, table[["accuracy", "vus"]])
    np.testing.assert_array_equal(
        run.front.expected, table[["expected:accuracy", "expected:vus"]]
    )
    assert len(run.front.fold_fronts) == 2
    search = search_of(run.record)
    assert (search.n_iterations, search.cv, search.random_state) == (3, 2, 1)
    X = pd.read_csv(KEPT / "0.2" / "claims.csv")
    assert set(run.front[0].predict(X)) <= set(CLASSES)


def test_a_run_of_an_older_schema_is_refused_with_the_way_out():
    path = KEPT / "0.1" / "run"
    message = (
        f"'{path / 'run.json'}' has schema 3, but this version reads schema 4: search again, with "
        "the data, settings and seed that stand in it"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read_run(path)
