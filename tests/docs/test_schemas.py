"""Files that moselect writes, checked against the JSON Schemas of the documentation."""

import json
import runpy
from pathlib import Path

import jsonschema
import pandas as pd
import pytest

import moselect
from moselect import io as storage
from moselect.datasets import load_dataset

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def read(name):
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def check(document, name):
    jsonschema.validate(document, read(name), jsonschema.Draft202012Validator)


@pytest.fixture(scope="module")
def found():
    data = load_dataset("boston")
    search = moselect.ParetoSearch(n_iterations=2, cv=2, holdout=0.3, random_state=1)
    return data, search.fit(data.X, data.y)


@pytest.mark.slow
def test_run_folder(found, tmp_path):
    data, search = found
    storage.write_run(tmp_path / "run", search, data, 1.0, {"source": "boston"})
    record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    check(record, "run")
    rows = json.loads(
        pd.read_csv(tmp_path / "run" / "front.csv").to_json(orient="records")
    )
    for row in rows:
        check(row, "front")


def test_model(found, tmp_path):
    data, search = found
    storage.write_model(tmp_path / "model.json", search.front_[0], {"data": data.name})
    document = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    check(document, "model")


def test_the_schema_of_models_matches_their_type():
    writer = runpy.run_path(str(SCHEMAS / "write_schemas.py"))
    assert read("model") == json.loads(json.dumps(writer["schema"]()))
