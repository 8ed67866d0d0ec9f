"""Read sheets of Excel and OpenDocument workbooks."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any
from zipfile import BadZipFile

import pandas as pd

from moselect.datasets.margins import HEAD_ROWS, find_names, label_of_sums
from moselect.datasets.reading import Reading
from moselect.listing import listing


def read_sheet(
    content: bytes, reading: Reading, **options: Any
) -> tuple[list[str], pd.DataFrame, list[str]]:
    """Return column names and cells of a sheet, and notes.

    By default the first visible sheet of at least two columns is read. ``options`` are
    passed to `pandas.read_excel`.
    """
    from python_calamine import CalamineError, SheetVisibleEnum

    sheet = reading.sheet
    try:
        with pd.ExcelFile(BytesIO(content), engine="calamine") as workbook:
            sheets = workbook.book.sheets_metadata
            names = [str(name) for name in workbook.sheet_names]
            if sheet is not None and sheet not in names:
                raise ValueError(
                    f"there is no sheet '{sheet}': its sheets are {listing(names)}"
                )
            shown = [s.name for s in sheets if s.visible == SheetVisibleEnum.Visible]
            for chosen in (shown or names) if sheet is None else [sheet]:
                options |= {"sheet_name": chosen, "header": None, "dtype": object}
                cells = pd.read_excel(workbook, **options)
                if cells.shape[1] > 1:
                    break
    except (CalamineError, BadZipFile, LookupError) as error:
        raise ValueError(f"it is not a workbook, or damaged ({error})") from None
    if cells.empty:
        raise ValueError(f"the sheet '{chosen}' is empty{_others(names, chosen)}")
    notes = []
    if len(names) > 1 and not sheet:
        notes.append(f"sheet '{chosen}'{_others(names, chosen)}")
    header = find_names(cells.head(HEAD_ROWS), _is_text, reading.header)
    notes += [note for note, applies in header.notes(header.row).items() if applies]
    rows = cells.drop(index=list(header.skipped)).reset_index(drop=True)
    while len(rows) and (label := label_of_sums(rows.iloc[-1])) is not None:
        rows = rows.iloc[:-1]
        notes.append(f"the last row, '{label}', excluded as totals")
    return header.of(cells.loc, cells.shape[1]), rows, notes


def _is_text(cell: object) -> bool:
    return isinstance(cell, str)


def _others(names: Sequence[str], chosen: str) -> str:
    """Format a hint on how to read another sheet."""
    others = [name for name in names if name != chosen]
    return f" (others, by sheet=...: {listing(others)})" if others else ""


def read_sheet_words(content: bytes, reading: Reading) -> tuple[list[str], pd.DataFrame]:
    """Return names and cells of a sheet verbatim; only empty cells are missing."""
    return read_sheet(content, reading, keep_default_na=False, na_values=[""])[:2]
