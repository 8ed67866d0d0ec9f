"""Arrays kept in a folder, each set of them in a sealed file that is read whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from moselect.io.atomic import make_folder, write_file

SUFFIX = ".npz"


class Archive:
    """Named sets of arrays in a folder.

    Parameters
    ----------
    folder : Path
        Created when the first arrays are stored.
    mark : bytes
        Version mark of the entries: entries with another mark count as absent.

    Notes
    -----
    A file is an ``npz`` of plain arrays, which is never executed, and a
    checksum of it and the mark. It replaces an older one only when it is on disk.
    """

    def __init__(self, folder: Path, mark: bytes) -> None:
        self.folder = folder
        self._mark = mark

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of all files, whether they can be read or not."""
        return iter(sorted(path.stem for path in self.folder.glob(f"*{SUFFIX}")))

    def path(self, name: str) -> Path:
        """Return the file of a set."""
        return self.folder / f"{name}{SUFFIX}"

    def keep(self, name: str, arrays: Mapping[str, Any]) -> None:
        """Write a set of arrays; OSError if there is no room."""
        make_folder(self.folder)
        buffer = BytesIO()
        np.savez_compressed(buffer, allow_pickle=False, **arrays)
        content = buffer.getvalue()
        write_file(self.path(name), content + self._seal(content), follow=False)

    def find(self, name: str) -> dict[str, Any] | None:
        """Return stored arrays; None if they are absent or their checksum differs."""
        try:
            sealed = self.path(name).read_bytes()
        except OSError:
            return None
        # bytes of a checksum
        seal = 32
        content = sealed[:-seal]
        if sealed[-seal:] != self._seal(content):
            return None
        with np.load(BytesIO(content), allow_pickle=False) as arrays:
            return dict(arrays)

    def _seal(self, content: bytes) -> bytes:
        return sha256(self._mark + content).digest()
