"""Archives of plain arrays (``npz`` without objects), and folders of such with checksums.

Nothing in them is executed.
"""

import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Array
from moselect.io.atomic import make_folder, write_file
from moselect.listing import reason_of

Arrays = dict[str, Array]

SUFFIX = ".npz"
FIRST_BYTES = b"PK"  # magic number of zip archives
# Exceptions of zipfile and numpy for damaged files.
DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
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


def pack(arrays: Mapping[str, ArrayLike]) -> bytes:
    """Write arrays by name to an archive in memory."""
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(content: bytes, what: str) -> Arrays:
    """Read the arrays of an archive; ValueError if it is damaged, with its name ``what``."""
    try:
        with np.load(BytesIO(content), allow_pickle=False) as archive:
            return dict(archive)
    except DAMAGES as error:
        raise ValueError(f"{what} is damaged: {reason_of(error)}") from None


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
    A file is an ``npz`` of plain arrays, followed by a checksum of it and the mark.
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

    def keep(self, name: str, arrays: Mapping[str, ArrayLike]) -> None:
        """Write a set of arrays; warn if that fails, because results do not depend on it."""
        path = self.path(name)
        content = pack(arrays)
        try:
            make_folder(self.folder)
            write_file(path, content + self._seal(content), follow=False)
        except OSError as error:
            warnings.warn(
                f"cannot write '{path}' ({error.strerror}): the work goes on without it",
                UserWarning,
                stacklevel=3,
            )

    def find(self, name: str) -> Arrays | None:
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
        return unpack(content, f"'{self.path(name)}'")

    def _seal(self, content: bytes) -> bytes:
        return sha256(self._mark + content).digest()
