"""Tables larger than memory: CSV and Parquet files, or folders of them, part by part."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect.listing import listing, shortened, suggestion

ENDINGS = (".csv", ".csv.gz", ".parquet")
ROWS_AT_A_TIME = 1 << 20
BYTES_AT_A_TIME = 1 << 25  # of a CSV file


@dataclass(frozen=True)
class TableStream:
    """Some columns of a table that is read part by part, as often as needed.

    Iterating yields the parts, each a dict of arrays; ``numbers`` are those of the
    columns that must be finite numbers and are read as float64.
    """

    files: tuple[Path, ...]
    columns: tuple[str, ...]
    numbers: tuple[str, ...]

    def only(self, *columns: str) -> TableStream:
        """Return a stream of some of the columns."""
        return replace(self, columns=columns, numbers=tuple({*self.numbers} & {*columns}))

    def of_files(self) -> list[TableStream]:
        """Return one stream a file, for readers on several machines."""
        return [replace(self, files=(file,)) for file in self.files]

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        for file in self.files:
            for batch in self._batches(file):
                if batch.num_rows:
                    yield {
                        name: self._array(batch[name], name, file)
                        for name in self.columns
                    }

    def _batches(self, file: Path) -> Iterator[Any]:
        try:
            yield from _dataset(file, self.numbers).to_batches(
                columns=list(self.columns), batch_size=ROWS_AT_A_TIME, batch_readahead=1
            )
        except (OSError, ValueError) as error:
            raise _cannot_read(file, error) from error

    def _array(self, column: Any, name: str, file: Path) -> NDArray[Any]:
        if column.null_count:
            raise ValueError(
                f"'{name}' is missing in {column.null_count} rows of '{file}': drop them"
            )
        values = np.asarray(column.to_pandas())
        if name in self.numbers:
            if values.dtype.kind not in "fiu":
                raise ValueError(f"the values of '{name}' in '{file}' are not numbers")
            values = values.astype(np.float64, copy=False)
            if not np.isfinite(values).all():
                raise ValueError(f"'{name}' is not finite in rows of '{file}': drop them")
        return values


def open_stream(
    path: str | os.PathLike[str], columns: Iterable[str], *, numbers: Iterable[str] = ()
) -> TableStream:
    r"""Open a file, or a folder of files, to be read part by part.

    Parameters
    ----------
    path : str or path
        A file that ends in ``.csv``, ``.csv.gz`` or ``.parquet``, or a folder that holds
        such files at any depth. Files with names that begin with ``.`` or ``_`` are left
        out.
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
        If there is no such file, a file lacks a column, or pyarrow is missing. A part
        with missing values, or numbers that are none, raises ValueError when it is read.

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
    columns = tuple(dict.fromkeys(columns))
    for file in files:
        try:
            names = _dataset(file).schema.names
        except ImportError:
            raise ValueError(
                "reading part by part needs pyarrow: pip install 'moselect[parquet]'"
            ) from None
        except (OSError, ValueError) as error:
            raise _cannot_read(file, error) from error
        for name in set(columns) - set(names):
            raise ValueError(
                f"there is no column '{name}'{suggestion(name, names)} in '{file}' "
                f"(columns: {listing(names, limit=20)})"
            )
    return TableStream(files, columns, tuple(name for name in numbers if name in columns))


def _find_files(path: Path) -> tuple[Path, ...]:
    if not path.exists():
        raise ValueError(f"there is no file '{path}'")
    files = sorted(
        file
        for file in (path.rglob("*") if path.is_dir() else [path])
        if file.name.lower().endswith(ENDINGS)
        and not any(
            part.startswith((".", "_"))
            for part in file.relative_to(path.parent).parts[1:]
        )
    )
    if not files:
        raise ValueError(f"'{path}' holds no files that end in {', '.join(ENDINGS)}")
    return tuple(files)


def _dataset(file: Path, numbers: Iterable[str] = ()) -> Any:
    import pyarrow as pa
    from pyarrow import csv, dataset

    if file.name.lower().endswith(".parquet"):
        return dataset.dataset(file, format="parquet")
    convert = csv.ConvertOptions(column_types=dict.fromkeys(numbers, pa.float64()))
    read = csv.ReadOptions(block_size=BYTES_AT_A_TIME)
    return dataset.dataset(
        file, format=dataset.CsvFileFormat(convert_options=convert, read_options=read)
    )


def _cannot_read(file: Path, error: Exception) -> ValueError:
    message = shortened(" ".join(str(error).split()))
    is_parse_error = "CSV parse error" in message
    hint = "; part by part, fields are separated by commas: convert it to CSV or Parquet"
    return ValueError(f"cannot read '{file}': {message}{hint * is_parse_error}")
