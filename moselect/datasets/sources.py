"""Where a data set comes from: bundled, the folder MOSELECT_DATA, OpenML, or a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Unpack

import pandas as pd

from moselect.datasets import boston
from moselect.datasets.files import STANDARD_INPUT, Reading, read_table_file
from moselect.listing import listing, suggestion

BUNDLED = {"boston": "values of Boston houses"}
OPENML = "openml:"


@dataclass(frozen=True, eq=False)
class Source:
    """A table, its name and how it was read.

    Attributes
    ----------
    name : str
        The bundled name, ``openml:ID``, or the file's name without its suffix.
    table : DataFrame
        The table.
    target : str or None
        Its usual target, if there is one.
    binnings : mapping
        Binnings of this target that have names; the first one is the default.
    notes : tuple of str
        Notes on how the file was read, a line each.
    read_words : callable or None
        As in `TableFile`.

    Examples
    --------
    >>> source = find_source("boston")
    >>> source.target, source.table.shape
    ('MEDV', (506, 14))
    """

    name: str
    table: pd.DataFrame
    target: str | None = None
    binnings: Mapping[str, str | tuple[float, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    read_words: Callable[[str], pd.Series] | None = None

    def as_written(self, name: str) -> pd.Series:
        """Return a column to be copied: words such as None and digits such as 007 stay as they are.

        In the table such words are missing in a column of text, and such digits are a number.
        """
        column = self.table[name]
        whole = pd.api.types.is_integer_dtype(column.dtype)
        text = not pd.api.types.is_numeric_dtype(column.dtype) or column.isna().all()
        words_missing = text and column.isna().any()
        if self.read_words is None or not (whole or words_missing):
            return column
        words = self.read_words(name).set_axis(column.index)
        if whole and (words.astype(str).str.strip() == column.astype(str)).all():
            return column
        return words

    def as_text(self, name: str) -> pd.Series:
        """Return a column of categories with its digits as they are written, such as 007."""
        column = self.table[name]
        if self.read_words is None or not pd.api.types.is_numeric_dtype(column.dtype):
            return column
        return self.read_words(name).set_axis(column.index).where(column.notna())


def list_datasets() -> dict[str, str]:
    """Return the data sets that can be loaded by name, each with a short description.

    They are the bundled ones and the CSV files in the folder that the environment variable
    ``MOSELECT_DATA`` names. A file there hides a bundled set of the same name.

    Raises
    ------
    ValueError
        If ``MOSELECT_DATA`` names no folder.

    Examples
    --------
    >>> "boston" in list_datasets()
    True
    """
    folder = _data_folder()
    files = sorted(folder.glob("*.csv")) if folder else []
    return BUNDLED | {file.stem: "CSV file in MOSELECT_DATA" for file in files}


def find_source(source: str | os.PathLike[str], **reading: Unpack[Reading]) -> Source:
    """Find and read what ``source`` names.

    Parameters
    ----------
    source : str or path
        A name that `list_datasets` has, ``openml:ID``, a file, or ``-`` for standard input.
    **reading
        How a file is to be read, as in `read_table`.

    Raises
    ------
    ValueError
        If there is nothing of that name, or it cannot be read.

    Examples
    --------
    >>> find_source("boston").target
    'MEDV'
    """
    name = os.fspath(source)
    if name.startswith(OPENML):
        return _fetch_openml(name)
    file = _in_data_folder(name)
    if file is None and name == "boston":
        return Source(name, boston.read_boston(), boston.TARGET, boston.BINNINGS)
    if name != STANDARD_INPUT:
        file = file or Path(name)
        if not file.exists():
            known = list_datasets()
            raise ValueError(
                f"there is no data set or file '{name}'{suggestion(name, known)} "
                f"(give a path, openml:ID, or one of {listing(known, limit=20)})"
            )
    return file_source(file or name, **reading)


def file_source(file: str | os.PathLike[str], **reading: Unpack[Reading]) -> Source:
    r"""Return the table of a file, ``-`` for standard input; errors as in `read_table`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "claims.csv").write_text("age,grade\n31,low\n45,high\n")
    ...     source = file_source(f"{folder}/claims.csv")
    >>> source.name, source.table.shape
    ('claims', (2, 2))
    """
    name = os.fspath(file)
    stem = "standard-input"
    if name != STANDARD_INPUT:
        stem = Path(Path(name).name.removesuffix(".gz")).stem
    found = read_table_file(name, **reading)
    notes = tuple(f"{stem}: {note}" for note in found.notes)
    return Source(stem, found.table, notes=notes, read_words=found.read_words)


def _data_folder() -> Path | None:
    folder = os.environ.get("MOSELECT_DATA")
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise ValueError(f"MOSELECT_DATA names '{folder}', which is no folder: correct or unset it")
    return Path(folder)


def _in_data_folder(name: str) -> Path | None:
    folder = _data_folder()
    if folder is None or Path(name).name != name:
        return None
    candidates = (folder / name, folder / f"{name}.csv")
    return next((file for file in candidates if file.is_file()), None)


def _fetch_openml(name: str) -> Source:
    number = name.removeprefix(OPENML)
    if not (number.isascii() and number.isdigit()):
        raise ValueError(f"'{name}' has no number: give the OpenML id, such as openml:560")

    from sklearn.datasets import fetch_openml  # slow to import, and seldom needed

    try:
        fetched = fetch_openml(data_id=int(number), as_frame=True)
    except (OSError, HTTPException, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"cannot fetch '{name}' from OpenML: {reason}") from error
    targets = fetched.target_names
    return Source(name, fetched.frame, targets[0] if len(targets) == 1 else None)
