"""JSON documents as files."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from moselect.listing import shortened

Document = TypeVar("Document")


class Header(Struct, frozen=True):
    """Format, schema number and checksum in the header of a document."""

    format: object = None
    schema: Any = None
    checksum: object = None


def decoded(
    content: bytes, document_type: type[Document], reads: Header, what: str, renew: str
) -> Document:
    """Decode a JSON document into a type; ValueError for another format or schema.

    ``what`` is the name of the document in messages, ``renew`` the way to create it again.
    """
    try:
        header = msgspec.json.decode(content, type=Header)
        if (header.format, header.schema) == (reads.format, reads.schema):
            if header.checksum not in (None, checksum_of(content)):
                raise ValueError(
                    "its checksum differs; if you edited it, remove the checksum"
                )
            return msgspec.json.decode(content, type=document_type)
    except ValueError as error:
        raise ValueError(f"{what} is damaged ({shortened(error)}): {renew}") from None
    if header.format != reads.format:
        raise ValueError(f"{what} is no {reads.format or 'record of a search'}: {renew}")
    if isinstance(header.schema, int) and header.schema > reads.schema:
        renew = "update moselect (pip install --upgrade moselect)"
    raise ValueError(
        f"{what} has schema {shortened(header.schema)}, but this version reads schema "
        f"{reads.schema}: {renew}"
    )


def checksum_of(content: bytes) -> str:
    """Return the SHA-256 of the values of a document, but its checksum, in hexadecimal.

    White space and the order of keys do not count.
    """
    document = msgspec.json.decode(content)
    document.pop("checksum", None)
    return sha256(msgspec.json.encode(document, order="deterministic")).hexdigest()


def with_checksum(document: Mapping[str, object]) -> bytes:
    """Encode a document as JSON, with its checksum at its end."""
    return as_json({**document, "checksum": checksum_of(as_json(document))})


def as_json(record: object) -> bytes:
    """Encode a record as JSON; NaN becomes null, TypeError for types unknown to JSON.

    Examples
    --------
    >>> import pandas as pd
    >>> as_json({"rows": pd.DataFrame({"n": [2]}, [False])}).split()
    [b'{', b'"rows":', b'{', b'"False":', b'{', b'"n":', b'2', b'}', b'}', b'}']
    """
    return (
        msgspec.json.format(msgspec.json.encode(record, enc_hook=_plain), indent=2)
        + b"\n"
    )


def _plain(value: Any) -> object:
    """Convert numbers, arrays and tables: rows by name, or a list if they are numbered."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "to_dict"):
        # Only a RangeIndex, of rows without names, has a step.
        # A name of JSON is text.
        named = value.rename(str)
        return named.to_dict("records" if hasattr(value.index, "step") else "index")
    raise TypeError(f"{value!r} cannot be recorded")
