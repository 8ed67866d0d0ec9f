"""Large CSV files, read part by part: pandas alone holds more than twice what it gives."""

from __future__ import annotations

import gzip
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

NUMBERS = (np.dtype(np.int64), np.dtype(np.float64))


def read_in_parts(path: Path, rows_at_a_time: int = 50_000, **options: Any) -> pd.DataFrame:
    """Give what ``pandas.read_csv(path, **options)`` gives, in little more memory than that takes.

    Numbers go from each part into columns that are as long as the file has lines; columns of other
    kinds are kept in pieces. Where the parts of a column do not agree (numbers here, text there),
    only the whole file can tell what they are, and it is read again as a whole.
    """
    with pd.read_csv(path, chunksize=rows_at_a_time, **options) as parts:
        first = next(parts)
        if len(first) < rows_at_a_time:
            return first
        most_rows = _count_lines(path)
        numbers: dict[Any, NDArray[Any]] = {
            name: np.empty(most_rows, dtype=str(column.dtype))
            for name, column in first.items()
            if column.dtype in NUMBERS
        }
        pieces: dict[Any, list[pd.Series]] = {name: [] for name in first if name not in numbers}
        n_rows = 0
        for part in chain([first], parts):
            rows = slice(n_rows, n_rows + len(part))
            for name, column in part.items():
                if name in pieces:
                    pieces[name].append(column)
                elif column.dtype in NUMBERS:
                    if column.dtype != numbers[name].dtype:
                        numbers[name] = numbers[name].astype(np.float64, copy=False)
                    numbers[name][rows] = column
                else:
                    return pd.read_csv(path, **options)
            n_rows = rows.stop
    if any(len({piece.dtype for piece in column}) > 1 for column in pieces.values()):
        return pd.read_csv(path, **options)
    whole = {
        name: numbers[name][:n_rows]
        if name in numbers
        else pd.concat(pieces.pop(name), ignore_index=True)
        for name in first
    }
    return pd.DataFrame(whole, copy=False)


def _count_lines(path: Path) -> int:
    """Give at least the number of rows; breaks of two characters or inside quotes count as well."""
    with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
        blocks = iter(lambda: file.read(2**20), b"")
        return 1 + sum(block.count(b"\n") + block.count(b"\r") for block in blocks)
