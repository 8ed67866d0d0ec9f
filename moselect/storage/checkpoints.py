"""Checkpoints: the states of the runs of a search that has not ended yet."""

from __future__ import annotations

import hashlib
import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from moselect.listing import shortened
from moselect.storage.atomic import replacing

if TYPE_CHECKING:
    from moselect.search.swarm.swarm import State

CHECKPOINT_SCHEMA = 2
DIGEST_BYTES = hashlib.sha256().digest_size


class Checkpoints:
    """The last state of each run in a folder.

    Parameters
    ----------
    folder : Path
        An existing folder.

    Notes
    -----
    A state is an ``npz`` file of plain arrays with a checksum at its end; nothing in it is ever
    executed. It is written beside the last one and replaces it only when it is on disk. If
    there is no room, the search goes on with a warning, and what was there before stays.

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
        self._folder = folder

    def load(self, run: int) -> State | None:
        """Return the last state of a run, or None; warns if it is damaged."""
        path = self._path(run)
        if not path.exists():
            return None
        try:
            return _unpack(path.read_bytes())
        except (OSError, ValueError) as error:
            warnings.warn(
                f"the checkpoint '{path}' is damaged ({shortened(error)}): this run begins anew",
                UserWarning,
                stacklevel=2,
            )
            return None

    def save(self, run: int, state: State) -> None:
        """Write a state of a run; warns if that fails."""
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, schema=np.array(CHECKPOINT_SCHEMA), **state)
        content = buffer.getvalue()
        try:
            with replacing(self._path(run), follow=False) as file:
                file.write(content + hashlib.sha256(content).digest())
        except OSError as error:
            warnings.warn(
                f"no checkpoint could be written ({error}): the search goes on without",
                UserWarning,
                stacklevel=2,
            )

    def _path(self, run: int) -> Path:
        return self._folder / f"run-{run:03d}.npz"


def _unpack(packed: bytes) -> State:
    content, digest = packed[:-DIGEST_BYTES], packed[-DIGEST_BYTES:]
    if hashlib.sha256(content).digest() != digest:
        raise ValueError("its checksum is wrong")
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        state = dict(file)
    schema = state.pop("schema", None)
    if schema != CHECKPOINT_SCHEMA:
        raise ValueError(f"its schema is {schema}, this version reads {CHECKPOINT_SCHEMA}")
    return state
