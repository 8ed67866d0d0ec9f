"""JSON documents that moselect writes and reads: labels, schemas, and what is said of damage."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
import numpy as np
from msgspec import Meta, Struct

from moselect._validation import shortened

MOST_CLASSES = 100_000

Document = TypeVar("Document", bound=Struct)
Seed = Annotated[int, Meta(ge=0)]
Label = bool | int | float | str
Labels = Annotated[list[Label], Meta(min_length=2, max_length=MOST_CLASSES)]


class Header(Struct):
    """The format and the schema that a document says it has."""

    format: Any = None
    schema: Any = None


def check_different_labels(labels: Sequence[Label]) -> None:
    """Raise ValueError unless labels are all different and of one kind."""
    if len({type(label) for label in labels}) > 1 or len(set(labels)) < len(labels):
        raise ValueError("classes must be different labels of one kind")


def check_schema(what: str, schema: object, reads: int, renew: str) -> None:
    """Raise ValueError unless a file has the schema that this version reads.

    ``renew`` says how to make a file like ``what`` anew.
    """
    if type(schema) is int and schema == reads:
        return
    newer = type(schema) is int and schema > reads
    way_out = "update moselect (pip install --upgrade moselect)" if newer else renew
    raise ValueError(
        f"{what} has schema {shortened(schema)}, but this version reads schema {reads}: {way_out}"
    )


def decoded(content: bytes, kind: type[Document]) -> Document:
    """Return a document of a kind; ValueError, with where and why, if it is none."""
    try:
        return msgspec.json.decode(content, type=kind)
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8") from None
    except (ValueError, RecursionError) as error:  # which quote values that may be long
        raise ValueError(shortened(error)) from None


def as_json(record: Mapping[str, Any]) -> bytes:
    """Return a record as a JSON file; TypeError or ValueError for values that JSON cannot hold."""
    text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)
    return f"{text}\n".encode(errors="backslashreplace")  # half a character, as JSON escapes it


def _plain(value: Any) -> Any:
    """Convert numpy numbers and arrays, which JSON lacks, to plain values."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be recorded")
