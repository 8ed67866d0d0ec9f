"""Tables that are larger than memory: CSV and Parquet files, or folders of them, part by part."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._validation import shortened
from moselect.listing import listing, suggestion

ENDINGS = (".csv", ".csv.gz", ".parquet")
ROWS_AT_A_TIME = 1 << 20  # of a Parquet file; groups of rows that are larger are read in pieces
BYTES_AT_A_TIME = 1 << 25  # of a CSV file


@dataclass(frozen=True)
class TableStream:
    r"""Some columns of a table that is read part by part, as often as needed.

    Attributes
    ----------
    files : tuple of Path
        The files, in the order of their names.
    columns : tuple of str
        Columns to read.
    numbers : tuple of str
        Those of them that must be finite numbers and are read as float64.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from moselect.datasets import open_stream
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "claims.csv"
    ...     _ = path.write_text("severity,risk\n1,0.5\n2,1.5\n")
    ...     for part in open_stream(path, ["risk"], numbers=["risk"]):
    ...         print(part["risk"])
    [0.5 1.5]
    """

    files: tuple[Path, ...]
    columns: tuple[str, ...]
    numbers: tuple[str, ...]

    def only(self, columns: Sequence[str]) -> TableStream:
        """Return a stream of some of the columns."""
        kept = tuple(name for name in self.numbers if name in columns)
        return TableStream(self.files, tuple(columns), kept)

    def of_files(self) -> list[TableStream]:
        """Return one stream a file, for readers on several machines."""
        return [TableStream((file,), self.columns, self.numbers) for file in self.files]

    def parts(
        self, callback: Callable[[int], object] | None = None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the parts, each a dict of columns as arrays.

        ``callback`` is called with the number of rows after each part has been used.
        """
        for file in self.files:
            for batch in _batches(file, self.columns, self.numbers):
                if batch.num_rows == 0:
                    continue
                yield {
                    name: _to_array(column, name, file, name in self.numbers)
                    for name, column in zip(batch.schema.names, batch.columns, strict=True)
                }
                if callback is not None:
                    callback(batch.num_rows)

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        return self.parts()


def open_stream(
    path: str | os.PathLike[str], columns: Iterable[str], *, numbers: Iterable[str] = ()
) -> TableStream:
    r"""Open a file, or a folder of files, to be read part by part.

    Parameters
    ----------
    path : str or path
        A file that ends in ``.csv``, ``.csv.gz`` or ``.parquet``, or a folder that holds such
        files, all of one kind, at any depth. Files with names that begin with ``.`` or ``_`` are
        left out.
    columns : iterable of str
        Columns to read. Missing values in them are an error.
    numbers : iterable of str, optional
        Those of them that must be finite numbers.

    Returns
    -------
    TableStream
        An iterable of parts, each a dict of arrays.

    Raises
    ------
    ValueError
        If there is no such file, a file lacks a column, or pyarrow is missing. A part with
        missing values, or numbers that are none, raises ValueError when it is read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "scores.csv").write_text("grade,score\n1,0.5\n2,1.5\n")
    ...     for part in open_stream(folder, ["grade", "score"], numbers=["score"]):
    ...         print(part)
    {'grade': array([1, 2]), 'score': array([0.5, 1.5])}
    """
    files = _find_files(Path(path))
    wanted = tuple(dict.fromkeys(columns))
    for file in files:
        names = _column_names(file)
        for name in wanted:
            if name not in names:
                raise ValueError(
                    f"there is no column '{name}'{suggestion(name, names)} in '{file}' "
                    f"(columns: {listing(names, limit=20)})"
                )
            if names.count(name) > 1:
                raise ValueError(f"two columns of '{file}' are called '{name}': rename one")
    return TableStream(files, wanted, tuple(name for name in numbers if name in wanted))


def _find_files(path: Path) -> tuple[Path, ...]:
    if not path.exists():
        raise ValueError(f"there is no file '{path}'")
    if not path.is_dir():
        if not path.name.lower().endswith(ENDINGS):
            raise ValueError(f"cannot read '{path}': its name must end in {', '.join(ENDINGS)}")
        if not path.is_file():
            raise ValueError(
                f"'{path}' is a pipe or a device: it can be read only once, as a whole"
            )
        return (path,)
    files = sorted(
        file
        for file in path.rglob("*")
        if file.name.lower().endswith(ENDINGS)
        and not any(part.startswith((".", "_")) for part in file.relative_to(path).parts)
    )
    if not files:
        raise ValueError(f"the folder '{path}' holds no files that end in {', '.join(ENDINGS)}")
    if len({_is_parquet(file) for file in files}) > 1:
        raise ValueError(f"the folder '{path}' holds both CSV and Parquet files: name a file")
    return tuple(files)


def _is_parquet(file: Path) -> bool:
    return file.name.lower().endswith(".parquet")


def _column_names(file: Path) -> list[str]:
    parquet, csv = _import_pyarrow()
    try:
        if _is_parquet(file):
            return [str(name) for name in parquet.read_schema(file).names]
        with csv.open_csv(file) as reader:
            return list(reader.schema.names)
    except (OSError, ValueError) as error:
        raise _cannot_read(file, error) from error


def _batches(file: Path, columns: Sequence[str], numbers: Sequence[str]) -> Iterator[Any]:
    """Yield batches of rows with the columns asked for."""
    import pyarrow as pa

    parquet, csv = _import_pyarrow()
    try:
        if _is_parquet(file):
            with parquet.ParquetFile(file, pre_buffer=False) as opened:
                yield from opened.iter_batches(ROWS_AT_A_TIME, columns=list(columns))
        else:
            convert = csv.ConvertOptions(
                include_columns=list(columns), column_types=dict.fromkeys(numbers, pa.float64())
            )
            read = csv.ReadOptions(block_size=BYTES_AT_A_TIME)
            with csv.open_csv(file, read_options=read, convert_options=convert) as opened:
                yield from opened
    except (OSError, ValueError) as error:
        raise _cannot_read(file, error) from error


def _to_array(column: Any, name: str, file: Path, is_number: bool) -> NDArray[Any]:
    """Return a column of one batch as an array, without a copy where Arrow allows it."""
    if column.null_count:
        raise ValueError(f"'{name}' is missing in {column.null_count} rows of '{file}': drop them")
    if not is_number:
        values = column.to_pandas()
        if isinstance(values.dtype, pd.CategoricalDtype):
            values = values.astype(values.cat.categories.dtype)
        return np.asarray(values)
    try:
        array = np.asarray(column.to_numpy(zero_copy_only=False))
        if array.dtype.kind not in "fiu":
            raise TypeError
    except TypeError:
        raise ValueError(f"the values of '{name}' in '{file}' are not numbers") from None
    array = array.astype(np.float64, copy=False)
    if not np.isfinite(array).all():
        raise ValueError(f"'{name}' is not finite in rows of '{file}': drop them")
    return array


def _import_pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError:
        raise ValueError(
            "reading part by part needs pyarrow: pip install 'moselect[parquet]'"
        ) from None
    return pyarrow.parquet, pyarrow.csv


def _cannot_read(file: Path, error: Exception) -> ValueError:
    said = shortened(" ".join(str(error).split()))
    parse = "CSV parse error" in said
    hint = "; part by part, fields are separated by commas: convert it to CSV or Parquet" * parse
    return ValueError(f"cannot read '{file}': {said}{hint}")
