"""Plain arrays as one archive, and the checkpoints of an unfinished search."""

from __future__ import annotations

import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Array, Document
from moselect.io.atomic import PART, make_folder, remove_folder, write_file
from moselect.io.documents import as_json
from moselect.io.run_record import RECORD, UNFINISHED, describe
from moselect.listing import reason_of

if TYPE_CHECKING:
    from moselect.datasets import Dataset
    from moselect.search import ParetoSearch
    from moselect.search.swarm import State


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


def unpack(content: bytes, source: str) -> Arrays:
    """Read the arrays of an archive; ValueError with its ``source`` if it is damaged."""
    try:
        with np.load(BytesIO(content), allow_pickle=False) as archive:
            return dict(archive)
    except DAMAGES as error:
        raise ValueError(f"{source} is damaged: {reason_of(error)}") from None


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


CHECKPOINT = b"state of a run, schema 3"


class Checkpoints:
    """Checkpoints of the runs of a search in a folder: the last state of each run.

    Parameters
    ----------
    folder : Path
        An existing folder.

    Notes
    -----
    If the disk is full, the search continues with a warning and keeps the earlier
    checkpoint.

    Examples
    --------
    >>> import tempfile
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     search = moselect.ParetoSearch(n_iterations=5, random_state=1)
    ...     search = search.fit(X, y, checkpoints=Checkpoints(Path(folder)))
    ...     [path.name for path in Path(folder).iterdir()]
    ['run-000.npz']
    """

    def __init__(self, folder: Path) -> None:
        self._archive = Archive(folder, CHECKPOINT)

    def load(self, run: int) -> State | None:
        """Return the last state of a run, or None; warns if it is damaged."""
        name = _name(run)
        state = self._archive.find(name)
        if state is None and name in self._archive:
            warnings.warn(
                f"the checkpoint '{self._archive.path(name)}' is damaged or of another "
                "version: this run begins anew",
                UserWarning,
                stacklevel=2,
            )
        return state

    def save(self, run: int, state: State) -> None:
        """Write a state of a run; warns if that fails."""
        self._archive.keep(_name(run), state)


def _name(run: int) -> str:
    return f"run-{run:03d}"


@contextmanager
def begin_run(
    path: Path,
    search: ParetoSearch,
    data: Dataset,
    loaded_by: Document | None = None,
) -> Iterator[Checkpoints]:
    """Write the record of a search at its start, and yield its checkpoints.

    A finished run in ``path`` remains until `write_run` replaces it. If the search fails
    on bad input, or is interrupted before its first checkpoint, its files are removed.
    """
    folder = path / UNFINISHED
    record = as_json(describe(search, data, loaded_by))
    remove_folder(folder)
    folder.mkdir(parents=True)
    try:
        write_file(folder / RECORD, record)
        yield Checkpoints(folder)
    except (OSError, TypeError, ValueError, KeyboardInterrupt):
        if not any(folder.glob("*.npz")):
            remove_folder(folder)
        raise


def end_run(path: Path) -> None:
    """Remove the checkpoints of a finished search, and incomplete files of killed ones."""
    for part in path.glob(f".*{PART}"):
        part.unlink()
    remove_folder(path / UNFINISHED)
