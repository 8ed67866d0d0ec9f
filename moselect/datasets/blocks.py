"""Read large files in blocks of rows, so that memory does not grow with the file."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import pandas as pd

from moselect.datasets.reading import Reading
from moselect.datasets.sources import find_source, in_data_folder
from moselect.datasets.tables import Source, from_frame, from_text
from moselect.datasets.text_files import decode_head, recognise_format
from moselect.datasets.workbooks import COMPRESSED, FIRST_BYTES, in_one_line

MAX_BYTES = 2**26  # of a file that is read at once
BLOCK_BYTES = 2**23  # of text: some 25,000 rows of 40 numbers
BLOCK_CELLS = 1_000_000  # of tables: splines have ten numbers for each


def find_blocks(name: str, reading: Reading | None = None) -> Iterator[Source]:
    """Read a data set as `find_source` does, large text and Parquet files in blocks of rows.

    Separator, decimal mark and names of text are found in the first block. A column may be
    integers in some blocks and floats in others; `pandas.concat` makes it what it is in the
    whole table.
    """
    reading = reading or Reading()
    path = in_data_folder(name) or Path(name)
    if not path.is_file() or path.stat().st_size <= MAX_BYTES:
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
    """Return slices of the rows of a table with at most `BLOCK_CELLS` cells each."""
    n_rows = max(1, BLOCK_CELLS // table.shape[1])
    for start in range(0, max(1, len(table)), n_rows):
        yield slice(start, start + n_rows)


def _parquet_blocks(path: Path) -> Iterator[Source]:
    from pyarrow.parquet import ParquetFile  # an extra

    with ParquetFile(path) as file:
        n_rows = max(1, BLOCK_CELLS // file.metadata.num_columns)
        for batch in file.iter_batches(n_rows):
            yield from_frame(path.stem, batch.to_pandas())


def _text_blocks(
    name: str, content: bytes, file: BinaryIO, reading: Reading
) -> Iterator[Source]:
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
    lines = [file.read(BLOCK_BYTES), file.readline()]
    n_quotes = sum(line.count(b'"') for line in lines)
    while n_quotes % 2 and (line := file.readline()):
        lines.append(line)
        n_quotes += line.count(b'"')
    return b"".join(lines)
