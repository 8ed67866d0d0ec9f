"""Write the schema of models from the type that reads them: run it when it changes.

python docs/schemas/write_schemas.py
"""

import inspect
import json
from pathlib import Path

import msgspec

from moselect.predictor import ModelDocument

PATH = Path(__file__).with_name("model.schema.json")


def schema() -> dict[str, object]:
    """Return the JSON Schema of a model."""
    found = msgspec.json.schema(ModelDocument)
    for definition in found["$defs"].values():
        if "description" in definition:  # the docstring of the type, indented or not
            text = inspect.cleandoc(definition["description"])
            definition["description"] = text.split("\n\nExamples\n")[0]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


if __name__ == "__main__":
    PATH.write_text(json.dumps(schema(), indent=2) + "\n", encoding="utf-8")
