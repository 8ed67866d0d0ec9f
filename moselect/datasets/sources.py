"""Sources of data sets: bundled, the folder MOSELECT_DATA, OpenML, or a file.

Tables are read by functions that are imported when they are needed: they are slow to import.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from moselect.listing import listing, suggestion
from moselect.tables.reading import Reading, is_many_files, is_url

if TYPE_CHECKING:
    import pandas as pd

    from moselect._types import FilePath
    from moselect.tables.blocks import Block
    from moselect.tables.tables import Source

TARGET = "MEDV"
# The study prints priors that sum to 0.7: they either apply to 70 % of the samples, or to all.
PRINTED = (0.3, 0.2, 0.1, 0.05, 0.05)
BINNINGS: dict[str, str | tuple[float, ...]] = {
    "normalised": tuple(prior / 0.7 for prior in PRINTED),
    "printed": PRINTED,
    "uniform": "uniform",
}
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


def find_source(source: FilePath, reading: Reading | None = None) -> Source:
    """Read a data set by name, ``openml:ID``, files, a query, or standard input (``-``)."""
    from moselect.tables.blocks import read_parts
    from moselect.tables.tables import Source, read_source

    name = os.fspath(source)
    check_source(name)
    if name.startswith(OPENML):
        return _fetch_openml(name)
    file = in_data_folder(name)
    if file is None and name == "boston":
        boston = read_boston()
        return Source(name, boston, boston.__getitem__, TARGET, BINNINGS)
    if file is None and (is_url(name) or is_many_files(name)):
        return read_parts(name, reading or Reading())
    return read_source(file or name, reading)


def find_blocks(
    name: str, reading: Reading | None = None, file_bytes: int | None = None
) -> Iterator[Block]:
    """Read a data set as `find_source` does, large sources in blocks as in `read_blocks`."""
    from moselect.tables.blocks import Block, read_blocks
    from moselect.tables.workbooks import file_errors

    check_source(name)
    path = in_data_folder(name) or name
    with file_errors(f"'{path}'"):
        blocks = read_blocks(str(path), reading, file_bytes)
        if blocks is not None:
            yield from blocks
            return
    yield Block(find_source(name, reading))


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
    # slow to import, and seldom needed
    from http.client import HTTPException

    from sklearn.datasets import fetch_openml

    from moselect.tables.tables import Source

    number = name.removeprefix(OPENML)
    if not number.isdecimal():
        raise ValueError(f"'{name}': give the number of a data set, such as openml:531")
    try:
        fetched = fetch_openml(data_id=int(number), as_frame=True)
    except (OSError, HTTPException, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"cannot fetch '{name}' from OpenML: {reason}") from error
    targets = fetched.target_names
    target = targets[0] if len(targets) == 1 else None
    return Source(name, fetched.frame, fetched.frame.__getitem__, target)


def load_boston(binning: str = "normalised") -> tuple[pd.DataFrame, pd.Series]:
    """Load the Boston housing data with the target cut into five classes.

    Parameters
    ----------
    binning : {"normalised", "printed", "uniform"}
        The class priors (0.3, 0.2, 0.1, 0.05, 0.05) of [1]_ sum to 0.7. ``"normalised"``
        divides them by 0.7: 506 samples, classes of 217, 144, 73, 36, 36. ``"printed"``
        takes them as they stand and leaves out the most expensive 30 %: 354 samples,
        classes of 152, 101, 51, 25, 25. ``"uniform"`` has five bins of equal width: 506
        samples, classes of 77, 239, 123, 36, 31.

    Returns
    -------
    X : DataFrame of shape (n, 13)
        Features as floats, rows in the order of the original file.
    y : Series of shape (n,)
        Classes 1 to 5, named ``"MEDV"``, with the index of ``X``.

    Raises
    ------
    ValueError
        If the binning is none of the three.

    Notes
    -----
    The column ``B`` encodes an assumption about racial segregation and house prices. The
    table is here because published figures depend on it; see ``data/README.md``.

    References
    ----------
    .. [1] Waegeman, De Baets, Boullart (2008). ROC analysis in ordinal regression learning.
       Pattern Recognition Letters 29, 1-9.

    Examples
    --------
    >>> X, y = load_boston()
    >>> X.shape
    (506, 13)
    >>> y.value_counts(sort=False).sort_index().tolist()
    [217, 144, 73, 36, 36]
    """
    from moselect.datasets.binning import bin_target
    from moselect.validation import check_choice

    check_choice("binning", binning, [*BINNINGS])
    table = read_boston()
    y = bin_target(table[TARGET], binning=BINNINGS[binning]).dropna().astype("int64")
    return table.drop(columns=TARGET).loc[y.index].astype("float64"), y


def read_boston() -> pd.DataFrame:
    """Return the table as published, with 13 features and the numeric target last."""
    from moselect.tables.tables import read_table

    return read_table(Path(__file__).parent / "data" / "boston.csv")
