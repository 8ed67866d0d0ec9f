"""Searches that have not ended: begun, perhaps killed, to be resumed."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from moselect.datasets import Dataset
from moselect.listing import listing
from moselect.search import ParetoSearch
from moselect.storage.atomic import PART, replacing
from moselect.storage.checkpoints import Checkpoints
from moselect.storage.json_text import as_json
from moselect.storage.lock import making_folder
from moselect.storage.run_folder import UNFINISHED, describe, read_record, recorded_versions
from moselect.storage.run_parts import RECORD
from moselect.storage.run_record import BegunRecord

REPLACED = f"{UNFINISHED}.replaced"  # states of an older search, until a new one has begun


@contextmanager
def begin_run(
    path: Path,
    search: ParetoSearch,
    data: Dataset,
    loaded_by: Mapping[str, Any] | None = None,
) -> Iterator[Checkpoints]:
    """Record a search that begins, and yield the folder of its checkpoints.

    The earlier content of ``path`` stays until `write_run` replaces it. If the search cannot begin
    (bad input), or is interrupted before it has found anything, all is as it was before.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from moselect import ParetoSearch
    >>> from moselect.datasets import Dataset
    >>> X, y = pd.DataFrame({"age": [0.0, 2.0, 1.0, 3.0]}), pd.Series([1, 1, 2, 2])
    >>> data = Dataset("claims", X, y, (1, 2), "severity")
    >>> search = ParetoSearch(n_particles=5, n_iterations=1, cv=None, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "run"
    ...     with begin_run(path, search, data) as checkpoints:
    ...         print(read_unfinished(path)["data"]["name"])
    claims
    """
    folder, replaced = path / UNFINISHED, path / REPLACED
    record = as_json(describe(search, data, loaded_by))
    with making_folder(path):
        shutil.rmtree(replaced, ignore_errors=True)
        if folder.exists():
            folder.rename(replaced)
        folder.mkdir()
        try:
            with replacing(folder / RECORD) as file:
                file.write(record)
            yield checkpoints_of(path)
        except (OSError, TypeError, ValueError, KeyboardInterrupt):
            if not any(folder.glob("*.npz")):
                shutil.rmtree(folder)
                if replaced.exists():
                    replaced.rename(folder)
            raise
        finally:
            shutil.rmtree(replaced, ignore_errors=True)


def read_unfinished(path: Path) -> dict[str, Any] | None:
    """Read what was recorded when the search in a run folder began; None if it has ended.

    Raises
    ------
    ValueError
        If there is no search in the folder, or its record is damaged or of another schema.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from moselect import ParetoSearch
    >>> from moselect.datasets import Dataset
    >>> X, y = pd.DataFrame({"age": [0.0, 2.0, 1.0, 3.0]}), pd.Series([1, 1, 2, 2])
    >>> data = Dataset("claims", X, y, (1, 2), "severity")
    >>> search = ParetoSearch(n_particles=5, n_iterations=1, cv=None, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "run"
    ...     with begin_run(path, search, data) as checkpoints:
    ...         print(read_unfinished(path)["data"]["name"])
    claims
    """
    if (path / UNFINISHED / RECORD).is_file():
        return read_record(path / UNFINISHED / RECORD, BegunRecord)
    if (path / RECORD).is_file():
        return None
    if (path / UNFINISHED).is_dir():
        raise ValueError(
            f"there are no checkpoints in '{path}' yet: begin anew (--out {path} --force)"
        )
    raise ValueError(f"there is no search in '{path}': name the run folder of one")


def check_data(record: Mapping[str, Any], data: Dataset) -> None:
    """Raise ValueError if these are not the data of the search that was recorded.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from moselect import ParetoSearch
    >>> from moselect.datasets import Dataset
    >>> X, y = pd.DataFrame({"age": [0.0, 2.0, 1.0, 3.0]}), pd.Series([1, 1, 2, 2])
    >>> data = Dataset("claims", X, y, (1, 2), "severity")
    >>> search = ParetoSearch(n_particles=5, n_iterations=1, cv=None, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with begin_run(Path(folder) / "run", search, data):
    ...         record = read_unfinished(Path(folder) / "run")
    >>> check_data(record, data)
    >>> check_data(record, Dataset("claims", X + 1.0, y, (1, 2), "severity"))
    Traceback (most recent call last):
    ValueError: 'claims' has changed since the search began: ...
    """
    labels = [str(label) for label in data.labels]
    if [str(label) for label in record.get("classes", labels)] != labels:
        raise ValueError(
            f"'{data.name}' has the classes {listing(labels)}, but the search had "
            f"{listing(record['classes'])}: search anew"
        )
    if data.fingerprint != record["data"]["fingerprint"]:
        raise ValueError(
            f"'{data.name}' has changed since the search began: give the data as they were, or "
            "search anew"
        )


def warn_of_versions(record: Mapping[str, Any]) -> None:
    """Warn if a search goes on with other versions than it began with: they may round otherwise.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from moselect import ParetoSearch
    >>> from moselect.datasets import Dataset
    >>> X, y = pd.DataFrame({"age": [0.0, 2.0, 1.0, 3.0]}), pd.Series([1, 1, 2, 2])
    >>> data = Dataset("claims", X, y, (1, 2), "severity")
    >>> search = ParetoSearch(n_particles=5, n_iterations=1, cv=None, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with begin_run(Path(folder) / "run", search, data):
    ...         warn_of_versions(read_unfinished(Path(folder) / "run"))
    """
    now = recorded_versions()
    changed = [name for name, version in record["versions"].items() if now.get(name) != version]
    if changed:
        warnings.warn(
            f"the search began with another version of {', '.join(changed)}: "
            "its front may differ from that of a search in one go",
            UserWarning,
            stacklevel=2,
        )


def checkpoints_of(path: Path) -> Checkpoints:
    """Return the checkpoints of the search that was begun in a run folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     checkpoints_of(Path(folder)).load(0) is None
    True
    """
    return Checkpoints(path / UNFINISHED)


def end_run(path: Path) -> None:
    """Remove the states of a search that has ended, and files that a killed one left halfway.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (Path(folder) / "unfinished").mkdir()
    ...     end_run(Path(folder))
    ...     any(Path(folder).iterdir())
    False
    """
    for part in path.glob(f".*{PART}"):
        part.unlink()
    for name in (UNFINISHED, REPLACED):
        shutil.rmtree(path / name, ignore_errors=True)
