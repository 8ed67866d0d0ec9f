"""Results of a finished search in its folder: a record and its tables."""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd

from moselect._types import Array, Document, FilePath, Labels
from moselect.datasets import Dataset
from moselect.datasets.text_files import EXACT_FLOATS
from moselect.front import Front
from moselect.front.front import WEIGHT
from moselect.io.atomic import (
    PART,
    make_folder,
    remove_folder,
    sync_folder,
    write_file,
)
from moselect.io.documents import as_json
from moselect.io.packed import pack, unpack
from moselect.io.run_record import FIGURES, RECORD, SELECTIONS, describe, read_record
from moselect.io.tables import as_csv
from moselect.listing import shortened
from moselect.preprocessing.steps import (
    columns_document,
    columns_from_document,
    models_in,
)
from moselect.samples.labels import as_label_array
from moselect.search import ParetoSearch

TABLE = "front.csv"
NEXT_TABLE = "front.next.csv"  # while a run is written
FOLDS = "folds-*.csv"
SCORING_MODELS = "columns-*.npz"
FOLD = "fold"


@dataclass(frozen=True, eq=False)
class Run:
    """Content of a run folder: the record and the front of a finished search.

    Attributes
    ----------
    path : Path
        The folder.
    record : dict
        The content of ``run.json``.
    front : Front
        The models.

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
    ...     _ = write_run(Path(folder), search.fit(X, y), data, seconds=0.1)
    ...     run = read_run(Path(folder))
    >>> run.record["data"]["name"], len(run.front) == run.record["n_models"]
    ('claims', True)
    """

    path: Path
    record: Document
    front: Front

    @property
    def scale(self) -> Labels:
        """All classes, lowest first, including classes without samples."""
        labels = self.record["settings"].get("labels")
        return self.front.classes if labels is None else as_label_array(labels)


def write_run(
    path: Path,
    search: ParetoSearch,
    data: Dataset,
    seconds: float,
    loaded_by: Document | None = None,
) -> Run:
    """Write the tables and ``run.json`` of a fitted search atomically.

    The record commits the run: it holds the checksum of the table, which has a temporary
    name until the record is written. From then on the new run is valid, even if this
    process is killed before the table is renamed.

    Parameters
    ----------
    path : Path
        The folder. Symbolic links in it are not followed.
    search : ParetoSearch
        The search.
    data : Dataset
        Its training data.
    seconds : float
        Duration of the search.
    loaded_by : mapping, optional
        Arguments of `load_dataset` for the data.

    Examples
    --------
    >>> import tempfile
    >>> from moselect.datasets import load_dataset
    >>> data = load_dataset("boston")
    >>> search = ParetoSearch(n_iterations=1, cv=None, random_state=1).fit(data.X, data.y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = write_run(Path(folder), search, data, seconds=0.1)
    ...     len(read_run(Path(folder)).front) == len(search.front_)
    True
    """
    front = search.front_
    table = as_csv(front.to_frame())
    models = models_in(front.columns)
    folds = None if front.fold_fronts is None else _folds_table(front.fold_fronts)
    scoring = None if models is None else pack(models.arrays)
    record = {
        **describe(search, data, loaded_by),
        "n_evaluations": search.n_evaluations_,
        "interrupted": search.interrupted_,
        "seconds": round(seconds, 3),
        "n_models": len(front),
        "hypervolume_above_chance": front.hypervolume,
        "classes": front.classes.tolist(),
        "chance": front.chance.to_dict(),
        "columns": columns_document(front.columns),
        "front_sha256": _checksum(table),
        "folds_sha256": _checksum(folds),
        "models_sha256": _checksum(scoring),
    }
    text = as_json(record)
    path.mkdir(parents=True, exist_ok=True)
    parts = {
        _part(FOLDS, record["folds_sha256"]): folds,
        _part(SCORING_MODELS, record["models_sha256"]): scoring,
        NEXT_TABLE: table,
        RECORD: text,
    }
    for name, content in parts.items():
        if content is not None:
            write_file(path / name, content, follow=False)
    (path / NEXT_TABLE).replace(path / TABLE)
    sync_folder(path)
    for pattern in (FOLDS, SCORING_MODELS):
        for part in path.glob(pattern):
            if parts.get(part.name) is None:  # of a run that was replaced
                part.unlink()
    for folder in (FIGURES, SELECTIONS):
        remove_folder(path / folder)
    return Run(path, record, front)


def write_selection(run: Path, write: Callable[[Path], None]) -> Path:
    """Write the results of a selection into a new numbered folder, all of them or none."""
    folder = run / SELECTIONS
    make_folder(folder)
    temporary = folder / f".{secrets.token_hex(8)}{PART}"
    temporary.mkdir()
    try:
        write(temporary)
        for number in count(1):
            path = folder / f"{number:03d}"
            try:
                temporary.rename(path)
                break
            except OSError:
                if not path.exists():  # else an earlier selection has this number
                    raise
    finally:
        remove_folder(temporary)
    return path


def read_run(path: FilePath) -> Run:
    """Read a run folder; see `Run`.

    Raises
    ------
    ValueError
        If it is no run folder, is damaged, or of another version of its format.

    Examples
    --------
    >>> read_run("missing")
    Traceback (most recent call last):
        ...
    ValueError: ...
    """
    path = Path(path)
    record = read_record(path)
    table = _read_part(path, (TABLE, NEXT_TABLE), record["front_sha256"])
    folds = record["folds_sha256"]
    scoring = record.get("models_sha256")
    arrays: dict[str, Array] = {}
    if scoring is not None:
        name = _part(SCORING_MODELS, scoring)
        arrays = unpack(_read_part(path, (name,), scoring), f"'{path / name}'")
    try:
        front = _front(
            table, folds and _read_part(path, (_part(FOLDS, folds),), folds), record
        )
        columns = columns_from_document(record["columns"], arrays)
    except (LookupError, ValueError) as error:
        raise ValueError(
            f"the run in '{path}' is damaged ({shortened(error)}): run the search again"
        ) from None
    monotone = record["settings"].get("monotone")
    return Run(path, record, replace(front, columns=columns, monotone=monotone))


def _front(table: bytes, folds: bytes | None, record: Document) -> Front:
    named = record["settings"].get("objectives", record["chance"])
    chance = pd.Series(record["chance"], dtype=np.float64)[list(named)]
    front = Front.from_frame(_table(table), record["classes"], chance)
    if folds is None:
        return front
    fold_fronts = tuple(
        Front.from_frame(_of_fold(rows), front.classes, chance)
        for _, rows in _table(folds).groupby(FOLD, sort=True)
    )
    return replace(front, fold_fronts=fold_fronts)


def _table(content: bytes) -> pd.DataFrame:
    """Read a table of numbers from CSV, to the last bit."""
    return pd.read_csv(BytesIO(content), **EXACT_FLOATS)


def _folds_table(fold_fronts: Sequence[Front]) -> bytes:
    tables = []
    for fold, front in enumerate(fold_fronts):
        table = front.to_frame()
        table.insert(0, FOLD, fold)
        tables.append(table)
    return as_csv(pd.concat(tables, ignore_index=True))


def _of_fold(rows: pd.DataFrame) -> pd.DataFrame:
    """Select the table of one fold, without weight columns of other folds only."""
    others = rows.columns.str.startswith(WEIGHT) & rows.isna().all().to_numpy()
    return rows.loc[:, ~others].drop(columns=FOLD).reset_index(drop=True)


def _read_part(folder: Path, names: Sequence[str], checksum: str) -> bytes:
    """Read the file with a checksum: under its name, or its temporary name after a crash."""
    for name in names:
        if (folder / name).is_file():
            content = (folder / name).read_bytes()
            if _checksum(content) == checksum:
                return content
    raise ValueError(
        f"'{folder / names[0]}' is missing, or not what the search wrote: run the search again"
    )


def _part(pattern: str, checksum: str | None) -> str:
    """Return a file name with the first digits of the checksum."""
    return pattern.replace("*", str(checksum)[:12])


def _checksum(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()
