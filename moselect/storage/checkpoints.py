"""Checkpoints: the states of the runs of a search that has not ended yet."""

from __future__ import annotations

import hashlib
import io
import warnings
from pathlib import Path

import numpy as np

from moselect._validation import shortened
from moselect.search.swarm.swarm import State
from moselect.storage.atomic import replacing

CHECKPOINT_SCHEMA = 2
DIGEST_BYTES = hashlib.sha256().digest_size


class Checkpoints:
    """States of runs in a folder: of each run the last one and the one before.

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
        """Return the last undamaged state of a run, or None; warns if it is not the last."""
        paths = [path for path in self._paths(run) if path.exists()]
        for path in paths:
            try:
                return _unpack(path.read_bytes())
            except (OSError, ValueError) as error:
                why = shortened(error)
                rest = "the one before it" if path != paths[-1] else "the beginning of this run"
                warnings.warn(
                    f"the checkpoint '{path}' is damaged ({why}): going on from {rest}",
                    UserWarning,
                    stacklevel=2,
                )
        return None

    def save(self, run: int, state: State) -> None:
        """Write a state of a run; warns if that fails."""
        path, previous = self._paths(run)
        try:
            with replacing(path, follow=False) as file:
                file.write(_pack(state))
                if path.exists():
                    path.replace(previous)
        except OSError as error:
            warnings.warn(
                f"no checkpoint could be written ({error}): the search goes on without",
                UserWarning,
                stacklevel=2,
            )

    def _paths(self, run: int) -> tuple[Path, Path]:
        return (
            self._folder / f"run-{run:03d}.npz",
            self._folder / f"run-{run:03d}.previous.npz",
        )


def _pack(state: State) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, schema=np.array(CHECKPOINT_SCHEMA), **state)
    content = buffer.getvalue()
    return content + hashlib.sha256(content).digest()


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
