"""Records as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np


def as_json(record: Mapping[str, Any]) -> bytes:
    """Return a record as a JSON file; TypeError or ValueError for values that JSON cannot hold.

    Examples
    --------
    >>> print(as_json({"seed": 1}).decode())
    {
      "seed": 1
    }
    """
    text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)
    return f"{text}\n".encode(errors="backslashreplace")  # half a character, as JSON escapes it


def _plain(value: Any) -> Any:
    """Convert numpy numbers and arrays, which JSON lacks, to plain values."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be recorded")
