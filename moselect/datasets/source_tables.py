"""Tables of sources: read at once or in blocks."""

import os
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from moselect._types import FilePath
from moselect.datasets.binning import bin_target
from moselect.datasets.sources import OPENML, check_source, in_data_folder
from moselect.tables.blocks import Block, read_blocks, read_parts
from moselect.tables.reading import Reading, is_many_files, is_url
from moselect.tables.tables import Source, read_source, read_table
from moselect.tables.workbooks import file_errors
from moselect.validation import check_choice

TARGET = "MEDV"
# The study prints priors that sum to 0.7: they either apply to 70 % of the samples, or to all.
PRINTED = (0.3, 0.2, 0.1, 0.05, 0.05)
BINNINGS: dict[str, str | tuple[float, ...]] = {
    "normalised": tuple(prior / 0.7 for prior in PRINTED),
    "printed": PRINTED,
    "uniform": "uniform",
}


def find_source(source: FilePath, reading: Reading | None = None) -> Source:
    """Read a data set by name, ``openml:ID``, files, a query, or standard input (``-``)."""
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
    check_source(name)
    path = in_data_folder(name) or name
    with file_errors(f"'{path}'"):
        blocks = read_blocks(str(path), reading, file_bytes)
        if blocks is not None:
            yield from blocks
            return
    yield Block(find_source(name, reading))


def _fetch_openml(name: str) -> Source:
    # slow to import, and seldom needed
    from http.client import HTTPException

    from sklearn.datasets import fetch_openml

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
    check_choice("binning", binning, [*BINNINGS])
    table = read_boston()
    y = bin_target(table[TARGET], binning=BINNINGS[binning]).dropna().astype("int64")
    return table.drop(columns=TARGET).loc[y.index].astype("float64"), y


def read_boston() -> pd.DataFrame:
    """Return the table as published, with 13 features and the numeric target last."""
    return read_table(Path(__file__).parent / "data" / "boston.csv")
