"""Write ``model.schema.json`` from the types that read a model: run it when they change.

python docs/schemas/write_model_schema.py
"""

import json
from pathlib import Path

import msgspec

from moselect.models import ModelDocument

PATH = Path(__file__).parent / "model.schema.json"


def schema() -> dict[str, object]:
    """Return the JSON Schema of a ``model.json``."""
    found = msgspec.json.schema(ModelDocument)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


if __name__ == "__main__":
    PATH.write_text(json.dumps(schema(), indent=2) + "\n", encoding="utf-8")
