"""Sources in blocks of rows: text and Parquet files, and queries of databases."""

import gzip
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pandas as pd
from msgspec import structs

from moselect.budgets import MEMORY
from moselect.tables.reading import Reading, files_of, is_many_files, is_url
from moselect.tables.tables import (
    Source,
    from_frame,
    from_text,
    ordered_columns,
)
from moselect.tables.text_files import HEAD, decode_head, recognise_format
from moselect.tables.workbooks import COMPRESSED, FIRST_BYTES, file_errors

GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"


class Block(NamedTuple):
    """Consecutive rows of a source as a table; ``stored()`` returns them as stored.

    Text is stored as a column ``line``, and has a ``head`` above its rows. A workbook or another
    source that is read at once is one block, with None for both.
    """

    source: Source
    stored: Callable[[], pd.DataFrame] | None = None
    head: bytes | None = None


def read_blocks(
    path: str, reading: Reading | None = None, file_bytes: int | None = None
) -> Iterator[Block] | None:
    """Read files or the query of a connection URL in blocks; None for files read at once.

    Separator, decimal mark and names of text are found in the first block. A column may be
    integers in some blocks and floats in others; `pandas.concat` makes it what it is in the
    whole table. A file of at most ``file_bytes`` (default `MEMORY.file_bytes`) is read at once.
    """
    reading = reading or Reading()
    if is_url(path):
        return _query_blocks(path, reading)
    if is_many_files(path):
        return _folder_blocks(Path(path))
    least = MEMORY.file_bytes if file_bytes is None else file_bytes
    if not Path(path).is_file() or Path(path).stat().st_size <= least:
        return None
    return _file_blocks(Path(path), reading)


def row_blocks(table: pd.DataFrame) -> Iterator[slice]:
    """Return slices of the rows of a table with at most `MEMORY.block_cells` cells each."""
    n_rows = max(1, MEMORY.block_cells // table.shape[1])
    for start in range(0, max(1, len(table)), n_rows):
        yield slice(start, start + n_rows)


def read_parts(name: str, reading: Reading) -> Source:
    """Read all blocks of a folder, a pattern of files, or a query as one table."""
    with file_errors(f"'{name}'"):
        parts = []
        ordered = set[str]()
        for block in read_blocks(name, reading) or ():
            parts.append(block.source.table)
            ordered.update(block.source.unordered)
        return from_frame(name_of(name), pd.concat(parts, ignore_index=True), ordered)


def read_stored(
    name: str, rows: pd.DataFrame, block: Block, reading: Reading | None
) -> Source:
    """Read ``rows`` that are stored as those of one of their blocks."""
    reading = reading or Reading()
    if block.head is None:
        source = from_frame(name, rows, block.source.unordered)
    else:
        content = block.head + b"".join(rows["line"])
        text_format = recognise_format(
            content, structs.replace(reading, encoding="utf-8")
        )
        source = from_text(name, content, text_format, is_last=False)
    source.table.attrs["dates"] = reading.dates
    return source


def name_of(source: str) -> str:
    """Return a name for the rows of a folder, a pattern of files or a query.

    Examples
    --------
    >>> name_of("claims/2024-*.parquet"), name_of("sqlite:///claims.db"), name_of("a/rows.csv.gz")
    ('2024', 'claims', 'rows')
    """
    return Path(source).name.partition(".")[0].strip("*?-_ ") or "rows"


def _file_blocks(path: Path, reading: Reading) -> Iterator[Block] | None:
    """Read a file in blocks; None if its format has none."""
    with path.open("rb") as file:
        first = file.read(len(PARQUET))
    if first == PARQUET and reading == Reading():
        return _parquet_blocks(path, path.stem)
    is_zipped = first.startswith(GZIP)
    opener: Callable[..., Any] = partial(gzip.open, path) if is_zipped else path.open
    with opener("rb") as file:
        head = file.read(HEAD)
    # Ends of lines are single bytes.
    if head.startswith((*FIRST_BYTES, *COMPRESSED)) or b"\0" in head:
        return None
    return _text_blocks(name_of(str(path)), opener, reading)


def _folder_blocks(path: Path) -> Iterator[Block]:
    """Read the Parquet files of a folder or a pattern in the order of their names."""
    files = files_of(path)
    if not files:
        raise ValueError("there is no Parquet file in it")
    for file in files:
        with file_errors(f"'{file}'"):
            yield from _parquet_blocks(file, name_of(str(path)))


def _frame_block(name: str, table: pd.DataFrame, ordered: Collection[str] = ()) -> Block:
    return Block(from_frame(name, table, ordered), lambda: table)


def _parquet_blocks(path: Path, name: str) -> Iterator[Block]:
    from pyarrow.parquet import ParquetFile  # an extra

    with ParquetFile(path) as file:
        n_rows = max(1, MEMORY.block_cells // file.metadata.num_columns)
        for batch in file.iter_batches(n_rows):
            yield _frame_block(name, batch.to_pandas(), ordered_columns(batch.schema))


def _query_blocks(url: str, reading: Reading) -> Iterator[Block]:
    """Read the rows of a query of a database."""
    if reading.query is None:
        raise ValueError("give the query of its rows: query='SELECT ...'")
    try:
        from sqlalchemy import NullPool, create_engine, exc, text
    except ImportError:
        raise ValueError("databases need pip install 'moselect[sql]'") from None
    name = name_of(url)
    try:
        engine = create_engine(url, poolclass=NullPool)
        with engine.connect().execution_options(stream_results=True) as connection:
            tables = pd.read_sql_query(
                text(reading.query), connection, chunksize=MEMORY.query_rows
            )
            for table in tables:
                yield _frame_block(name, table)
    except (ImportError, exc.SQLAlchemyError) as error:  # of the driver of the database
        raise ValueError(str(getattr(error, "orig", error))) from None


def _text_blocks(
    name: str, opener: Callable[..., Any], reading: Reading
) -> Iterator[Block]:
    with opener("rb") as file:
        content = _next_block(file)
        text_format = recognise_format(content, reading)
        n_head = max(text_format.names.skipped, default=-1) + 1
        head = b"".join(islice(BytesIO(content), n_head))
        while content:
            following = _next_block(file)
            is_last = not following
            encoding, _ = decode_head(content, reading.encoding)
            encoded = replace(text_format, encoding=encoding)
            source = from_text(name, content, encoded, is_last=is_last)
            rows = content[len(head) :]
            if encoding != "utf-8":
                rows = rows.decode(encoding).encode()
            stored = partial(_lines, rows, len(source.table), is_last)
            yield Block(source, stored, head.decode(encoding).encode())
            content = following and head + following


def _lines(content: bytes, n_rows: int, is_last: bool) -> pd.DataFrame:
    """Return the text of each row as a column ``line``.

    Rows of sums at the end of the last block are left out.
    """
    rows = content.splitlines(keepends=True)
    if len(rows) != n_rows:  # some are blank
        rows = list(filter(bytes.strip, rows))
    if len(rows) != n_rows:  # quoted fields have several lines
        rows = []
        is_open = False
        for line in content.splitlines(keepends=True):
            if is_open:
                rows[-1] += line
            elif line.strip():
                rows.append(line)
            is_open ^= line.count(b'"') % 2 == 1
    if len(rows) < n_rows or (len(rows) > n_rows and not is_last):
        raise ValueError(f"a block of {len(rows):,} lines has {n_rows:,} rows")
    if is_last and rows:
        rows[-1] = rows[-1].rstrip(b"\r\n") + b"\n"
    return pd.DataFrame({"line": pd.Series(rows[:n_rows], dtype=object)})


def _next_block(file: BinaryIO) -> bytes:
    """Read whole lines, up to one after which no quotation is open."""
    lines = [file.read(MEMORY.block_bytes), file.readline()]
    n_quotes = sum(line.count(b'"') for line in lines)
    while n_quotes % 2 and (line := file.readline()):
        lines.append(line)
        n_quotes += line.count(b'"')
    return b"".join(lines)
