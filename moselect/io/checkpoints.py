"""Checkpoints of an unfinished search: its settings and the last state of each run."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from moselect._types import Document
from moselect.io.atomic import PART, remove_folder, write_file
from moselect.io.documents import as_json
from moselect.io.packed import Archive
from moselect.io.run_record import RECORD, UNFINISHED, describe

if TYPE_CHECKING:
    from moselect.datasets import Dataset
    from moselect.search import ParetoSearch
    from moselect.search.swarm import State

CHECKPOINT = b"state of a run, schema 3"


class Checkpoints:
    """The last state of each run in a folder.

    Parameters
    ----------
    folder : Path
        An existing folder.

    Notes
    -----
    If there is no room, the search goes on with a warning, and what was there before
    stays.

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
        try:
            self._archive.keep(_name(run), state)
        except OSError as error:
            warnings.warn(
                f"no checkpoint could be written ({error}): the search goes on without",
                UserWarning,
                stacklevel=2,
            )


def _name(run: int) -> str:
    return f"run-{run:03d}"


@contextmanager
def begin_run(
    path: Path,
    search: ParetoSearch,
    data: Dataset,
    loaded_by: Document | None = None,
) -> Iterator[Checkpoints]:
    """Record a search that begins, and yield its checkpoints.

    A finished run in ``path`` stays until `write_run` replaces it. If the search cannot
    begin (bad input), or is interrupted before it has found anything, nothing of it is
    left.
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
    """Remove the states of a search that has ended, and files that a killed one left halfway."""
    for part in path.glob(f".*{PART}"):
        part.unlink()
    remove_folder(path / UNFINISHED)
