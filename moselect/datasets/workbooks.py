"""Sheets of Excel and OpenDocument workbooks."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any
from zipfile import BadZipFile

import pandas as pd

from moselect.datasets.text_files import has_second_header
from moselect.listing import listing


def read_sheet(
    content: bytes, sheet: str | None = None, **options: Any
) -> tuple[pd.DataFrame, str | None]:
    """Return the cells of a sheet, and what else there is.

    Unless it is named, it is the first one of at least two columns. ``options`` are those
    of `pandas.read_excel`.
    """
    from python_calamine import CalamineError

    try:
        with pd.ExcelFile(BytesIO(content), engine="calamine") as workbook:
            names = [str(name) for name in workbook.sheet_names]
            if sheet is not None and sheet not in names:
                raise ValueError(
                    f"there is no sheet '{sheet}': its sheets are {listing(names)}"
                )
            for chosen in names if sheet is None else [sheet]:
                options |= {"sheet_name": chosen, "header": None, "dtype": object}
                cells = pd.read_excel(workbook, **options)
                if cells.shape[1] > 1:
                    break
    except (CalamineError, BadZipFile, LookupError) as error:
        raise ValueError(f"it is no workbook, or damaged ({error})") from None
    if cells.empty:
        raise ValueError(f"the sheet '{chosen}' is empty{_others(names, chosen)}")
    notes = []
    if len(names) > 1 and not sheet:
        notes.append(f"sheet '{chosen}'{_others(names, chosen)}")
    # Titles stand alone in the rows above the names; names are text.
    below = int((cells.count(axis=1) > 1).argmax())
    if below and cells.iloc[below].map(_is_text).all():
        cells = cells.iloc[below:].reset_index(drop=True)
        notes.append(f"{below} row{'s' * (below > 1)} above the names of columns skipped")
    if has_second_header(cells, _is_text):
        cells = cells.drop(index=1).reset_index(drop=True)
        notes.append("a second row of names skipped")
    return cells, ", ".join(notes) or None


def _is_text(cell: object) -> bool:
    return isinstance(cell, str)


def _others(names: Sequence[str], chosen: str) -> str:
    """Say how another sheet is read."""
    others = [name for name in names if name != chosen]
    return f" (others, by --read sheet=...: {listing(others)})" if others else ""


def read_sheet_words(content: bytes, sheet: str | None = None) -> pd.DataFrame:
    """Return the cells of a sheet as they are written; only empty ones are missing."""
    return read_sheet(content, sheet, keep_default_na=False, na_values=[""])[0]
