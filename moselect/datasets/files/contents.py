"""What a file holds: bytes that can be read from their beginning again, and of which kind."""

from __future__ import annotations

import gzip
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

STANDARD_INPUT = "-"
GZIP = b"\x1f\x8b"
Kind = Literal["text", "workbook", "Parquet", "Feather"]
FIRST_BYTES: dict[bytes, Kind] = {
    b"PK\x03\x04": "workbook",
    b"\xd0\xcf\x11\xe0": "workbook",
    b"PAR1": "Parquet",
    b"ARROW1": "Feather",
    b"FEA1": "Feather",
}


@dataclass(frozen=True)
class Content:
    """A file, or bytes that are kept in memory."""

    source: Path | bytes

    def open(self) -> BinaryIO:
        """Open it for reading from the beginning."""
        if isinstance(self.source, bytes):
            return io.BytesIO(self.source)
        return self.source.open("rb")

    @property
    def kind(self) -> Kind:
        """What its first bytes say that it is."""
        with self.open() as file:
            first = file.read(8)
        return next(
            (kind for start, kind in FIRST_BYTES.items() if first.startswith(start)), "text"
        )


def find_content(name: str) -> Content:
    """Return what the file called ``name`` (``-``: standard input) holds, decompressed."""
    content = Content(sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name))
    with content.open() as file:
        if file.read(2) != GZIP:
            return content
        file.seek(0)
        return Content(gzip.decompress(file.read()))
