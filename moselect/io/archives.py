"""Archives of named arrays, and of a JSON document among them, as files."""

import warnings
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Array, Document
from moselect.io.atomic import write_file
from moselect.io.documents import as_json
from moselect.listing import reason_of

Arrays = dict[str, Array]

DOCUMENT = "document"  # array with the text of a JSON document
MARK = "mark"  # array with the version mark of a set of arrays


def with_document(document: object, arrays: Mapping[str, Array]) -> Arrays:
    """Add a document to arrays, as text."""
    return {**arrays, DOCUMENT: np.array(as_json(document).decode())}


def text_in(arrays: Mapping[str, Array]) -> bytes:
    """Return the text of the document among arrays."""
    return str(arrays[DOCUMENT]).encode()


def document_in(arrays: Arrays) -> Document:
    """Decode the document among arrays."""
    return msgspec.json.decode(text_in(arrays))


def joined(parts: Mapping[str, Mapping[str, ArrayLike]]) -> Arrays:
    """Join sets of arrays as one, with names such as ``part/name``."""
    return {
        f"{part}/{name}": np.asarray(values)
        for part, arrays in parts.items()
        for name, values in arrays.items()
    }


def part_of(arrays: Mapping[str, Array], part: str) -> Arrays:
    """Return one of the joined sets of arrays; empty if it is missing."""
    return {
        name.removeprefix(f"{part}/"): values
        for name, values in arrays.items()
        if name.startswith(f"{part}/")
    }


def pack(arrays: Mapping[str, ArrayLike], *, compressed: bool = True) -> bytes:
    """Write arrays by name to an archive in memory.

    To compress many numbers takes longer than to read them from text, and saves little.
    """
    buffer = BytesIO()
    save = np.savez_compressed if compressed else np.savez
    # Pickled objects would be code that runs when the file is read.
    save(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(content: bytes, source: str) -> Arrays:
    """Read the arrays of an archive; ValueError with its ``source`` if it is damaged."""
    try:
        with np.load(BytesIO(content), allow_pickle=False) as archive:
            return dict(archive)
    except Exception as error:  # noqa: BLE001 - zipfile and numpy raise a dozen types
        raise ValueError(f"{source} is damaged: {reason_of(error)}") from None


def read_archive(path: Path) -> Arrays:
    """Read the archive of a run; ValueError if it is missing or damaged."""
    if not path.is_file():
        raise ValueError(f"'{path}' is missing: search again")
    return unpack(path.read_bytes(), f"'{path}'")


class Archive:
    """Named sets of arrays in a folder, each an ``npz`` file.

    Parameters
    ----------
    folder : Path
        Created when the first arrays are stored.
    mark : str
        Version mark of the sets: sets with another mark count as absent.
    """

    def __init__(self, folder: Path, mark: str) -> None:
        self.folder = folder
        self._mark = mark

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of all files, whether they can be read or not."""
        return iter(sorted(path.stem for path in self.folder.glob("*.npz")))

    def path(self, name: str) -> Path:
        """Return the file of a set."""
        return self.folder / f"{name.replace(' ', '-')}.npz"

    def keep(self, name: str, arrays: Mapping[str, ArrayLike]) -> None:
        """Write a set of arrays; warn if that fails, because results do not depend on it."""
        path = self.path(name)
        content = pack({**arrays, MARK: self._mark})
        try:
            self.folder.mkdir(exist_ok=True)
            write_file(path, content)
        except OSError as error:
            warnings.warn(
                f"cannot write '{path}' ({error.strerror}): the work goes on without it",
                stacklevel=3,
            )

    def find(self, name: str) -> Arrays | None:
        """Return stored arrays; None if they are absent, damaged, or have another mark."""
        path = self.path(name)
        # Zip archives have a checksum of each array, which tells damaged ones.
        try:
            arrays = unpack(path.read_bytes(), f"'{path}'")
        except (OSError, ValueError):
            return None
        if str(arrays.pop(MARK, None)) == self._mark:
            return arrays
        return None
