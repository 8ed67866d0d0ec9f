"""Files that moselect writes, checked against the JSON Schemas of the documentation."""

import json
import runpy

import jsonschema
import pandas as pd
import pytest

import moselect
from moselect import io as storage
from moselect.datasets import load_dataset
from tests.places import DOCS

SCHEMAS = DOCS / "schemas"


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def check(document, name):
    schema = read(SCHEMAS / f"{name}.schema.json")
    # It checks the schema, too.
    jsonschema.validate(document, schema, jsonschema.Draft202012Validator)


@pytest.fixture(scope="module")
def found():
    data = load_dataset("boston")
    search = moselect.ParetoSearch(n_iterations=2, cv=2, holdout=0.3, random_state=1)
    return data, search.fit(data.X, data.y)


def test_run_folder(found, tmp_path):
    data, search = found
    storage.write_run(tmp_path / "run", search, data, 1.0, {"source": "boston"})
    check(read(tmp_path / "run" / "run.json"), "run")
    front = pd.read_csv(tmp_path / "run" / "front.csv")
    for row in json.loads(front.to_json(orient="records")):
        check(row, "front")


def test_model(found, tmp_path):
    data, search = found
    storage.write_model(tmp_path / "model.json", search.front_[0], {"data": data.name})
    check(read(tmp_path / "model.json"), "model")


def test_the_schema_of_models_matches_their_type():
    writer = runpy.run_path(str(SCHEMAS / "write_schemas.py"))
    stored = read(SCHEMAS / "model.schema.json")
    assert stored == json.loads(json.dumps(writer["schema"]()))
