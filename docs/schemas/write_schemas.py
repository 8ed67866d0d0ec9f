"""Write the schemas of JSON documents from the types that read them: run it when they change.

python docs/schemas/write_schemas.py
"""

import inspect
import json
from pathlib import Path

import msgspec

from moselect.io.run_record import RunRecord
from moselect.predictor import ModelDocument

FOLDER = Path(__file__).parent
TYPES = {"model": ModelDocument, "run": RunRecord}


def schema(name: str) -> dict[str, object]:
    """Return the JSON Schema of a document: of a model or a run."""
    found = msgspec.json.schema(TYPES[name])
    for definition in found["$defs"].values():
        if "description" in definition:  # the docstring of the type, indented or not
            text = inspect.cleandoc(definition["description"])
            definition["description"] = text.split("\n\nExamples\n")[0]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


if __name__ == "__main__":
    for name in TYPES:
        path = FOLDER / f"{name}.schema.json"
        path.write_text(json.dumps(schema(name), indent=2) + "\n", encoding="utf-8")
