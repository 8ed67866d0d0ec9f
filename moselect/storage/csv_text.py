"""Tables as text."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd

from moselect.datasets import Reading

LARGEST_TABLE = 2**30  # bytes; a thousand models of 20,000 weights are half of that
# How our own tables are written, whatever their names and values look like.
FORMAT: Reading = {"separator": ",", "decimal": ".", "encoding": "utf-8"}


def read_bounded(path: Path) -> bytes:
    """Return what is in a table of our own; ValueError if it is too large to be one."""
    if path.stat().st_size > LARGEST_TABLE:
        raise ValueError(f"'{path}' has more than {LARGEST_TABLE >> 30} GB: run the search again")
    return path.read_bytes()


def as_csv(table: pd.DataFrame, separator: str = ",") -> bytes:
    r"""Return a table as it stands in a CSV file, without its index.

    Examples
    --------
    >>> as_csv(pd.DataFrame({"score": [0.5], "class": ["low"]}))
    b'score,class\n0.5,low\n'
    """
    text = table.to_csv(index=False, sep=separator, lineterminator="\n")
    if "\r" in text:  # Python quotes a line feed by itself, but a carriage return ends a row, too
        text = table.to_csv(
            index=False, sep=separator, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC
        )
    return text.encode()
