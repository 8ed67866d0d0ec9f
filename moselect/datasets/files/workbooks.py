"""Sheets of Excel and OpenDocument workbooks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO
from zipfile import BadZipFile

import pandas as pd

from moselect.datasets.files.archives import check_archive

CELL = re.compile(rb"""\br=["']([A-Za-z]{1,3})(\d{1,7})["']""")
LONGEST_REFERENCE = 16  # bytes of r="XFD1048576"
MOST_CELLS = 2**26  # of a sheet, with the empty ones between others; they take 2 GB


def read_sheet(
    open_file: Callable[[], BinaryIO], sheet: str | None
) -> tuple[list[str], pd.DataFrame, str | None]:
    """Read a sheet, the first one unless it is named.

    Returns
    -------
    header : list of str
        What stands in the first row.
    body : DataFrame
        The rows below it; columns by number.
    note : str or None
        Which sheet it is, if there are several.

    Raises
    ------
    ValueError
        If it is no workbook, has no such sheet, the sheet is empty, or python-calamine is missing.
    """
    names = _sheet_names(open_file)
    if sheet is not None and sheet not in names:
        raise ValueError(f"there is no sheet '{sheet}': its sheets are {', '.join(names)}")
    chosen = names[0] if sheet is None else sheet
    cells = _cells(open_file, chosen)
    if cells.empty:
        raise ValueError(f"the sheet '{chosen}' is empty")
    header = ["" if pd.isna(name) else str(name).strip() for name in cells.iloc[0]]
    body = cells.iloc[1:].reset_index(drop=True).infer_objects()
    note = f"sheet '{chosen}', the first of {len(names)}" if len(names) > 1 and not sheet else None
    return header, body, note


def read_sheet_words(
    open_file: Callable[[], BinaryIO], sheet: str | None, position: int
) -> pd.Series:
    """Read the column at ``position`` as it is written; only empty cells are missing."""
    chosen = _sheet_names(open_file)[0] if sheet is None else sheet
    cells = _cells(open_file, chosen, keep_default_na=False, na_values=[""])
    return cells.iloc[1:, position].reset_index(drop=True)


def _sheet_names(open_file: Callable[[], BinaryIO]) -> list[str]:
    with _excel_file(open_file) as workbook:
        names = [str(name) for name in workbook.sheet_names]
    if not names:
        raise ValueError("the workbook has no sheets")
    return names


def _cells(open_file: Callable[[], BinaryIO], sheet: str, **options: Any) -> pd.DataFrame:
    with _excel_file(open_file) as workbook:
        return pd.read_excel(workbook, sheet_name=sheet, header=None, dtype=object, **options)


class _Extent:
    """How far apart the cells of a sheet are: the reader makes all cells between them."""

    def __init__(self) -> None:
        self._member, self._end = "", b""
        self._rows: set[int] = set()
        self._columns: set[int] = set()

    def add(self, member: str, block: bytes) -> None:
        """Look for cells in the next block of a sheet; ValueError if they are too far apart."""
        if member != self._member:
            self._member, self._end = member, b""
            self._rows.clear()
            self._columns.clear()
        text = self._end + block
        self._end = text[-LONGEST_REFERENCE:]
        for letters, row in set(CELL.findall(text)):
            self._rows.add(int(row))
            self._columns.add(_column_number(letters))
        n_rows, n_columns = _span(self._rows), _span(self._columns)
        if n_rows * n_columns > MOST_CELLS:
            raise ValueError(
                f"cells of a sheet span {n_rows:,} rows and {n_columns:,} columns: clear what "
                "stands far from the table"
            )


def _span(numbers: set[int]) -> int:
    return max(numbers) - min(numbers) + 1 if numbers else 0


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - ord("A") + 1
    return number


@contextmanager
def _excel_file(open_file: Callable[[], BinaryIO]) -> Iterator[pd.ExcelFile]:
    try:
        from python_calamine import CalamineError
    except ImportError:
        raise ValueError("workbooks need python-calamine: pip install 'moselect[excel]'") from None
    read = partial(pd.ExcelFile, engine="calamine")
    try:
        with open_file() as file:
            if file.read(2) == b"PK":  # older workbooks are no archives
                check_archive(file, _Extent().add)
            file.seek(0)
            with read(file) as workbook:
                yield workbook
    except (CalamineError, BadZipFile, KeyError) as error:
        raise ValueError(
            f"it is no workbook, or damaged ({' '.join(str(error).split())})"
        ) from None
