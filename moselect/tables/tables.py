"""Read tables from text files, workbooks, Parquet and Feather files."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd
from msgspec import structs
from pandas.api.types import infer_dtype, is_float_dtype, is_numeric_dtype

from moselect._types import FilePath, record
from moselect.labels.label_numbers import keeps_zeros
from moselect.labels.labels import level_text
from moselect.listing import listing, short, suggestion
from moselect.tables.amounts import read_all_amounts, read_amounts
from moselect.tables.reading import NO_NAMES, Reading
from moselect.tables.text_files import (
    TextFormat,
    read_text,
    read_words,
    recognise_format,
    without_sums,
)
from moselect.tables.workbooks import file_errors, read_content, read_sheet, without_gaps

# More distinct labels than this are taken for a measurement or free text.
MOST_LABELS = 50
ENDINGS = re.compile(r"\.(gz|zip|bz2|xz)$")
# Options of other formats than text.
OPTIONS = {
    "sheet": ("workbook",),
    "header": ("text", "workbook"),
    "dates": ("text", "workbook", "Parquet", "Feather"),
    "query": ("database",),
}


@record
class Source:
    """A table with its name and details of how it was read.

    ``name`` is the bundled name, ``openml:ID``, or the file name without suffix; ``target``
    the default target, if there is one; ``binnings`` maps names to binnings of this target,
    the default first; ``notes`` describe how the file was read, a line each.
    ``read_words`` returns a column as it stands in the file, of text including words such as
    ``None`` and ``NA``, which otherwise count as missing.
    ``separator`` and ``decimal`` describe a text file. ``unordered`` are columns of
    numbers that were ordered categories before they were written: their order is lost.
    """

    name: str
    table: pd.DataFrame
    read_words: Callable[[str], pd.Series]
    target: str | None = None
    binnings: Mapping[str, str | tuple[float, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    separator: str = ","
    decimal: str = "."
    unordered: Collection[str] = ()

    def as_written(self, name: str) -> pd.Series:
        """Return a column for copying, verbatim: None and 007 are kept.

        In the table None is mostly a missing value in a text column, and 007 is a number.
        """
        column = self.table[name]
        is_float = is_float_dtype(column.dtype) and not column.isna().all()
        if is_float and not self.holds_versions(name):
            return column
        words = self.read_words(name)
        same = words.astype(str).str.strip() == column.astype(str)
        return column if same.all() else words

    def holds_versions(self, name: str, labels: Sequence[str] = ()) -> bool:
        """Return whether decimals of a column, or labels, are 5.9 and 5.10, not 5.1."""
        column = self.table[name]
        if not is_float_dtype(column.dtype):
            return False
        words = self.read_words(name)[column.notna()].map(level_text).unique().tolist()
        return keeps_zeros(labels) or (len(words) <= MOST_LABELS and keeps_zeros(words))

    def as_text(self, name: str) -> pd.Series:
        """Return a categorical column with digits as written, such as 007."""
        column = self.table[name]
        mixed = infer_dtype(column).startswith("mixed")
        if mixed or is_numeric_dtype(column.dtype):
            return self.read_words(name).where(column.notna())
        return column

    def as_numbers(self, name: str, unit: str | None = None) -> pd.Series:
        """Return a column known to be numeric, with numbers followed by a unit parsed.

        Only numbers in this ``unit`` are parsed, by default in the commonest one.
        """
        column = self.table[name]
        other_unit = self.table.attrs.get("units", {}).get(name, unit) != unit
        if unit is not None and other_unit:
            column = self.read_words(name).where(column.notna())
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.astype(object)
        amounts = read_amounts(column, f"{self.decimal}.,", known=True, unit=unit)
        return column if amounts is None else amounts[0]


def read_table(path: FilePath, **reading: str | None) -> pd.DataFrame:
    r"""Read a table from a file.

    Parameters
    ----------
    path : str or path
        A text file (``.csv``, ``.tsv``, ``.txt``), an Excel or OpenDocument workbook, a
        Parquet or Feather file, also compressed by gzip, bzip2 or xz or alone in a ZIP
        archive, or ``-`` for standard input. Separator, decimal mark and encoding of text are
        recognised, and numbers are parsed exactly. Titles above the column names, and rows of
        sums at the end, are skipped.
    **reading
        ``separator``, ``decimal`` and ``encoding`` of a text file, ``sheet`` of a
        workbook, ``header`` (the line that names the columns, counted from 1, or
        ``"none"``) of both, and ``dates`` (``"day"`` or ``"month"``, whichever comes first),
        to override auto-detection.

    Returns
    -------
    DataFrame
        The table, with unique text column names.

    Raises
    ------
    ValueError
        If there is no such file, its format is unknown or invalid, a column name is
        missing or duplicated, or an optional package for the format is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "grades.csv"
    ...     _ = path.write_text("hours;grade\n1,5;2\n")
    ...     read_table(path).to_dict("list")
    {'hours': [1.5], 'grade': [2]}
    """
    return read_source(path, Reading(**reading)).table


def read_source(
    path: FilePath,
    reading: Reading | None = None,
    columns: Collection[str] | None = None,
) -> Source:
    """Read a table as in `read_table`, with its name and details of how it was read.

    From Parquet files only the given ``columns`` are read. Text files are read with all
    columns: pandas would otherwise silently drop surplus fields of malformed rows.
    """
    file = os.fspath(path)
    stem = Path(ENDINGS.sub("", Path(file).name)).stem
    if file == "-":
        stem = "standard-input"
    reading = reading or Reading()
    with file_errors(f"'{file}'"):
        content, file_format = read_content(file)
        for option, value in structs.asdict(reading).items():
            formats = OPTIONS.get(option, ("text",))
            if value is not None and file_format not in formats:
                raise ValueError(f"{option} is for {formats[0]}s only")
        if file_format == "text":
            source = from_text(stem, content, recognise_format(content, reading))
        elif file_format == "workbook":
            source = _from_workbook(stem, content, reading)
        else:
            source = from_arrow(stem, content, file_format, columns)
    source.table.attrs["dates"] = reading.dates
    return source


def from_text(
    name: str, content: bytes, text_format: TextFormat, *, is_last: bool = True
) -> Source:
    """Read text; only the last block of a file may end with rows of sums."""
    if text_format.encoding != "utf-8":
        content = content.decode(text_format.encoding).encode()
    sums = None
    if is_last:
        content, sums = without_sums(content, text_format.separator)
    columns = _working_names(text_format.header, text_format.names.hint)
    table = read_text(content, text_format, columns)
    words = partial(read_words, content, text_format, columns)
    source = _source(name, table, filter(None, (text_format.note, sums)), words)
    return replace(source, separator=text_format.separator, decimal=text_format.decimal)


def _from_workbook(name: str, content: bytes, reading: Reading) -> Source:
    header, cells, notes = read_sheet(content, reading)
    columns = _working_names(header, f"{NO_NAMES}, or header=LINE of the names")
    written = cells.set_axis(columns, axis="columns")
    table = without_gaps(written).infer_objects()
    read_all_amounts(table)
    return _source(name, table, notes, written.__getitem__)


def from_arrow(
    name: str, content: bytes, file_format: str, wanted: Collection[str] | None
) -> Source:
    """Read Parquet, with the wanted columns only unless one is missing, or Feather."""
    ordered = set[str]()
    try:
        if file_format == "Parquet":
            from pyarrow import parquet

            schema = parquet.read_schema(BytesIO(content))
            names = {*(wanted or ())}
            found = [stored for stored in schema.names if stored.strip() in names]
            columns = found if found and len(found) == len(names) else None
            table = pd.read_parquet(BytesIO(content), columns=columns)
            ordered = ordered_columns(schema)
        else:
            table = pd.read_feather(BytesIO(content))
    except ImportError:
        raise ValueError(
            f"{file_format} needs pyarrow: pip install 'moselect[parquet]'"
        ) from None
    return from_frame(name, table, ordered)


def ordered_columns(schema: Any) -> set[str]:
    """Return the columns of a Parquet file that pandas wrote as ordered categories."""
    return {
        str(column["name"]).strip()
        for column in (schema.pandas_metadata or {}).get("columns", ())
        if (column["metadata"] or {}).get("ordered")
    }


def from_frame(name: str, table: pd.DataFrame, ordered: Collection[str] = ()) -> Source:
    """Take a table as it was stored, with the levels of its index as columns.

    ``ordered`` columns were ordered categories, which numbers are no longer.
    """
    # Named index levels are ordinary columns of the file.
    levels = [level for level in table.index.names if level is not None]
    table = table.reset_index(level=levels)
    columns = _working_names([str(column).strip() for column in table.columns])
    source = _source(name, table.set_axis(columns, axis="columns"))
    # Of text the order is kept.
    numbers = source.table.select_dtypes("number", "timedelta")
    return replace(source, unordered={*ordered}.intersection(numbers))


def check_column(name: str, columns: Sequence[str], notes: Sequence[str] = ()) -> None:
    """Raise ValueError if a column does not exist, with notes on how the table was read."""
    if name not in columns:
        found = "; ".join([f"columns: {listing(columns, limit=20)}", *notes])
        raise ValueError(
            f"there is no column '{short(name)}'{suggestion(name, columns)} ({found})"
        )


def _source(
    name: str,
    table: pd.DataFrame,
    notes: Iterable[str] = (),
    verbatim: Callable[[str], pd.Series] | None = None,
) -> Source:
    """Build the source; drop unnamed columns that are empty or a saved row index.

    None is a missing value, except in a column that has ``none`` too.
    """
    notes = list(notes)
    unnamed = [column for column in table.columns if column.startswith("\0")]
    for column in unnamed:
        position = int(column[1:])
        if table[column].isna().all():
            continue
        if position > 1 or table[column].duplicated().any():
            raise ValueError(f"column {position} has no name: name or exclude it")
        notes.append(
            "the first column has no name and unique values: excluded as a row index"
        )
    table = table.drop(columns=unnamed)
    if verbatim is not None:
        texts = table.select_dtypes(exclude="number")
        texts = texts.loc[:, texts.isna().any()]
        for column in texts.columns[texts.isin(["none", "NONE"]).any()]:
            # Beside "none", None is another spelling of a level, not a missing value.
            words = verbatim(column)
            table[column] = table[column].where(words != "None", words)
    named = tuple(f"{name}: {note}" for note in notes)
    return Source(name, table, verbatim or table.__getitem__, notes=named)


def _working_names(header: Sequence[str], hint: str = "") -> list[str]:
    """Return the header, with unnamed columns marked by a zero byte and their position."""
    for name, count in Counter(header).items():
        if name and count > 1:
            or_else = f"one, or is this no header ({hint})?" if hint else "one"
            raise ValueError(
                f"two columns have the name '{name}': rename or drop {or_else}"
            )
    return [name or f"\0{position}" for position, name in enumerate(header, start=1)]
