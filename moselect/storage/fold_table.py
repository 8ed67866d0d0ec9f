"""The fronts of folds in a run folder: one table, whose name holds its checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from moselect._validation import shortened
from moselect.datasets import read_table
from moselect.front import Front
from moselect.front.table import WEIGHT
from moselect.storage.atomic import replacing
from moselect.storage.csv_text import FORMAT, as_csv, read_bounded
from moselect.storage.run_parts import FOLDS

FOLD = "fold"


def write_folds(folder: Path, fold_fronts: Sequence[Front] | None) -> str | None:
    """Write the fronts of folds; returns the checksum of their table, None if there are none."""
    if fold_fronts is None:
        return None
    tables = []
    for fold, front in enumerate(fold_fronts):
        table = front.to_frame()
        table.insert(0, FOLD, fold)
        tables.append(table)
    content = as_csv(pd.concat(tables, ignore_index=True))
    checksum = hashlib.sha256(content).hexdigest()
    with replacing(_path(folder, checksum)) as file:
        file.write(content)
    return checksum


def read_folds(
    folder: Path, checksum: str | None, front: Front, cv: int | None
) -> tuple[Front, ...] | None:
    """Read the fronts of folds that a record names by their checksum.

    ``front`` is that of all samples, which has the same classes and objectives; ``cv`` is the most
    folds that there can be.

    Raises
    ------
    ValueError
        If their table is missing, not what the search wrote, or damaged.
    """
    if checksum is None:
        return None
    path = _path(folder, checksum)
    if not path.is_file() or hashlib.sha256(read_bounded(path)).hexdigest() != checksum:
        raise ValueError(f"'{path}' is not what the search wrote: run the search again")
    table = read_table(path, **FORMAT)
    try:
        return _fronts(table, front, cv or 0)
    except ValueError as error:
        raise ValueError(
            f"'{path}' is damaged ({shortened(error)}): run the search again"
        ) from None


def remove_other_folds(folder: Path, checksum: str | None) -> None:
    """Remove tables of folds that belong to runs which were replaced."""
    current = None if checksum is None else _path(folder, checksum)
    for path in folder.glob(FOLDS):
        if path != current:
            path.unlink(missing_ok=True)


def _fronts(table: pd.DataFrame, front: Front, most: int) -> tuple[Front, ...]:
    """Return the front of each fold, with figures for the samples of that fold."""
    if FOLD not in table:
        raise ValueError(f"it has no column {FOLD!r}")
    groups = table.groupby(FOLD, sort=True)
    if list(groups.groups) != list(range(len(groups))):
        raise ValueError("its folds are not numbered from 0")
    if not 2 <= len(groups) <= most:
        raise ValueError(f"it has {len(groups)} folds, and the search had up to {most}")
    fronts = tuple(
        Front.from_frame(_of_fold(rows), front.classes, front.chance) for _, rows in groups
    )
    for fold in fronts:
        if fold.confusions is None or fold.holdout_confusions is None or fold.holdout is None:
            raise ValueError("it has no confusion matrices of its folds")
    return fronts


def _of_fold(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the table of one fold, whose columns may be fewer than those of another."""
    others = [name for name in rows if str(name).startswith(WEIGHT) and rows[name].isna().all()]
    return rows.drop(columns=[FOLD, *others]).reset_index(drop=True)


def _path(folder: Path, checksum: str) -> Path:
    return folder / FOLDS.replace("*", checksum[:12])
