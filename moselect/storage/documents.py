"""JSON documents that moselect writes and reads: schemas, and what is said of damage."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from moselect.listing import shortened

Document = TypeVar("Document", bound=Struct)


class Header(Struct):
    """The format and the schema that a document says it has."""

    format: Any = None
    schema: Any = None


def check_schema(what: str, schema: object, reads: int, renew: str) -> None:
    """Raise ValueError unless a file has the schema that this version reads.

    ``renew`` says how to make a file like ``what`` anew.
    """
    if schema == reads:
        return
    newer = isinstance(schema, int) and schema > reads
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


def as_json(record: Any) -> bytes:
    """Return a record as a JSON file; NaN becomes null, TypeError for what JSON cannot hold."""
    return msgspec.json.format(msgspec.json.encode(record, enc_hook=_plain), indent=2) + b"\n"


def _plain(value: Any) -> Any:
    """Convert numpy's and pandas' numbers and arrays, which JSON lacks, to plain values."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be recorded")
