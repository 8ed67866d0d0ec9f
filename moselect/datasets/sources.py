"""Sources of data sets: bundled, the folder MOSELECT_DATA, OpenML, or a file."""

from __future__ import annotations

import os
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING

from moselect.listing import listing, suggestion

if TYPE_CHECKING:
    from moselect._types import FilePath
    from moselect.datasets.reading import Reading
    from moselect.datasets.tables import Source

BUNDLED = {"boston": "values of Boston houses"}
OPENML = "openml:"


def list_datasets() -> dict[str, str]:
    """List the data sets that can be loaded by name, each with a short description.

    These are the bundled data sets and the CSV files in the folder given by the environment
    variable ``MOSELECT_DATA``, which take precedence over bundled names.

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


def check_source(name: str) -> None:
    """Raise ValueError if ``name`` is neither a data set nor a file; without slow imports."""
    if name.startswith(OPENML) or name == "-" or Path(name).exists():
        return
    known = list_datasets()
    if name not in known and in_data_folder(name) is None:
        raise ValueError(
            f"there is no data set or file '{name}'{suggestion(name, known)} "
            f"(give a path, openml:ID, or one of {listing(known, limit=20)})"
        )


def find_source(source: FilePath, reading: Reading | None = None) -> Source:
    """Read a data set by name, ``openml:ID``, a file, or standard input (``-``)."""
    from moselect.datasets import boston
    from moselect.datasets.tables import Source, read_source

    name = os.fspath(source)
    check_source(name)
    if name.startswith(OPENML):
        return _fetch_openml(name)
    file = in_data_folder(name)
    if file is None and name == "boston":
        return Source(name, boston.read_boston(), boston.TARGET, boston.BINNINGS)
    return read_source(file or name, reading)


def _data_folder() -> Path | None:
    folder = os.environ.get("MOSELECT_DATA")
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise ValueError(
            f"MOSELECT_DATA names '{folder}', which is not a folder: correct or unset it"
        )
    return Path(folder)


def in_data_folder(name: str) -> Path | None:
    """Return the path of a data set of the folder MOSELECT_DATA; None for other names."""
    folder = _data_folder()
    if folder is None or Path(name).name != name:
        return None
    candidates = (folder / name, folder / f"{name}.csv")
    return next((file for file in candidates if file.is_file()), None)


def _fetch_openml(name: str) -> Source:
    from sklearn.datasets import fetch_openml  # slow to import, and seldom needed

    from moselect.datasets.tables import Source

    try:
        fetched = fetch_openml(data_id=int(name.removeprefix(OPENML)), as_frame=True)
    except (OSError, HTTPException, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"cannot fetch '{name}' from OpenML: {reason}") from error
    targets = fetched.target_names
    return Source(name, fetched.frame, targets[0] if len(targets) == 1 else None)
