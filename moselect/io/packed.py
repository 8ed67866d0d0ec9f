"""Plain arrays as one archive, an ``npz`` without objects: nothing in it is executed."""

from __future__ import annotations

import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np

from moselect._types import Array
from moselect.listing import reason_of

FIRST_BYTES = b"PK"  # of every such file, a zip archive
DAMAGES = (  # how zipfile and numpy refuse what they cannot read
    zipfile.BadZipFile,
    zlib.error,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    tokenize.TokenError,
    ValueError,
)


def pack(arrays: Mapping[str, Any]) -> bytes:
    """Return an archive of arrays by name."""
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(content: bytes, what: str) -> dict[str, Array]:
    """Return the arrays of an archive; ValueError, which names it, if it is damaged."""
    try:
        with np.load(BytesIO(content), allow_pickle=False) as archive:
            arrays = dict(archive)
        for name, array in arrays.items():
            if array.dtype.kind not in "fiu":
                raise ValueError(f"{name} holds {array.dtype}, no numbers")
    except DAMAGES as error:
        raise ValueError(f"{what} is damaged: {reason_of(error)}") from None
    return arrays
