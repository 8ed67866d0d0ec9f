"""Zip archives that may be made to fill the memory."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from typing import BinaryIO

ALWAYS_UNPACKED = 256 * 2**20  # bytes, however small the file is
MOST_UNPACKED = 100  # bytes for each byte of a larger file; zeros shrink to a thousandth
BLOCK = 2**20


def check_archive(file: BinaryIO, watch: Callable[[str, bytes], None] | None = None) -> None:
    """Raise ValueError if a zip archive is damaged, or unpacks to much more than its size.

    It is unpacked once, block by block, since the sizes that it states need not be true; ``watch``
    is called with the name of each member and its blocks.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
    ...     archive.writestr("zeros", bytes(300 * 2**20))
    >>> check_archive(file)
    Traceback (most recent call last):
    ...
    ValueError: it has 0.3 MB, but would take 300 MB when it is unpacked
    """
    size = file.seek(0, io.SEEK_END)
    allowed = max(ALWAYS_UNPACKED, MOST_UNPACKED * size)
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            unpacked = sum(member.file_size for member in members)
            if unpacked > allowed:
                raise ValueError(
                    f"it has {size / 2**20:.1f} MB, but would take {unpacked / 2**20:.0f} MB when "
                    "it is unpacked"
                )
            for member in members:
                with archive.open(member) as part:  # no further than to the stated size
                    while block := part.read(BLOCK):
                        if watch is not None:
                            watch(member.filename, block)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise ValueError(f"it is no zip archive, or damaged ({error})") from None
