"""Names of sources of data sets: bundled, the folder MOSELECT_DATA, OpenML, or a file.

A command checks them before slow imports.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from moselect.listing import listing, suggestion
from moselect.tables.reading import is_many_files, is_url

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
    """Raise ValueError if ``name`` is neither a data set nor a file; without slow imports.

    A pattern such as ``claims/*.parquet`` selects several files, and a connection URL such as
    ``sqlite:///claims.db`` the result of a query.
    """
    if is_url(name) and urlsplit(name).password is not None:
        # The record of a run names its source.
        raise ValueError("leave the password to the environment or a file of the driver")
    is_elsewhere = name.startswith(OPENML) or name == "-" or is_url(name)
    if is_elsewhere or Path(name).exists() or is_many_files(name):
        return
    known = list_datasets()
    if name not in known and in_data_folder(name) is None:
        raise ValueError(
            f"there is no data set or file '{name}'{suggestion(name, known)} "
            f"(give a path, openml:ID, or one of {listing(known, limit=20)})"
        )


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
