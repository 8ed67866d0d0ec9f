"""What a file holds: bytes that can be read from their beginning again, and of which kind."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal, cast

STANDARD_INPUT = "-"
Kind = Literal["text", "gzip", "workbook", "Parquet", "Feather"]
SUFFIXES: dict[str, Kind] = {
    ".csv": "text",
    ".tsv": "text",
    ".txt": "text",
    ".tab": "text",
    ".dat": "text",
    ".gz": "gzip",
    ".xlsx": "workbook",
    ".xlsm": "workbook",
    ".xls": "workbook",
    ".ods": "workbook",
    ".parquet": "Parquet",
    ".feather": "Feather",
    ".arrow": "Feather",
}
FIRST_BYTES: dict[bytes, Kind] = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "workbook",
    b"\xd0\xcf\x11\xe0": "workbook",
    b"PAR1": "Parquet",
    b"ARROW1": "Feather",
    b"FEA1": "Feather",
}


@dataclass(frozen=True)
class Content:
    """Bytes of a file, decompressed, and their kind; ``open`` starts at their beginning."""

    open: Callable[[], BinaryIO]
    kind: Kind


def find_content(name: str) -> Content:
    """Return what the file called ``name`` (``-``: standard input) holds.

    The first bytes say of which kind it is, so that a pipe or a misnamed file can be read; they
    must not contradict the suffix of the name.
    """
    path = Path(name)
    source: Path | bytes = path
    expected: Kind | None = "text"
    if name == STANDARD_INPUT:
        source = sys.stdin.buffer.read()
    elif not path.is_file():  # a pipe can be read only once
        source = path.read_bytes()
    elif path.suffix:
        expected = SUFFIXES.get(path.suffix.lower())
    open_file = partial(_open, source)
    kind = _kind_of(open_file)
    if kind == "gzip":
        open_file, expected = partial(_unpack, source), "text"
        kind = _kind_of(open_file)
    if kind == "text" and expected is None:
        raise ValueError(
            "its name must end in .csv, .tsv, .txt (or these with .gz), .xlsx, .ods, .parquet or "
            ".feather"
        )
    if kind == "text" and expected != "text":
        raise ValueError(f"it is no {expected} file, though its name says so")
    return Content(open_file, kind)


def _kind_of(open_file: Callable[[], BinaryIO]) -> Kind:
    with open_file() as file:
        first = file.read(8)
    return next((kind for start, kind in FIRST_BYTES.items() if first.startswith(start)), "text")


def _open(source: Path | bytes) -> BinaryIO:
    return io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")


def _unpack(source: Path | bytes) -> BinaryIO:
    compressed = io.BytesIO(source) if isinstance(source, bytes) else source
    return cast("BinaryIO", gzip.open(compressed))
