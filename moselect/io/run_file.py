"""Results of a finished search in its folder: a record and its tables."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import count, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from moselect._types import Document, FilePath, Labels, record
from moselect.datasets import Dataset
from moselect.io.archives import Arrays, joined, pack, part_of, read_archive
from moselect.io.atomic import PART, write_file
from moselect.io.documents import as_json
from moselect.io.run_record import (
    FIGURES,
    RECORD,
    SELECTIONS,
    TABLE,
    describe,
    read_record,
)
from moselect.io.run_samples import arrays_of_samples
from moselect.io.table_file import write_dataset
from moselect.io.tables import as_csv
from moselect.labels.labels import as_label_array
from moselect.preprocessing.steps import Steps
from moselect.search.front import Front
from moselect.search.search_samples import Searched

if TYPE_CHECKING:
    from moselect.selection.pareto_search import ParetoSearch

FRONT_TABLE = "front.csv"
ARRAYS = "arrays-{}.npz"  # with the first digits of the checksum
SAMPLES = "samples"  # arrays of samples and folds
COLUMNS = "columns"  # arrays of models whose scores are the columns
FRONT = "front {}"  # arrays of the front, 0, and of the fronts of the folds


@record
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
    arrays : dict of str to ndarray
        Arrays of samples and folds.

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
    arrays: Arrays

    @property
    def scale(self) -> Labels:
        """All classes, lowest first, including classes without samples."""
        labels = self.record["settings"].get("labels")
        return self.front.classes if labels is None else as_label_array(labels)


def write_run(
    path: Path,
    search: Searched | ParetoSearch,
    data: Dataset,
    seconds: float,
    loaded_by: Document | None = None,
    remarks: Sequence[str] = (),
) -> Run:
    """Write the tables and ``run.json`` of a fitted search atomically.

    The record commits the run: it holds the checksum of the arrays that define the run.
    From then on the new run is valid, even if this process is killed before
    ``front.csv``, which is for the user, is written.

    Parameters
    ----------
    path : Path
        The folder. Symbolic links in it are not followed.
    search : Searched or ParetoSearch
        The result of `moselect.search.search`, or a fitted estimator.
    data : Dataset
        Its training data.
    seconds : float
        Duration of the search.
    loaded_by : mapping, optional
        Arguments of `load_dataset` for the data.
    remarks : sequence of str, optional
        Remarks on the table, for the pages of its models.

    Examples
    --------
    >>> import tempfile
    >>> import moselect
    >>> from moselect.datasets import load_dataset
    >>> data = load_dataset("boston")
    >>> search = moselect.ParetoSearch(n_iterations=1, cv=None, random_state=1)
    >>> search = search.fit(data.X, data.y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = write_run(Path(folder), search, data, seconds=0.1)
    ...     len(read_run(Path(folder)).front) == len(search.front_)
    True
    """
    searched = search if isinstance(search, Searched) else search.searched_
    front = searched.front
    samples = arrays_of_samples(searched.samples)
    parts = {COLUMNS: Steps.of(front.columns).arrays, SAMPLES: samples}
    for number, each in enumerate((front, *(front.fold_fronts or ()))):
        parts[FRONT.format(number)] = each.arrays
    arrays = pack(joined(parts), compressed=False)
    record = {
        **describe(searched.samples.settings, data, loaded_by),
        "n_evaluations": searched.n_evaluations,
        "interrupted": searched.interrupted,
        "seconds": round(seconds, 3),
        "n_models": len(front),
        "hypervolume_above_chance": front.hypervolume,
        "classes": front.classes.tolist(),
        "chance": front.chance.to_dict(),
        "columns": Steps.of(front.columns).to_documents(),
        "remarks": list(remarks),
        "table_remarks": searched.samples.samples.remarks,
        "arrays_sha256": sha256(arrays).hexdigest(),
    }
    text = as_json(record)
    path.mkdir(parents=True, exist_ok=True)
    # The name of the arrays follows from their content, so that earlier arrays stay
    # valid until the new record is on disk.
    own = [_arrays_file(path, record), write_dataset(path, data)]
    write_file(own[0], arrays)
    write_file(path / RECORD, text)  # from here on the new run is valid
    write_file(path / FRONT_TABLE, as_csv(front.to_frame()))
    for name in (ARRAYS, TABLE):
        for other in path.glob(name.format("*")):
            if other not in own:  # of a run that was replaced
                other.unlink()
    # Figures and selections are of the run that was replaced.
    for folder in (FIGURES, SELECTIONS):
        shutil.rmtree(path / folder, ignore_errors=True)
    return Run(path, record, front, samples)


def write_selection(run: Path, write: Callable[[Path], None]) -> Path:
    """Write the results of a selection into a new numbered folder, all of them or none."""
    folder = run / SELECTIONS
    folder.mkdir(exist_ok=True)
    temporary = folder / f".{secrets.token_hex(8)}{PART}"
    temporary.mkdir()
    try:
        write(temporary)
        numbers = (int(path.name) for path in folder.iterdir() if path.name.isdecimal())
        # A rename is atomic, and fails if another selection has taken the number.
        return temporary.rename(folder / f"{max(numbers, default=0) + 1:03d}")
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


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
    arrays = read_archive(_arrays_file(path, record))
    chance = pd.Series(record["chance"], dtype=float)
    parts = (part_of(arrays, FRONT.format(number)) for number in count())
    front, *folds = (
        Front.from_arrays(part, record["classes"], chance)
        for part in takewhile(bool, parts)
    )
    columns = None
    if record["columns"] is not None:
        columns = Steps.from_documents(record["columns"], part_of(arrays, COLUMNS))
    front = replace(
        front,
        fold_fronts=tuple(folds) or None,
        columns=columns,
        monotone=record["settings"].get("monotone"),
    )
    return Run(path, record, front, part_of(arrays, SAMPLES))


def _arrays_file(folder: Path, record: Document) -> Path:
    return folder / ARRAYS.format(record["arrays_sha256"][:12])
