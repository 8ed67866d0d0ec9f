"""What a file holds: bytes that can be read from their beginning again, and of which kind."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal, cast

STANDARD_INPUT = "-"
PATIENCE = 5.0  # seconds for somebody to begin to write to a pipe
BLOCK = 2**20  # bytes
LARGEST_STREAM = 4 * 2**30  # bytes
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

    The first bytes say of which kind it is, so that a pipe or a misnamed file can be read.

    Raises
    ------
    ValueError
        If the content is not what the suffix of the name says, or neither says what it is.
    OSError
        If it cannot be read.
    """
    path = Path(name)
    source: Path | bytes = path
    expected: Kind | None = "text"
    if name == STANDARD_INPUT:
        source = _read_all(sys.stdin.buffer)
    elif not path.is_file():
        source = read_stream(path)
    elif path.suffix:
        expected = SUFFIXES.get(path.suffix.lower())
    content = _content(partial(_open, source))
    if content.kind == "gzip":
        content, expected = _content(partial(_unpack, source)), "text"
        if content.kind == "gzip":
            raise ValueError("it is compressed twice: unpack it once")
    elif expected == "gzip":
        raise ValueError("it is not compressed, though its name says so")
    if content.kind == "text" and expected != "text":
        if expected is None:
            raise ValueError(
                "its name must end in .csv, .tsv, .txt (or these with .gz), .xlsx, .ods, "
                ".parquet or .feather"
            )
        raise ValueError(f"it is no {expected} file, though its name says so")
    return content


def read_stream(path: Path) -> bytes:
    """Read a pipe or a device to its end: unlike a file it can be read only once.

    Raises
    ------
    ValueError
        If nobody writes to it, or it does not end.

    Examples
    --------
    >>> read_stream(Path("/dev/null"))
    b''
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for a writer
    with open(os.open(path, flags), "rb", buffering=0) as stream:  # noqa: PTH123 - a descriptor
        if stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode):
            return _read_pipe(stream, path)
        return _read_all(stream)


def _read_pipe(pipe: io.FileIO, path: Path) -> bytes:
    waited_until = time.monotonic() + PATIENCE
    while (first := pipe.read(BLOCK)) == b"":  # None: a writer is there, but has written nothing
        if time.monotonic() > waited_until:
            raise ValueError(f"nobody writes to the pipe '{path}'")
        time.sleep(PATIENCE / 100)
    os.set_blocking(pipe.fileno(), True)
    return (first or b"") + _read_all(pipe)


def _read_all(stream: BinaryIO | io.FileIO) -> bytes:
    found = io.BytesIO()
    while block := stream.read(BLOCK):
        found.write(block)
        if found.tell() > LARGEST_STREAM:
            raise ValueError(f"it does not end after {LARGEST_STREAM >> 30} GB: give a file")
    return found.getvalue()


def _content(open_file: Callable[[], BinaryIO]) -> Content:
    with open_file() as file:
        first = file.read(8)
    kinds = (kind for start, kind in FIRST_BYTES.items() if first.startswith(start))
    return Content(open_file, next(kinds, "text"))


def _open(source: Path | bytes) -> BinaryIO:
    return io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")


def _unpack(source: Path | bytes) -> BinaryIO:
    compressed = io.BytesIO(source) if isinstance(source, bytes) else source
    return cast("BinaryIO", gzip.open(compressed))
