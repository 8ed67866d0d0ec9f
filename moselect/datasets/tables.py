"""Tables in files of any kind."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

from moselect.datasets.amounts import read_all_amounts, read_amounts
from moselect.datasets.margins import Names
from moselect.datasets.reading import Reading
from moselect.datasets.text_files import (
    read_text,
    read_text_cells,
    read_words,
    recognise_format,
    without_sums,
)
from moselect.datasets.workbooks import read_sheet, read_sheet_words
from moselect.listing import listing, short, shortened, suggestion

FIRST_BYTES = {
    b"PK\x03\x04": "workbook",
    b"\xd0\xcf\x11\xe0": "workbook",
    b"PAR1": "Parquet",
    b"ARROW1": "Feather",
    b"FEA1": "Feather",
}
# What decompression, pandas and pyarrow raise for files that are damaged, or of other versions.
DAMAGE = (
    OSError,
    EOFError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)


def unzip(content: bytes) -> bytes:
    """Return the only file in a ZIP archive; workbooks, and what is damaged, as they are."""
    if not zipfile.is_zipfile(BytesIO(content)):
        return content
    with zipfile.ZipFile(BytesIO(content)) as archive:
        names = [
            n for n in archive.namelist() if not n.endswith("/") and "__MACOSX" not in n
        ]
        if "[Content_Types].xml" in names or "mimetype" in names:
            return content
        if len(names) != 1:
            raise ValueError(
                f"it holds {len(names)} files ({listing(names, 5)}): unpack it"
            )
        return archive.read(names[0])


ENDINGS = re.compile(r"\.(gz|zip|bz2|xz)$")
OPTIONS = {"sheet": ("workbook",), "header": ("text", "workbook")}  # others are for text
COMPRESSED = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\0": lzma.decompress,
    b"PK\x03\x04": unzip,
}


@dataclass(frozen=True, eq=False)
class Source:
    """A table, its name and how it was read.

    ``name`` is the bundled name, ``openml:ID``, or the file's name without its suffix;
    ``target`` its usual target, if there is one; ``binnings`` has binnings of this target
    by name, the first one is the default; ``notes`` says how the file was read, a line
    each. ``read_words`` reads a column as it is written, words such as ``None`` and
    ``NA``, which count as missing otherwise, as text; None if the types in the file say
    what is missing. ``separator`` and ``decimal`` are those of a text file.
    """

    name: str
    table: pd.DataFrame
    target: str | None = None
    binnings: Mapping[str, str | tuple[float, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    read_words: Callable[[str], pd.Series] | None = None
    separator: str = ","
    decimal: str = "."

    def as_written(self, name: str) -> pd.Series:
        """Return a column to be copied: words such as None and digits such as 007 stay.

        In the table such words are missing in a column of text, and such digits are a
        number.
        """
        column = self.table[name]
        numbers = pd.api.types.is_float_dtype(column.dtype) and not column.isna().all()
        if self.read_words is None or numbers:
            return column
        words = self.read_words(name)
        same = words.astype(str).str.strip() == column.astype(str)
        return column if same.all() else words

    def as_text(self, name: str) -> pd.Series:
        """Return a column of categories with its digits as written, such as 007."""
        column = self.table[name]
        mixed = pd.api.types.infer_dtype(column).startswith("mixed")
        if self.read_words is None or not (
            mixed or pd.api.types.is_numeric_dtype(column.dtype)
        ):
            return column
        return self.read_words(name).where(column.notna())

    def as_numbers(self, name: str, unit: str | None = None) -> pd.Series:
        """Return a column known to hold numbers, those with a unit as numbers, too.

        It is the ``unit`` in which the numbers are wanted; without one, that of most
        cells.
        """
        column = self.table[name]
        other_unit = self.table.attrs.get("units", {}).get(name, unit) != unit
        if self.read_words is not None and unit is not None and other_unit:
            column = self.read_words(name).where(column.notna())
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.astype(object)
        amounts = read_amounts(column, f"{self.decimal}.,", known=True, unit=unit)
        return column if amounts is None else amounts[0]


def read_table(path: str | os.PathLike[str], **reading: str | None) -> pd.DataFrame:
    r"""Read a table from a file.

    Parameters
    ----------
    path : str or path
        A text file (``.csv``, ``.tsv``, ``.txt``), an Excel or OpenDocument workbook, a
        Parquet or Feather file, also compressed by gzip, bzip2 or xz or alone in a ZIP
        archive, or ``-`` for standard input. Separator, decimal mark and encoding of text
        are recognised, and numbers are read to the last bit. Titles above the names of
        columns, and rows of sums at the end, are skipped.
    **reading
        ``separator``, ``decimal`` and ``encoding`` of a text file, ``sheet`` of a
        workbook, and ``header`` (the line that names the columns, counted from 1, or
        ``"none"``) of both, where they are not to be recognised.

    Returns
    -------
    DataFrame
        The table, its column names strings and all different.

    Raises
    ------
    ValueError
        If there is no such file, its format is unknown or broken, a column has no name or
        the name of another one, or a package is missing that reads such files.

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
    path: str | os.PathLike[str],
    reading: Reading | None = None,
    columns: Collection[str] | None = None,
) -> Source:
    """Read a table as `read_table` does, with its name and how it was read.

    Parquet files hold their columns apart, and only the named ``columns`` are read, if
    they are given. Text is read whole: pandas would otherwise drop the surplus fields of
    a broken row without a word.
    """
    file = os.fspath(path)
    stem, shown = "standard-input", "standard input"
    if file != "-":
        stem, shown = Path(ENDINGS.sub("", Path(file).name)).stem, f"'{file}'"
        if Path(file).is_dir():
            raise ValueError(f"'{file}' is a folder: give a file in it")
        if not Path(file).exists():
            raise ValueError(f"there is no file '{file}'")
    reading = reading or Reading()
    try:
        content, kind = _read_content(file)
        for option in reading.__struct_fields__:
            kinds = OPTIONS.get(option, ("text",))
            if getattr(reading, option) is not None and kind not in kinds:
                raise ValueError(f"{option} is for {kinds[0]}s only")
        if kind == "text":
            return _from_text(stem, content, reading)
        if kind == "workbook":
            return _from_workbook(stem, content, reading)
        return _from_arrow(stem, content, kind, columns)
    except DAMAGE as error:
        said = " ".join(str(error).split())
        raise ValueError(f"cannot read {shown}: {shortened(said)}") from error


def read_cells(path: Path) -> list[list[str]]:
    """Return all cells of a small text file or of the first sheet of a workbook, as text.

    There are no blanks around cells and no empty ones at the end of a row.
    """
    content, kind = _read_content(str(path))
    if kind == "workbook":
        names, cells = read_sheet_words(content, Reading())
        rows = [names, *cells.where(cells.notna(), "").astype(str).to_numpy().tolist()]
    else:
        rows = read_text_cells(content)
    rows = [[cell.strip() for cell in row] for row in rows]
    for row in rows:
        while row and not row[-1]:
            row.pop()
    return [row for row in rows if row]


def _read_content(name: str) -> tuple[bytes, str]:
    """Return what a file holds, decompressed, and the kind of its first bytes."""
    content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    for first, decompress in COMPRESSED.items():
        if content.startswith(first):
            content = decompress(content)
    kinds = (kind for first, kind in FIRST_BYTES.items() if content.startswith(first))
    return content, next(kinds, "text")


def _from_text(name: str, content: bytes, reading: Reading) -> Source:
    text_format = recognise_format(content, reading)
    if text_format.encoding != "utf-8":
        content = content.decode(text_format.encoding).encode()
    content, sums = without_sums(content, text_format.separator)
    columns = _working_names(text_format.header, text_format.names.hint)
    table, decimal = read_text(content, text_format, columns, reading.decimal)
    words = partial(read_words, content, text_format, columns)
    notes = (text_format.note(decimal), sums)
    source = _source(name, table, filter(None, notes), words)
    return replace(source, separator=text_format.separator, decimal=decimal)


def _from_workbook(name: str, content: bytes, reading: Reading) -> Source:
    header, cells, notes = read_sheet(content, reading)
    columns = _working_names(header, Names(0).hint)

    def words(column: str) -> pd.Series:
        _, written = read_sheet_words(content, reading)
        return written.set_axis(columns, axis="columns")[column]

    table = cells.set_axis(columns, axis="columns").infer_objects()
    read_all_amounts(table)
    return _source(name, table, notes, words)


def _from_arrow(
    name: str, content: bytes, kind: str, wanted: Collection[str] | None
) -> Source:
    reader: Any = pd.read_parquet if kind == "Parquet" else pd.read_feather
    try:
        options = {}
        if wanted is not None and kind == "Parquet":
            options["columns"] = _parquet_columns(content, wanted)
        table = reader(BytesIO(content), **options)
    except ImportError:
        raise ValueError(
            f"{kind} needs pyarrow: pip install 'moselect[parquet]'"
        ) from None
    indices = [index for index in table.index.names if index is not None]
    if indices:  # pandas' own columns, which it keeps apart
        table = table.reset_index(level=indices)
    columns = _working_names([str(column).strip() for column in table.columns])
    return _source(name, table.set_axis(columns, axis="columns"))


def _parquet_columns(content: bytes, wanted: Collection[str]) -> list[str]:
    """Return the names in a Parquet file of the wanted columns."""
    from pyarrow import parquet

    names = parquet.read_schema(BytesIO(content)).names
    columns = _working_names([name.strip() for name in names])
    wanted = [name.strip() for name in wanted]
    for name in wanted:
        check_column(name, columns)
    return [names[columns.index(name)] for name in wanted]


def check_column(name: str, columns: Sequence[str], notes: Sequence[str] = ()) -> None:
    """Raise ValueError, with the notes on how a table was read, if it lacks a column."""
    if name not in columns:
        found = "; ".join([f"columns: {listing(columns, limit=20)}", *notes])
        raise ValueError(
            f"there is no column '{short(name)}'{suggestion(name, columns)} ({found})"
        )


def _source(
    name: str,
    table: pd.DataFrame,
    notes: Iterable[str] = (),
    read_words: Callable[[str], pd.Series] | None = None,
) -> Source:
    """Leave out columns without a name if they are empty or a saved row index."""
    notes = list(notes)
    unnamed = [column for column in table.columns if column.startswith("\0")]
    for column in unnamed:
        position = int(column[1:])
        if table[column].isna().all():
            continue
        if position > 1 or table[column].duplicated().any():
            raise ValueError(f"column {position} has no name: name it, or leave it out")
        notes.append(
            "the first column has no name and a value of its own in each row: left out"
        )
    if unnamed:
        table = table.drop(columns=unnamed)
    named = tuple(f"{name}: {note}" for note in notes)
    return Source(name, table, notes=named, read_words=read_words)


def _working_names(header: Sequence[str], hint: str = "") -> list[str]:
    """Return the header with a name that no file has for each column without one."""
    for name, count in Counter(header).items():
        if name and count > 1:
            else_ = f", or is this no header ({hint})?" if hint else ""
            raise ValueError(
                f"two columns are called '{name}': rename or drop one{else_}"
            )
    return [name or f"\0{position}" for position, name in enumerate(header, start=1)]
