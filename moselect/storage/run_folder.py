"""Run folders: what a search found and all that it takes to repeat it."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from moselect._validation import shortened
from moselect.columns import Preparation
from moselect.columns.steps import columns_document, columns_from_document, models_in
from moselect.datasets import Dataset, read_table
from moselect.front import Front
from moselect.listing import listing
from moselect.search import ParetoSearch
from moselect.search.settings import SETTINGS
from moselect.storage.atomic import PART, replacing, sync_folder
from moselect.storage.csv_text import FORMAT, as_csv, read_bounded
from moselect.storage.documents import decoded, heading_of
from moselect.storage.fold_table import read_folds, remove_other_folds, write_folds
from moselect.storage.json_text import as_json
from moselect.storage.lock import LOCK, InUseError, hold_folder
from moselect.storage.run_parts import RECORD, TABLE
from moselect.storage.run_record import RUN_SCHEMA, BegunRecord, RunRecord
from moselect.storage.schema import check_schema
from moselect.storage.scoring_models import (
    read_scoring_models,
    remove_other_models,
    write_scoring_models,
)

NEXT_TABLE = "front.next.csv"  # while a run is written
LARGEST_RECORD = 64 * 2**20  # bytes
UNFINISHED = "unfinished"  # where a search that has not ended has its record and states
IN_EVERY_RECORD = {"schema": int, "data": dict, "settings": dict, "versions": dict}
RECORDED = ("moselect", "numpy", "numba", "scipy", "scikit-learn", "pandas", "moocore")


@dataclass(frozen=True, eq=False)
class Run:
    """A finished search as its folder holds it.

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
    ...     run = write_run(Path(folder), search.fit(X, y), data, seconds=0.1)
    >>> run.record["data"]["name"], len(run.front) == run.record["n_models"]
    ('claims', True)
    """

    path: Path
    record: dict[str, Any]
    front: Front


def new_run_path(name: str, parent: str = "runs") -> Path:
    """Return the first ``runs/<name>-<number>`` that does not exist yet.

    Examples
    --------
    >>> new_run_path("claims", parent="folder that is not there").name
    'claims-001'
    """
    number = 1
    while (path := Path(parent) / f"{name}-{number:03d}").exists():
        number += 1
    return path


def check_run_path(path: Path, *, force: bool) -> None:
    """Raise ValueError if a run cannot be written to ``path``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     check_run_path(Path(folder) / "run", force=False)
    """
    if path.resolve() == Path.cwd():
        raise ValueError("the run would replace this folder: name one in it (--out)")
    obstacle = next((p for p in path.parents if p.exists() and not p.is_dir()), None)
    if obstacle is not None:
        raise ValueError(f"'{path}' cannot be made: '{obstacle}' is a file")
    if path.exists() and not path.is_dir():
        raise ValueError(f"'{path}' is a file: name a folder for the run (--out)")
    if not path.exists() or {p.name for p in path.iterdir()} <= {LOCK}:
        return
    unfinished = (path / UNFINISHED / RECORD).is_file()
    if not force:
        also = f", go on with it (--resume {path})" if unfinished else ""
        raise ValueError(
            f"'{path}' exists already: name another folder (--out){also} or replace it (--force)"
        )
    if not _is_run(path):
        raise ValueError(f"'{path}' is not a run folder, so it is not replaced: name another one")


@contextmanager
def claim_run(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Lock a run folder against other writers; errors as in `check_run_path`.

    Raises
    ------
    InUseError
        If another process writes there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with claim_run(Path(folder) / "run") as path:
    ...         print(path.name)
    run
    """
    check_run_path(path, force=force)
    with hold_folder(path):
        check_run_path(path, force=force)  # another search may have ended there meanwhile
        yield path


@contextmanager
def claim_new_run(name: str) -> Iterator[Path]:
    """Be the only writer of the first ``runs/<name>-<number>`` that is free.

    Examples
    --------
    >>> import tempfile
    >>> from contextlib import chdir
    >>> with tempfile.TemporaryDirectory() as folder, chdir(folder):
    ...     with claim_new_run("claims") as path:
    ...         print(path.name)
    claims-001
    """
    with ExitStack() as held:
        while True:
            path = new_run_path(name)
            try:
                held.enter_context(claim_run(path))
                break
            except InUseError:
                continue  # another search was quicker
            except ValueError:
                if not path.exists():
                    raise  # nor can it be made
        yield path


def describe(
    search: ParetoSearch, data: Dataset, loaded_by: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the record of a search as it is before the search begins.

    ``loaded_by`` are the arguments of `load_dataset` that gave the data.
    """
    return {
        "schema": RUN_SCHEMA,
        "data": {
            "name": data.name,
            "loaded_by": dict(loaded_by or {}),
            "target": data.target,
            "fingerprint": data.fingerprint,
            "n_samples": len(data.X),
            "n_features": data.X.shape[1],
        },
        "settings": recorded_settings(search),
        "versions": recorded_versions(),
        "machine": f"{platform.machine()} {platform.system()}",
    }


def recorded_settings(search: ParetoSearch) -> dict[str, Any]:
    """Return the settings of a search as values that JSON can hold."""
    settings = search.get_params(deep=False)
    settings["random_state"] = getattr(search, "seed_", search.random_state)
    if isinstance(search.prepare, Preparation):
        settings["prepare"] = search.prepare.get_params()
    return settings


def search_of(record: Mapping[str, Any], **changes: Any) -> ParetoSearch:
    """Return the search with the settings of a record, but for ``changes``.

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
    ...     run = write_run(Path(folder), search.fit(X, y), data, seconds=0.1)
    >>> search_of(run.record, n_iterations=2).get_params()["n_particles"]
    5
    """
    recorded = record["settings"]
    settings = {name: recorded[name] for name in SETTINGS if name in recorded} | changes
    if isinstance(settings.get("prepare"), Mapping):
        settings["prepare"] = Preparation(**settings["prepare"])
    return ParetoSearch(**settings)


def recorded_versions() -> dict[str, str]:
    """Return the versions of all packages that results may depend on."""
    return {"python": platform.python_version()} | {name: version(name) for name in RECORDED}


def write_run(
    path: Path,
    search: ParetoSearch,
    data: Dataset,
    seconds: float,
    loaded_by: Mapping[str, Any] | None = None,
) -> Run:
    """Write the tables and ``run.json`` of a fitted search, all or nothing.

    The record decides: it holds the checksum of its table, which has a temporary name until the
    record is in the folder. From then on the new run is valid, even if this process is killed
    before the table has its final name.

    ``loaded_by`` are the arguments of `load_dataset` that gave the data.

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
    ...     run = write_run(Path(folder), search.fit(X, y), data, seconds=0.1)
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['front.csv', 'run.json']
    """
    front = search.front_
    table = as_csv(front.to_frame())
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
        "front_sha256": hashlib.sha256(table).hexdigest(),
    }
    path.mkdir(parents=True, exist_ok=True)
    record["folds_sha256"] = folds = write_folds(path, front.fold_fronts)
    record["models_sha256"] = models = write_scoring_models(path, models_in(front.columns))
    text = as_json(record)
    with replacing(path / NEXT_TABLE) as file:
        file.write(table)
    with replacing(path / RECORD) as file:
        file.write(text)
    (path / NEXT_TABLE).replace(path / TABLE)
    sync_folder(path)
    remove_other_folds(path, folds)
    remove_other_models(path, models)
    shutil.rmtree(path / "figures", ignore_errors=True)
    return Run(path, record, front)


def read_run(path: Path) -> Run:
    """Read a run folder.

    Raises
    ------
    ValueError
        If it is none, is damaged, or comes from a version that writes another form.

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
    ...     run = write_run(Path(folder), search.fit(X, y), data, seconds=0.1)
    ...     read_run(Path(folder)).front.objectives.equals(run.front.objectives)
    True
    """
    if not (path / RECORD).is_file() and (path / UNFINISHED / RECORD).is_file():
        raise ValueError(
            f"the search in '{path}' has not ended: go on with it, moselect search --resume {path}"
        )
    record = read_record(path / RECORD, RunRecord)
    table = read_table(_table_of(path, record["front_sha256"]), **FORMAT)
    models = read_scoring_models(path, record.get("models_sha256"))
    try:
        chance = pd.Series(record["chance"], dtype=np.float64)
        front = Front.from_frame(table, record["classes"], chance)
        if len(front) != record["n_models"]:
            raise ValueError(f"it has {len(front)} models, not {record['n_models']}")
        columns = columns_from_document(record["columns"], front.feature_names, models)
    except ValueError as error:
        raise ValueError(
            f"the run in '{path}' is damaged ({shortened(error)}): run the search again"
        ) from None
    folds = read_folds(path, record["folds_sha256"], front, record["settings"]["cv"])
    return Run(path, record, replace(front, fold_fronts=folds, columns=columns))


def _table_of(path: Path, checksum: str) -> Path:
    """Return the table that belongs to a record; the one in waiting if its writer was killed."""
    for table in (path / TABLE, path / NEXT_TABLE):
        if table.is_file() and hashlib.sha256(read_bounded(table)).hexdigest() == checksum:
            return table
    table = path / TABLE
    if not table.exists():
        raise ValueError(f"there is no file '{table}': run the search again")
    raise ValueError(f"'{table}' is not what the search wrote: run the search again")


def _is_run(path: Path) -> bool:
    """Return whether a search of this version or another wrote a folder, or began to."""
    if any(_is_record(folder / RECORD) for folder in (path, path / UNFINISHED)):
        return True
    begun = path / UNFINISHED  # perhaps it was killed before its record was written
    return begun.is_dir() and all(p.suffix == PART for p in begun.iterdir())


def _is_record(path: Path) -> bool:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(record, dict) and all(
        isinstance(record.get(name), kind) for name, kind in IN_EVERY_RECORD.items()
    )


def _runs_beside(folder: Path) -> str:
    """Return the end of a message that lists run folders nearby."""
    parents = (folder, folder.parent, Path("runs"))
    runs = sorted(
        {str(record.parent) for parent in parents for record in parent.glob(f"*/{RECORD}")}
    )
    return f"; there is one in {listing(runs, limit=5)}" if runs else ""


def read_record(path: Path, kind: type[BegunRecord]) -> dict[str, Any]:
    """Read a ``run.json`` of a search that has begun or ended; errors as in `read_run`."""
    try:
        if path.stat().st_size > LARGEST_RECORD:
            raise ValueError("it has more than 64 MB")
        content = path.read_bytes()
    except OSError:
        raise ValueError(
            f"'{path.parent}' is not a run folder: there is no {path.name} in it"
            f"{_runs_beside(path.parent)}"
        ) from None
    _, schema = heading_of(content)
    if type(schema) is int:
        again = f"search again, with the data, settings and seed that stand in '{path}'"
        check_schema(f"'{path.parent}'", schema, RUN_SCHEMA, again)
    try:
        decoded(content, kind)
    except ValueError as error:
        raise ValueError(
            f"'{path}' is damaged ({shortened(error)}): run the search again"
        ) from None
    record: dict[str, Any] = json.loads(content)
    return record
