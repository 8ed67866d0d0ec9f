"""Sources of data sets: bundled, the folder MOSELECT_DATA, OpenML, or a file.

Tables are read by functions that are imported when they are needed: they are slow to import.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from moselect.budgets import MEMORY
from moselect.listing import listing, suggestion
from moselect.tables.reading import Reading

if TYPE_CHECKING:
    import pandas as pd

    from moselect._types import FilePath
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
    from moselect.tables.tables import Source, read_source

    name = os.fspath(source)
    check_source(name)
    if name.startswith(OPENML):
        return _fetch_openml(name)
    file = in_data_folder(name)
    if file is None and name == "boston":
        boston = read_boston()
        return Source(name, boston, boston.__getitem__, TARGET, BINNINGS)
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

    if binning not in BINNINGS:
        raise ValueError(
            f"unknown binning {binning!r} of boston: give one of {', '.join(BINNINGS)}"
        )
    table = read_boston()
    y = bin_target(table[TARGET], binning=BINNINGS[binning]).dropna().astype("int64")
    return table.drop(columns=TARGET).loc[y.index].astype("float64"), y


def read_boston() -> pd.DataFrame:
    """Return the table as published, with 13 features and the numeric target last."""
    from moselect.tables.tables import read_table

    return read_table(Path(__file__).parent / "data" / "boston.csv")


def find_blocks(name: str, reading: Reading | None = None) -> Iterator[Source]:
    """Read a data set as `find_source` does, large text and Parquet files in blocks of rows.

    Separator, decimal mark and names of text are found in the first block. A column may be
    integers in some blocks and floats in others; `pandas.concat` makes it what it is in the
    whole table.
    """
    from moselect.tables.workbooks import COMPRESSED, FIRST_BYTES, in_one_line

    reading = reading or Reading()
    path = in_data_folder(name) or Path(name)
    if not path.is_file() or path.stat().st_size <= MEMORY.file_bytes:
        yield find_source(name, reading)
        return
    with path.open("rb") as file:
        content = _next_block(file)
        is_other = content.startswith((*FIRST_BYTES, *COMPRESSED))
        blocks = None
        if content.startswith(b"PAR1") and reading == Reading():
            blocks = _parquet_blocks(path)
        elif not is_other and b"\0" not in content:  # ends of lines are single bytes
            blocks = _text_blocks(path.stem, content, file, reading)
        if blocks is not None:
            with in_one_line(f"'{path}'"):
                yield from blocks
            return
    yield find_source(name, reading)


def row_blocks(table: pd.DataFrame) -> Iterator[slice]:
    """Return slices of the rows of a table with at most `MEMORY.block_cells` cells each."""
    n_rows = max(1, MEMORY.block_cells // table.shape[1])
    for start in range(0, max(1, len(table)), n_rows):
        yield slice(start, start + n_rows)


def _parquet_blocks(path: Path) -> Iterator[Source]:
    from pyarrow.parquet import ParquetFile  # an extra

    from moselect.tables.tables import from_frame

    with ParquetFile(path) as file:
        n_rows = max(1, MEMORY.block_cells // file.metadata.num_columns)
        for batch in file.iter_batches(n_rows):
            yield from_frame(path.stem, batch.to_pandas())


def _text_blocks(
    name: str, content: bytes, file: BinaryIO, reading: Reading
) -> Iterator[Source]:
    from moselect.tables.tables import from_text
    from moselect.tables.text_files import decode_head, recognise_format

    text_format = recognise_format(content, reading)
    n_head = max(text_format.names.skipped, default=-1) + 1
    head = b"".join(islice(BytesIO(content), n_head))
    while content:
        following = _next_block(file)
        encoding, _ = decode_head(content, reading.encoding)
        encoded = replace(text_format, encoding=encoding)
        yield from_text(name, content, encoded, is_last=not following)
        content = following and head + following


def _next_block(file: BinaryIO) -> bytes:
    """Read whole lines, up to one after which no quotation is open."""
    lines = [file.read(MEMORY.block_bytes), file.readline()]
    n_quotes = sum(line.count(b'"') for line in lines)
    while n_quotes % 2 and (line := file.readline()):
        lines.append(line)
        n_quotes += line.count(b'"')
    return b"".join(lines)
