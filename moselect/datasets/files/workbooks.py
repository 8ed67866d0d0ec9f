"""Sheets of Excel and OpenDocument workbooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO
from zipfile import BadZipFile

import pandas as pd


def read_sheet(
    open_file: Callable[[], BinaryIO], sheet: str | None = None, **options: Any
) -> tuple[pd.DataFrame, str | None]:
    """Return the cells of a sheet, the first one unless it is named, and a note if there are more.

    ``options`` are those of `pandas.read_excel`.
    """
    try:
        from python_calamine import CalamineError
    except ImportError:
        raise ValueError("workbooks need python-calamine: pip install 'moselect[excel]'") from None
    try:
        with open_file() as file, pd.ExcelFile(file, engine="calamine") as workbook:
            names = [str(name) for name in workbook.sheet_names]
            if sheet is not None and sheet not in names:
                raise ValueError(f"there is no sheet '{sheet}': its sheets are {', '.join(names)}")
            chosen = names[0] if sheet is None else sheet
            cells = pd.read_excel(workbook, sheet_name=chosen, header=None, dtype=object, **options)
    except (CalamineError, BadZipFile, LookupError) as error:
        raise ValueError(f"it is no workbook, or damaged ({error})") from None
    if cells.empty:
        raise ValueError(f"the sheet '{chosen}' is empty")
    several = len(names) > 1 and sheet is None
    return cells, f"sheet '{chosen}', the first of {len(names)}" if several else None


def read_sheet_words(open_file: Callable[[], BinaryIO], sheet: str | None = None) -> pd.DataFrame:
    """Return the cells of a sheet as they are written; only empty ones are missing."""
    return read_sheet(open_file, sheet, keep_default_na=False, na_values=[""])[0]
