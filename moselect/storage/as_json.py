"""Records as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np


def as_json(record: Mapping[str, Any]) -> bytes:
    """Give a record as it stands in a file; TypeError or ValueError for what JSON cannot hold."""
    text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)
    return f"{text}\n".encode(errors="backslashreplace")  # half a character, as JSON escapes it


def _plain(value: Any) -> Any:
    """Turn what JSON does not know (numpy numbers and arrays) into what it does."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be recorded")
